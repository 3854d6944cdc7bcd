package calsync

import (
	"context"
	"slices"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/when"
)

// Busy is a time at which a host is busy in other calendars. It never says with what.
type Busy struct {
	Host catalog.HostID
	Span
}

// ResourceBusy is a time at which a resource is busy in its calendars.
type ResourceBusy struct {
	Resource catalog.ResourceID
	Span
}

// Clash is a live booking that overlaps a busy time, of its host or of a resource.
type Clash struct {
	Host    catalog.HostID
	Start   when.Instant
	Booking booking.BookingID
}

// maxBusy is the most busy times that are shown at once: forty hosts who have sixteen a day in six weeks.
const maxBusy = 40 * 16 * 42

// BusyTimes returns the times within [from, to) at which a host, or for 0 each host that the actor sees, is busy in
// other calendars: disjoint and by start for each host. more is true if there are more than it returns. It takes one
// query. Errors: forbidden.
func (s *Service) BusyTimes(ctx context.Context, a app.Actor, host catalog.HostID, from,
	to time.Time) (all map[catalog.HostID][]Span, more bool, err error) {
	host, some, err := s.seen(a, app.MaySeeBookings, host, false)
	if !some || err != nil {
		return nil, false, err
	}
	found, err := s.Reader(ctx).BusyTimes(a.Workspace, host, when.At(from), when.At(to), maxBusy+1)
	if err != nil {
		return nil, false, err
	}
	if more = len(found) > maxBusy; more {
		found = found[:maxBusy]
	}
	all = map[catalog.HostID][]Span{}
	for i := range found {
		all[found[i].Host] = append(all[found[i].Host], found[i].Span)
	}
	return all, more, nil
}

// ResourceBusyTimes returns the times within [from, to) at which a resource is busy in its calendars: disjoint and by start
// for each. more is true if there are more than it returns. Errors: forbidden.
func (s *Service) ResourceBusyTimes(ctx context.Context, a app.Actor, from,
	to time.Time) (all map[catalog.ResourceID][]Span, more bool, err error) {
	if err := a.May(app.MaySeeBookings); err != nil {
		return nil, false, err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil || !slices.ContainsFunc(setup.Resources, func(r catalog.Resource) bool { return r.Connected }) {
		return nil, false, err
	}
	found, err := s.Reader(ctx).ResourceBusyTimes(a.Workspace, when.At(from), when.At(to), maxBusy+1)
	if err != nil {
		return nil, false, err
	}
	if more = len(found) > maxBusy; more {
		found = found[:maxBusy]
	}
	all = map[catalog.ResourceID][]Span{}
	for i := range found {
		all[found[i].Resource] = append(all[found[i].Resource], found[i].Span)
	}
	return all, more, nil
}

// Clashes lists the live bookings in [from, to) that overlap a busy time, of a host or for 0 of all hosts that the
// actor sees, by host and start, at most limit. Errors: forbidden.
func (s *Service) Clashes(ctx context.Context, a app.Actor, host catalog.HostID, from, to time.Time,
	limit int) ([]Clash, error) {
	return s.clashes(ctx, a, app.MaySeeBookings, host, from, to, limit)
}

// CalendarClashes lists the clashes from now on that the actor may resolve, at most limit. Errors: forbidden.
func (s *Service) CalendarClashes(ctx context.Context, a app.Actor, limit int) (all []booking.BookingID, err error) {
	now := s.Now()
	found, err := s.clashes(ctx, a, app.MayConnectCalendars, 0, now, now.Add(horizon), limit)
	for i := range found {
		if !slices.Contains(all, found[i].Booking) { // of two hosts
			all = append(all, found[i].Booking)
		}
	}
	return all, err
}

func (s *Service) clashes(ctx context.Context, a app.Actor, right app.Command, host catalog.HostID, from, to time.Time,
	limit int) ([]Clash, error) {
	host, some, err := s.seen(a, right, host, true)
	if !some || err != nil {
		return nil, err
	}
	return s.Reader(ctx).CalendarClashes(a.Workspace, host, when.At(from), when.At(to), limit)
}

// seen narrows a host, or all of them, to whom the actor sees; some is false when none of those has a calendar, nor a
// resource, where that counts: what takes place there may clash, whoever does it.
func (s *Service) seen(a app.Actor, right app.Command, host catalog.HostID, resources bool) (_ catalog.HostID, some bool, err error) {
	if err := a.May(right); err != nil {
		return 0, false, err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return 0, false, err
	}
	if a.Own() && host == 0 {
		host = a.Host
	}
	if a.Own() && host == 0 || host != 0 && !a.Sees(host) {
		return 0, false, nil
	}
	return host, slices.ContainsFunc(setup.Hosts, func(h catalog.Host) bool {
		return h.Connected && a.Sees(h.ID) && (host == 0 || h.ID == host)
	}) || resources && slices.ContainsFunc(setup.Resources, func(r catalog.Resource) bool { return r.Connected }), nil
}
