package store

import (
	"daybook/app/booking"
	"daybook/app/bulk"
	"daybook/store/engine"
)

// What package bulk reads and writes is here.
var (
	_ bulk.Reader = queries{}
	_ bulk.Reader = tx{}
	_ bulk.Tx     = tx{}
)

// BookingsByID implements mail.Reads.
func (q queries) BookingsByID(ids []booking.BookingID) (map[booking.BookingID]*booking.Booking, error) {
	all := make(map[booking.BookingID]*booking.Booking, len(ids))
	err := engine.EachOf(q, `SELECT `+bookingColumns+` FROM bookings WHERE id IN `, ids, func(scan func(...any) error) error {
		b, err := scanBooking(scan)
		all[b.ID] = &b
		return err
	})
	return all, err
}
