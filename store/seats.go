package store

import (
	"fmt"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/when"
)

// seatsTakenQuery goes by an index of the few bookings that take several seats.
var seatsTakenQuery = fmt.Sprintf(`SELECT id, seats FROM bookings
	WHERE event_type_id = ? AND start_ms >= ? AND start_ms < ? AND seats > 1 AND %s`, live)

// SeatsTaken implements app.Reader.
func (q queries) SeatsTaken(event catalog.EventTypeID, from, to when.Instant) (map[booking.BookingID]int, error) {
	var seats map[booking.BookingID]int
	err := q.Integers(seatsTakenQuery, [][]int64{{int64(event), int64(from), int64(to)}}, func(_ int, v []int64) {
		if seats == nil {
			seats = map[booking.BookingID]int{}
		}
		seats[booking.BookingID(v[0])] = int(v[1])
	})
	return seats, err
}
