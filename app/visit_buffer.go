package app

import (
	"slices"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/slot"
	"daybook/app/when"
)

// goOn takes the buffers between a booking of a visit and the next one from whoever, and whatever, goes on.
func (c *Change) goOn(b, next *booking.Booking) error {
	before := c.neighbour(b)
	if before == nil || !before.GoOn(&booking.Neighbour{Taken: &next.Taken, Host: next.Host.ID}) {
		return nil
	}
	return c.SaveBooking(b, false, nil)
}

// goOnBeside takes the buffers between the booking and its neighbours, of which either may be nil, from what goes on.
func (c *Change) goOnBeside(before, after *booking.Booking) error {
	if before != nil {
		if err := c.goOn(before, c.Booking); err != nil {
			return err
		}
	}
	if after == nil {
		return nil
	}
	next := c.neighbour(after)
	if next == nil || !next.ComeFrom(&booking.Neighbour{Taken: &c.Booking.Taken, Host: c.Booking.Host.ID}) {
		return nil
	}
	return c.SaveBooking(after, false, nil)
}

// neighbour returns the booking as what is before or behind another one of its visit; of a session, which has one time
// for all its seats, nil.
func (c *Change) neighbour(b *booking.Booking) *booking.Neighbour {
	return c.neighbourOf(b.EventTypeID, &b.Taken, b.Host.ID)
}

func (c *Change) neighbourOf(service catalog.EventTypeID, t *booking.Taken, host catalog.HostID) *booking.Neighbour {
	if e := c.Setup.EventTypeByID(service); e == nil || e.Seats > 1 {
		return nil
	}
	return &booking.Neighbour{Taken: t, Host: host}
}

// giveBuffersBack gives what stays of a visit, one of whose bookings was cancelled, moved alone or given others, the
// buffers that its people and resources have none of because they went on with that booking: at the side that faced it,
// where the time is free. Sessions have one time for all their seats, and keep it.
func (c *Change) giveBuffersBack() error {
	b, was := c.Booking, &c.found
	stays := b.Status.Live() && b.Start == was.Start
	if b.Visit == nil || c.withVisit || c.insert || !was.Status.Live() ||
		stays && b.End == was.End && b.Host.ID == was.Host.ID && slices.Equal(b.Subjects(0), was.Subjects(0)) {
		return nil
	}
	left, _, err := c.Siblings()
	if err != nil {
		return err
	}
	left = slices.DeleteFunc(left, func(o booking.Booking) bool {
		return !o.Status.Live() || c.EndsToo(o.ID) || !lockOf(&o).Without(c.held).None()
	})
	for i := range left {
		o := &left[i]
		e := c.Setup.EventTypeByID(o.EventTypeID)
		if e == nil || e.Seats > 1 || o.End <= when.At(c.Now) {
			continue
		}
		// gone reports whether the subject went on with that booking, and not with the one that is beside it now.
		gone := func(of catalog.Subject, gap func(other *booking.Booking) when.Instant) bool {
			goes := func(other *booking.Booking) bool {
				n := booking.Neighbour{Taken: &other.Taken, Host: other.Host.ID}
				return near(gap(other)) && n.Has(of, o.Host.ID)
			}
			var beside *booking.Booking
			for k := range left {
				if g := gap(&left[k]); k != i && g >= 0 && (beside == nil || g < gap(beside)) {
					beside = &left[k]
				}
			}
			if g := gap(b); stays && g >= 0 && (beside == nil || g < gap(beside)) {
				beside = b
			}
			return goes(was) && (beside == nil || !goes(beside))
		}
		rules := e.Rules()
		for _, of := range o.Subjects(0) {
			var before, after time.Duration
			from, to := o.Around(of)
			if from == o.Start && gone(of, func(other *booking.Booking) when.Instant { return o.Start - other.End }) {
				before = rules.BufferBefore
			}
			if to == o.End && gone(of, func(other *booking.Booking) when.Instant { return other.Start - o.End }) {
				after = rules.BufferAfter
			}
			for _, by := range [][2]time.Duration{{before, 0}, {0, after}} {
				if err := c.widen(o, of, by[0], by[1]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// near reports whether two bookings of a visit with that gap between them can be neighbours.
func near(gap when.Instant) bool { return gap >= 0 && gap <= booking.MaxVisitGap*60_000 }

// widen makes a booking that is as it was before keep a buffer before or after it for the subject, if that time is free
// and the buffers weren't waived when it was made.
func (c *Change) widen(b *booking.Booking, subject catalog.Subject, before, after time.Duration) error {
	if before == 0 && after == 0 {
		return nil
	}
	history, err := c.History(b.WorkspaceID, b.ID)
	if err != nil || slices.Contains(booking.Waived(history), string(slot.Buffer)) {
		return err
	}
	wider := *b
	wider.SetAround(func(of catalog.Subject, from, to when.Instant) (when.Instant, when.Instant) {
		if of != subject {
			return from, to
		}
		return from.Add(-before), to.Add(after)
	})
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
