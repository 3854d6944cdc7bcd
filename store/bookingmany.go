package store

import (
	"daybook/app/record"
	"daybook/store/engine"
)

// BookingsByID implements mail.Reads.
func (q queries) BookingsByID(ids []record.BookingID) (map[record.BookingID]*record.Booking, error) {
	all := make(map[record.BookingID]*record.Booking, len(ids))
	err := engine.EachOf(q, `SELECT `+bookingColumns+` FROM bookings WHERE id IN `, ids, func(scan func(...any) error) error {
		b, err := scanBooking(scan)
		all[b.ID] = &b
		return err
	})
	return all, err
}
