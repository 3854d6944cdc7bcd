package calsync

import (
	"errors"
	"slices"

	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/when"
)

// own takes the busy spans from events that are bookings of ours, and notes what somebody did to copies there. Of other
// people's events it drops all but when they are busy. gone are those that aren't there any more.
func (s *Service) own(tx Tx, c *Connection, k *Calendar, fresh, gone []Item) error {
	for i := range fresh {
		x := &fresh[i]
		b, err := s.bookingOf(tx, c, x)
		if err != nil {
			return err
		}
		if b == nil {
			x.Start, x.End = 0, 0
			continue
		}
		x.Spans = nil
		if err := s.noteChange(tx, k, b, x); err != nil {
			return err
		}
	}
	for i := range gone {
		if err := noteGone(tx, k, &gone[i]); err != nil {
			return err
		}
	}
	return nil
}

// bookingOf returns the booking of the connection's workspace that an item is of, or nil.
func (s *Service) bookingOf(tx Tx, c *Connection, x *Item) (*booking.Booking, error) {
	id, named := booking.OfUID(x.UID)
	if !named {
		return nil, nil
	}
	b, err := tx.Booking(c.WorkspaceID, id)
	if errors.Is(err, fault.ErrNotFound) {
		return nil, nil
	}
	return &b, err
}

// copyOf returns the copy of a booking that an item of the calendar is, or nil: not of other events with a UID of ours,
// such as an invitation that the host has accepted.
func copyOf(tx Tx, k *Calendar, b booking.BookingID, x *Item) (*Copy, error) {
	all, err := tx.CalendarCopies(k.WorkspaceID, b)
	i := slices.IndexFunc(all, func(p Copy) bool {
		return p.Calendar == k.ID && (p.Key == x.Key || p.Key == "" && p.UID == x.UID)
	})
	if i < 0 || err != nil {
		return nil, err
	}
	return &all[i], nil
}

// noteGone notes that somebody deleted a copy in the calendar. What has ended before the window that was read was not
// asked for.
func noteGone(tx Tx, k *Calendar, x *Item) error {
	b, named := booking.OfUID(x.UID)
	if !named || !k.Target {
		return nil
	}
	p, err := copyOf(tx, k, b, x)
	if err != nil || p == nil || p.Key == "" || p.Remove || p.End <= k.ReadAt.Add(-behind) {
		return err
	}
	p.Wish, p.Key, p.ETag, p.DueAt = WishDeleted, "", "", 0
	return tx.SaveCalendarCopy(p)
}

// noteChange notes that somebody moved a copy in the calendar, or put it back to its time. What it says there at the
// booking's own time is ours: the answer to it was lost.
func (s *Service) noteChange(tx Tx, k *Calendar, b *booking.Booking, x *Item) error {
	p, err := copyOf(tx, k, b.ID, x)
	if err != nil || p == nil || p.Key != "" && p.ETag == x.ETag {
		return err
	}
	start, end := when.Instant(x.Start), when.Instant(x.End)
	moved := x.Start != 0 && (start != p.Start || end != p.End) && (start != b.Start || end != b.End)
	if p.Key == "" { // it was written, but the answer was lost, or somebody has put it back
		moved, p.DueAt = false, when.At(s.Now())
	}
	p.Key, p.ETag, p.Wish, p.WishStart, p.WishEnd = x.Key, x.ETag, "", 0, 0
	if moved && !p.Remove {
		p.Wish, p.WishStart, p.WishEnd, p.DueAt = WishMoved, start, end, 0
	}
	return tx.SaveCalendarCopy(p)
}
