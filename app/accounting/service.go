// Package accounting hands what was taken to an accountant: receipts, online payments and the differences of counted cash as
// documents whose postings add up to zero, and these as a booking batch for DATEV (datev.go) or as one plain table
// (table.go). It guesses no account: what the workspace doesn't name is told before anything is written.
package accounting

import (
	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/payment"
	"daybook/app/when"
)

// Reads finds what was taken.
type Reads interface {
	Receipts(ws catalog.WorkspaceID, f counter.ReceiptFilter) ([]counter.Receipt, error)
	AllDayCloses(ws catalog.WorkspaceID, day string, id counter.CloseID, limit int) ([]counter.DayClose, error)
	// OnlineTakings lists what was paid online in [from, to), and what was paid at any time and went back in part or
	// whole, the oldest first.
	OnlineTakings(ws catalog.WorkspaceID, from, to when.Instant) ([]payment.Record, error)
	Booking(ws catalog.WorkspaceID, id booking.BookingID) (booking.Booking, error)
}

// Reader is what the Service reads from the store.
type Reader interface {
	app.Reader
	Reads
}

// Service holds the rules of the subject.
type Service struct {
	app.Subject[Reader, app.Tx]
}

// New returns the Service over a core.
func New(core *app.Service) *Service { return &Service{app.Subject[Reader, app.Tx]{Core: core}} }

// In returns the Service within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service { return New(s.Core.In(tx)) }
