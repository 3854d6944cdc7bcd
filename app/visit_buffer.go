package app

import (
	"slices"
	"time"

	"daybook/app/booking"
	"daybook/app/slot"
	"daybook/app/when"
)

// giveBuffersBack gives what stays of a visit, one of whose bookings was cancelled or moved alone, the buffers that it has
// none of because the same host went on with that booking: at the side that faced it, where the time is free. Sessions
// have one time for all their seats, and keep it.
func (c *Change) giveBuffersBack() error {
	b, was := c.Booking, &c.found
	if b.Visit == nil || c.withVisit || c.insert || !was.Status.Live() ||
		b.Status.Live() && b.Start == was.Start && b.End == was.End && b.Host.ID == was.Host.ID {
		return nil
	}
	left, _, err := c.Siblings()
	if err != nil {
		return err
	}
	left = slices.DeleteFunc(left, func(o booking.Booking) bool {
		return !o.Status.Live() || o.Host.ID != was.Host.ID || c.EndsToo(o.ID) || !lockOf(&o).Without(c.held).None()
	})
	for i := range left {
		o := &left[i]
		e := c.Setup.EventTypeByID(o.EventTypeID)
		if e == nil || e.Seats > 1 || o.End <= when.At(c.Now) {
			continue
		}
		joins := func(gap func(other *booking.Booking) when.Instant) bool {
			return slices.ContainsFunc(left, func(other booking.Booking) bool { return other.ID != o.ID && near(gap(&other)) })
		}
		before := func(other *booking.Booking) when.Instant { return o.Start - other.End }
		after := func(other *booking.Booking) when.Instant { return other.Start - o.End }
		if o.BusyStart == o.Start && near(before(was)) && !joins(before) {
			if err := c.widen(o, e.Rules().BufferBefore, 0); err != nil {
				return err
			}
		}
		if o.BusyEnd == o.End && near(after(was)) && !joins(after) {
			if err := c.widen(o, 0, e.Rules().BufferAfter); err != nil {
				return err
			}
		}
	}
	return nil
}

// near reports whether two bookings of a visit with that gap between them can be neighbours.
func near(gap when.Instant) bool { return gap >= 0 && gap <= booking.MaxVisitGap*60_000 }

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
