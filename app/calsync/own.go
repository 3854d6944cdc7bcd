package calsync

import (
	"slices"

	"daybook/app/fault"
	"daybook/app/record"
	"daybook/app/when"
)

// own takes the busy spans from events that are bookings of ours, and notes what somebody did to copies there. Of other
// people's events it drops all but when they are busy.
func (s *Service) own(tx Tx, c *Connection, k *Calendar, fresh []Item, gone []string) error {
	for i := range fresh {
		x := &fresh[i]
		b, ours, err := s.bookingOf(tx, c, x)
		if err != nil {
			return err
		}
		if !ours {
			x.Start, x.End = 0, 0
			continue
		}
		x.Spans = nil
		if err := s.noteChange(tx, c, k, b, x); err != nil {
			return err
		}
	}
	if len(gone) == 0 || !k.Target {
		return nil
	}
	for after := record.BookingID(0); ; {
		const step = 500
		copies, err := tx.CalendarCopiesIn(k.ID, after, step)
		if err != nil {
			return err
		}
		for i := range copies {
			p := &copies[i]
			if after = p.Booking; p.Key == "" || p.Remove || p.Wish == WishDeleted || !slices.Contains(gone, p.Key) {
				continue
			}
			p.Wish, p.Key, p.ETag, p.DueAt = WishDeleted, "", "", 0
			if err := tx.SaveCalendarCopy(p); err != nil {
				return err
			}
		}
		if len(copies) < step {
			return nil
		}
	}
}

// bookingOf is the booking of the connection's workspace that an item is of.
func (s *Service) bookingOf(tx Tx, c *Connection, x *Item) (record.BookingID, bool, error) {
	id, named := BookingOf(x.UID)
	if !named {
		return 0, false, nil
	}
	_, err := tx.Booking(c.WorkspaceID, id)
	if err == fault.ErrNotFound {
		return 0, false, nil
	}
	return id, err == nil, err
}

// noteChange notes that somebody moved a copy in the calendar, or put it back to its time.
func (s *Service) noteChange(tx Tx, c *Connection, k *Calendar, b record.BookingID, x *Item) error {
	copies, err := tx.CalendarCopies(c.WorkspaceID, b)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(copies, func(p Copy) bool { return p.Calendar == k.ID && (p.Key == x.Key || p.Key == "") })
	if i < 0 || copies[i].Key != "" && copies[i].ETag == x.ETag {
		return nil
	}
	p := &copies[i]
	if p.Key == "" { // it was written, but the answer was lost, or somebody has put it back
		p.Key, p.ETag, p.Wish, p.DueAt = x.Key, x.ETag, "", when.At(s.Now())
		return tx.SaveCalendarCopy(p)
	}
	p.ETag, p.Wish, p.WishStart, p.WishEnd = x.ETag, "", 0, 0
	if start, end := when.Instant(x.Start), when.Instant(x.End); x.Start != 0 && (start != p.Start || end != p.End) {
		p.Wish, p.WishStart, p.WishEnd = WishMoved, start, end
	}
	return tx.SaveCalendarCopy(p)
}
