package record

import (
	"daybook/app/catalog"
	"daybook/app/slot"
)

// Occupation is a live booking as the slot engine needs it.
type Occupation struct {
	slot.Booking
	ID        BookingID
	EventType catalog.EventTypeID
}
