package bulk

import (
	"context"
	"slices"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/slot"
	"daybook/app/when"
)

// Scope selects the live bookings that have not ended and that overlap its time.
type Scope struct {
	Host     catalog.HostID   // whose; 0 is everybody's, and then staff see their own only
	From, To when.Instant     // from From until before To; 0 has no end
	Off      *catalog.TimeOff // instead of From and To: a time off, and where it comes again
	Holidays bool             // instead of From and To: the public holidays of the bookings' hosts
}

// Within lists the bookings of the scope, the earliest first, at most limit. Errors: forbidden, not_found (a host whom
// the actor can't see).
func (s *Service) Within(ctx context.Context, a app.Actor, in Scope, limit int) (all []booking.Booking, err error) {
	if err := a.May(app.MaySeeBookings); err != nil {
		return nil, err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return nil, err
	}
	host := in.Host
	if host != 0 && (setup.Host(host) == nil || !a.Sees(host)) {
		return nil, fault.Missing("host", host.String())
	}
	if host == 0 && a.Own() {
		if host = a.Host; host == 0 {
			return nil, nil
		}
	}
	from, to := in.From, in.To
	if in.Off != nil {
		if from, to = in.Off.Start, in.Off.End; in.Off.Repeat != nil {
			to = 0
		}
	}
	const page = 500
	filter := booking.BookingFilter{Host: host, EndsAfter: max(from, when.At(s.Core.Now())), To: to,
		LongestLookup: setup.Workspace.LongestBooking, Statuses: booking.LiveStatuses, Limit: page,
		HasOthers: setup.Workspace.HasOthers}
	for {
		found, err := s.Reader(ctx).Bookings(a.Workspace, filter)
		if err != nil {
			return nil, err
		}
		for i := range found {
			if b := &found[i]; in.meets(setup, b) {
				s.Core.Present(setup, a, b)
				if all = append(all, *b); len(all) == limit {
					return all, nil
				}
			}
		}
		if len(found) < page {
			return all, nil
		}
		last := &found[len(found)-1]
		filter.After, filter.AfterID = last.Start, last.ID
	}
}

// Looked is how many upcoming bookings Counts looks at.
const Looked = 2000

// Counts returns how many of the next Looked bookings are in each of the scopes, which must be of that host, or of
// everybody for 0. It reads the bookings once. Errors: as in Within.
func (s *Service) Counts(ctx context.Context, a app.Actor, host catalog.HostID, scopes []Scope) ([]int, error) {
	all, err := s.Within(ctx, a, Scope{Host: host}, Looked)
	if err != nil {
		return nil, err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return nil, err
	}
	counts := make([]int, len(scopes))
	for i := range scopes {
		if off := scopes[i].Off; len(all) == Looked && off != nil && off.Repeat == nil && off.End > all[Looked-1].Start {
			found, err := s.Within(ctx, a, scopes[i], Most) // its time lies behind those that were looked at
			if err != nil {
				return nil, err
			}
			counts[i] = len(found)
			continue
		}
		for j := range all {
			if b := &all[j]; scopes[i].spans(b) && scopes[i].meets(setup, b) {
				counts[i]++
			}
		}
	}
	return counts, nil
}

// spans reports whether the booking lies in the scope's time, where that is one span.
func (in *Scope) spans(b *booking.Booking) bool {
	from, to := in.From, in.To
	if in.Off != nil && in.Off.Repeat == nil {
		from, to = in.Off.Start, in.Off.End
	}
	return b.End > from && (to == 0 || b.Start < to)
}

// meets reports whether a booking of the span belongs to the scope.
func (in *Scope) meets(setup *catalog.Setup, b *booking.Booking) bool {
	switch {
	case in.Holidays:
		h := setup.Host(b.Host.ID)
		return h != nil && worksWhile(b, func(from, to when.Instant) bool { return h.HolidayIn(from, to) != "" })
	case in.Off != nil && in.Off.Repeat != nil:
		zone := setup.Zone
		if h := setup.Host(in.Host); h != nil {
			zone = h.Location()
		}
		return worksWhile(b, func(from, to when.Instant) bool { return in.Off.Meets(zone, from, to) })
	case in.Off != nil:
		return worksWhile(b, func(from, to when.Instant) bool { return from < in.Off.End && to > in.Off.Start })
	}
	return true
}

// worksWhile reports whether meets is true of a time in which the host works for the booking: a customer who only waits
// then stays.
func worksWhile(b *booking.Booking, meets func(from, to when.Instant) bool) bool {
	return slices.ContainsFunc(b.Works(), func(w slot.Work) bool {
		return meets(when.Instant(w.Own.Start), when.Instant(w.Own.End))
	})
}
