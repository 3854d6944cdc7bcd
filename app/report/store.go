package report

import (
	"daybook/app/catalog"
	"daybook/app/record"
	"daybook/app/when"
)

// FigureReader adds bookings up.
type FigureReader interface {
	// BookingSums counts the bookings that start in [from, to) by status and currency; host 0 is all hosts.
	BookingSums(ws catalog.WorkspaceID, host catalog.HostID, from, to when.Instant) ([]BookingSum, error)
	// Tally calls add for each booking that starts in [from, to), earliest first; to 0 is no end. The booking is only
	// lent to add.
	Tally(ws catalog.WorkspaceID, from, to when.Instant, add func(*Tallied)) error
	// Revenue hands over what the bookings that start in [from, to) have brought in online; to 0 is no end.
	Revenue(ws catalog.WorkspaceID, from, to when.Instant, add func(*Earned)) error
}

// BookingSum is one row of FigureReader.BookingSums. Currency is "" for what is free.
type BookingSum struct {
	Status   record.Status
	Currency string
	Count    int
	Amount   int64
}
