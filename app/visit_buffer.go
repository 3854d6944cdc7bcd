package app

import (
	"slices"
	"time"

	"daybook/app/booking"
	"daybook/app/slot"
	"daybook/app/when"
)

// giveBuffersBack gives what stays of a visit, one of whose bookings was cancelled or moved alone, the buffers that it has
// none of because the same host went on with that booking: at each side where the time is free. Sessions have one time
// for all their seats, and keep it.
func (c *Change) giveBuffersBack() error {
	b := c.Booking
	if b.Visit == nil || c.withVisit || c.insert || !c.found.Status.Live() ||
		b.Status.Live() && b.Start == c.found.Start && b.End == c.found.End && b.Host.ID == c.found.Host.ID {
		return nil
	}
	left, _, err := c.Siblings()
	if err != nil {
		return err
	}
	left = slices.DeleteFunc(left, func(b booking.Booking) bool { return !b.Status.Live() || c.EndsToo(b.ID) })
	for i := range left {
		o := &left[i]
		e := c.Setup.EventTypeByID(o.EventTypeID)
		if e == nil || e.Seats > 1 {
			continue
		}
		rules := e.Rules()
		joins := func(gap func(other *booking.Booking) when.Instant) bool {
			return slices.ContainsFunc(left, func(other booking.Booking) bool {
				between := gap(&other)
				return other.ID != o.ID && other.Host.ID == o.Host.ID && between >= 0 && between <= booking.MaxVisitGap*60_000
			})
		}
		if o.BusyStart == o.Start && !joins(func(other *booking.Booking) when.Instant { return o.Start - other.End }) {
			if err := c.widen(o, rules.BufferBefore, 0); err != nil {
				return err
			}
		}
		if o.BusyEnd == o.End && !joins(func(other *booking.Booking) when.Instant { return other.Start - o.End }) {
			if err := c.widen(o, 0, rules.BufferAfter); err != nil {
				return err
			}
		}
	}
	return nil
}

// widen makes a booking that is as it was before keep a buffer before or after it, if that time is free and the buffers
// weren't waived when it was made.
func (c *Change) widen(b *booking.Booking, before, after time.Duration) error {
	if before == 0 && after == 0 {
		return nil
	}
	history, err := c.History(b.WorkspaceID, b.ID)
	if err != nil || slices.Contains(booking.Waived(history), string(slot.Buffer)) {
		return err
	}
	wider := *b
	wider.Widen(before, after)
	as := &Change{Tx: c.Tx, Setup: c.Setup, Now: c.Now, Actor: c.Actor, Booking: &wider, service: c.service}
	rows, err := readAround(as)
	if err != nil {
		return err
	}
	if entered, err := refuseMet(as, rows); err != nil || entered {
		return internalOnly(err)
	}
	*b = wider
	return c.SaveBooking(b, false, nil)
}
