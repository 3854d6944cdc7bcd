package app

import (
	"daybook/app/booking"
)

// Mark is what the business says became of a booking on its day.
type Mark string

const (
	ArrivedMark Mark = "arrived"
	DoneMark    Mark = "done"
	NoShowMark  Mark = "no_show"
)

// LastMark returns the mark that Undo takes back, or "" when there is none.
func LastMark(b *booking.Booking) Mark {
	switch {
	case b.Status == booking.NoShow:
		return NoShowMark
	case !b.Status.Stands():
		return ""
	case b.DoneAt != 0:
		return DoneMark
	case b.ArrivedAt != 0:
		return ArrivedMark
	}
	return ""
}
