package app

import (
	"context"
	"slices"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/slot"
	"daybook/app/when"
)

// Series returns a series with those of its bookings that the actor sees. The error is not_found.
func (s *Service) Series(ctx context.Context, a Actor, ref string) (booking.Series, error) {
	if err := a.May(MaySeeBooking); err != nil {
		return booking.Series{}, err
	}
	made, _, err := s.findSeries(s.Reader(ctx), a, ref)
	if err != nil {
		return made, err
	}
	setup, err := s.SetupFor(a)
	if err != nil {
		return made, err
	}
	for i := range made.Bookings {
		s.Present(setup, a, &made.Bookings[i])
	}
	return made, nil
}

// findSeries returns the stored series as far as the actor sees it, and whether that is all of it.
func (s *Service) findSeries(r Reader, a Actor, ref string) (made booking.Series, all bool, err error) {
	missing := fault.Missing("series", ref)
	wanted, err := id.Parse[booking.SeriesIDKind](ref)
	if err != nil || a.Kind == booking.ByInvitee && a.Booking == 0 {
		return made, false, missing
	}
	if made, err = r.Series(a.Workspace, wanted); err != nil {
		return made, false, fault.OrMissing(err, missing)
	}
	if made.Bookings, err = r.Bookings(a.Workspace, booking.BookingFilter{Series: wanted, Limit: booking.MaxSeries}); err != nil {
		return made, false, err
	}
	stored, now := len(made.Bookings), when.At(s.clock())
	made.Bookings = slices.DeleteFunc(made.Bookings, func(b booking.Booking) bool {
		seen := a.SeesBooking(&b)
		if !seen && mayChangeWith(&b, now) {
			made.Unseen = append(made.Unseen, b.Series.Position)
		}
		return !seen
	})
	if len(made.Bookings) == 0 {
		return made, false, missing
	}
	slices.SortStableFunc(made.Bookings, booking.InSeries)
	all = len(made.Bookings) == stored
	made.Dates = seenDates(a, &made, all)
	return made, all, nil
}

// mayChangeWith reports whether the booking changes with others of its series: it is still to come.
func mayChangeWith(b *booking.Booking, now when.Instant) bool {
	return b.Status.Live() && b.Start > now && b.DoneAt == 0
}

// seenDates returns the dates of a series as far as the actor sees them who sees these bookings of it: those of one of them,
// with what is theirs; skipped ones only with all of the bookings.
func seenDates(a Actor, made *booking.Series, all bool) (seen []booking.SeriesDate) {
	position := 0 // as the bookings say it
	for _, d := range made.Dates {
		var of []*booking.Booking
		if d.Booking != 0 {
			position++
			for i := range made.Bookings {
				if b := &made.Bookings[i]; b.Series.Position == position {
					of = append(of, b)
				}
			}
		}
		if len(of) == 0 && !all {
			continue
		}
		if len(of) > 0 {
			d.Booking = of[0].ID
		}
		known := func(h catalog.HostID) bool { // who was to do it may be somebody else than who does
			return a.Sees(h) || slices.ContainsFunc(of, func(b *booking.Booking) bool { return b.Host.ID == h })
		}
		var items []booking.VisitItem
		for i, item := range d.Items { // in the order of the visit
			if !slices.ContainsFunc(of, func(b *booking.Booking) bool { return b.Visit != nil && b.Visit.Position == i+1 }) {
				continue
			}
			if h, err := id.Parse[catalog.HostIDKind](item.Host); err == nil && !known(h) {
				item.Host = ""
			}
			items = append(items, item)
		}
		if d.Items = items; d.Host != nil && !known(*d.Host) {
			d.Host = nil
		}
		if a.May(MayWaive) != nil {
			if d.Reasons = nil; d.State == booking.SeriesFree {
				d.Reason = ""
			} else if slot.Reason(d.Reason).Taken() {
				d.Reason = "slot_taken"
			}
		}
		seen = append(seen, d)
	}
	return seen
}
