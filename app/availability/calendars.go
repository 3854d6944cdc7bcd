package availability

import (
	"context"
	"slices"

	"daybook/app/catalog"
	"daybook/app/fault"
)

// Calendars refreshes the busy times of hosts' other calendars. The busy times themselves are read as bookings are
// (Reader.Occupied).
type Calendars interface {
	// Ask reads the hosts' calendars that weren't read within the last minute, and waits for at most 2 s. It returns
	// the hosts who may not be booked because their calendars could not be read (catalog.Host.WhenCalendarUnknown).
	Ask(ctx context.Context, hosts []*catalog.Host) (unknown []catalog.HostID, err error)
}

// NoCalendars is the Calendars of a server whose hosts have no other calendars.
type NoCalendars struct{}

func (NoCalendars) Ask(context.Context, []*catalog.Host) ([]catalog.HostID, error) {
	return nil, nil
}

// Ask calls Calendars.Ask for the hosts who may take a booking: the host with that id, or for "" all who serve the
// event type, and those who may be taken beside them.
func Ask(ctx context.Context, of Calendars, setup *catalog.Setup, eventType, host string) ([]catalog.HostID, error) {
	e := setup.EventType(eventType)
	if e == nil {
		return nil, nil // the booking is refused for it, as for an unknown host
	}
	hosts, err := Candidates(setup, e, host)
	if _, others := e.Others(); err == nil {
		for _, id := range others {
			if h := setup.Host(id); h != nil && h.Active && !slices.Contains(hosts, h) {
				hosts = append(hosts, h)
			}
		}
	}
	hosts = slices.DeleteFunc(hosts, func(h *catalog.Host) bool { return !h.Connected })
	if err != nil || len(hosts) == 0 {
		return nil, nil
	}
	return of.Ask(ctx, hosts)
}

// Known returns the hosts without those in unknown. The error is conflict calendar_unknown if none is left.
func Known(hosts []*catalog.Host, unknown []catalog.HostID) ([]*catalog.Host, error) {
	if len(unknown) == 0 {
		return hosts, nil
	}
	known := make([]*catalog.Host, 0, len(hosts))
	for _, h := range hosts {
		if !slices.Contains(unknown, h.ID) {
			known = append(known, h)
		}
	}
	if len(known) == 0 && len(hosts) > 0 {
		return nil, fault.Conflictf("calendar_unknown", "The calendar of %s can't be read at the moment, so nobody knows "+
			"whether that time is free. Try again in a few minutes.", hosts[0].Name)
	}
	return known, nil
}
