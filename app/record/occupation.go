package record

import (
	"daybook/app/catalog"
	"daybook/app/slot"
)

// Occupation is a live booking, a hold or a busy time as the slot engine needs it.
type Occupation struct {
	slot.Booking
	ID        BookingID // 0 for what is no booking
	EventType catalog.EventTypeID
}
