package report

import (
	"daybook/app/catalog"
	"daybook/app/record"
	"daybook/app/when"
)

// FigureReader reads the sums of bookings.
type FigureReader interface {
	// BookingSums counts the bookings that start in [from, to) by status and currency; host 0 is all hosts.
	BookingSums(ws catalog.WorkspaceID, host catalog.HostID, from, to when.Instant) ([]BookingSum, error)
	// Tally calls add for each booking that starts in [from, to), the earliest first; to 0 means no end. add must not keep
	// the booking.
	Tally(ws catalog.WorkspaceID, from, to when.Instant, add func(*Tallied)) error
	// Revenue calls add with what each booking that starts in [from, to) has brought in, online and at the counter; to 0
	// means no end.
	Revenue(ws catalog.WorkspaceID, from, to when.Instant, add func(*Earned)) error
}

// BookingSum is one row of FigureReader.BookingSums. Currency is "" for free bookings.
type BookingSum struct {
	Status   record.Status
	Currency string
	Count    int
	Amount   int64
}
