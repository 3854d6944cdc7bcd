package availability

import (
	"context"
	"slices"

	"daybook/app/catalog"
	"daybook/app/fault"
)

// Calendars refreshes the busy times of hosts' and resources' other calendars. The busy times themselves are read as
// bookings are (Reader.Occupied, Reader.OccupiedThings).
type Calendars interface {
	// Ask reads the calendars of these that weren't read within the last minute, and waits for at most 2 s. It returns
	// those who may not be booked because their calendars could not be read (Asked.Refuses).
	Ask(ctx context.Context, all []Asked) (unknown []catalog.CalendarOwner, err error)
}

// Asked is a host or a resource whose calendars are read before a booking.
type Asked struct {
	Workspace catalog.WorkspaceID
	catalog.CalendarOwner
	Refuses bool // it isn't booked while a calendar can't be read
}

// NoCalendars is the Calendars of a server whose hosts and resources have no other calendars.
type NoCalendars struct{}

func (NoCalendars) Ask(context.Context, []Asked) ([]catalog.CalendarOwner, error) {
	return nil, nil
}

// Ask calls Calendars.Ask for what a booking may take: the host with that id, or for "" all who serve the event type,
// those who may be taken beside them, and the resources that it needs.
func Ask(ctx context.Context, of Calendars, setup *catalog.Setup, eventType, host string) ([]catalog.CalendarOwner, error) {
	e := setup.EventType(eventType)
	if e == nil {
		return nil, nil // the booking is refused for it, as for an unknown host
	}
	hosts, err := Candidates(setup, e, host)
	if err != nil {
		return nil, nil
	}
	_, others := e.Others()
	for _, id := range others {
		if h := setup.Host(id); h != nil && h.Active && !slices.Contains(hosts, h) {
			hosts = append(hosts, h)
		}
	}
	var all []Asked
	for _, h := range hosts {
		if h.Connected {
			all = append(all, Asked{h.WorkspaceID, catalog.CalendarOwner{Host: h.ID}, h.WhenCalendarUnknown == catalog.RefuseUnknown})
		}
	}
	for _, id := range e.Needed() {
		if r := setup.Resource(id); r != nil && r.Active && r.Connected {
			all = append(all, Asked{r.WorkspaceID, catalog.CalendarOwner{Resource: id}, r.WhenCalendarUnknown == catalog.RefuseUnknown})
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	return of.Ask(ctx, all)
}

// Known returns the hosts without those in unknown. The error is conflict calendar_unknown if none is left.
func Known(hosts []*catalog.Host, unknown []catalog.CalendarOwner) ([]*catalog.Host, error) {
	if len(unknown) == 0 {
		return hosts, nil
	}
	known := slices.DeleteFunc(slices.Clone(hosts), func(h *catalog.Host) bool { return isUnknown(h, unknown) })
	if len(known) == 0 && len(hosts) > 0 {
		return nil, refuseUnknown(hosts[0].Name)
	}
	return known, nil
}

func isUnknown(h *catalog.Host, unknown []catalog.CalendarOwner) bool {
	return slices.Contains(unknown, catalog.CalendarOwner{Host: h.ID})
}

func refuseUnknown(name string) error {
	return fault.Conflictf("calendar_unknown", "The calendar of %s can't be read at the moment, so nobody knows "+
		"whether that time is free. Try again in a few minutes.", name)
}

// Connected reports whether any host or resource of the workspace has other calendars.
func Connected(setup *catalog.Setup) bool {
	for i := range setup.Hosts {
		if setup.Hosts[i].Connected {
			return true
		}
	}
	for i := range setup.Resources {
		if setup.Resources[i].Connected {
			return true
		}
	}
	return false
}
