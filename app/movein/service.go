// Package movein imports the appointments of another program from a table: what is to come and what was, each as a
// booking of which nobody is told.
package movein

import (
	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/shop"
	"daybook/app/when"
)

// Known is what is remembered of an appointment that was imported: what the other program last said of it.
type Known struct {
	Workspace catalog.WorkspaceID
	Source    string // see booking.ImportedRef
	Foreign   string // its id there; one that is made of what it is where the other program gives none
	Booking   booking.BookingID
	Host      catalog.HostID
	EventType catalog.EventTypeID
	Start     when.Instant
	End       when.Instant
}

type (
	// Reader is what the Service reads from the store.
	Reader interface {
		app.Reader
		// ImportedBooking returns what is remembered of an appointment. Errors: ErrNotFound.
		ImportedBooking(ws catalog.WorkspaceID, source, foreign string) (Known, error)
	}
	// Tx is what the Service uses of a transaction.
	Tx interface {
		app.Tx
		ImportedBooking(ws catalog.WorkspaceID, source, foreign string) (Known, error)
		// SaveImportedBooking adds or replaces what is remembered of an appointment.
		SaveImportedBooking(k *Known) error
	}
)

// Service holds the rules of the subject.
type Service struct {
	app.Subject[Reader, Tx]
	people *contact.Service
	shop   *shop.Service
}

// New returns the Service over a core.
func New(core *app.Service, people *contact.Service, shop *shop.Service) *Service {
	return &Service{app.Subject[Reader, Tx]{Core: core}, people, shop}
}

// In returns the Service within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service {
	return &Service{app.Subject[Reader, Tx]{Core: s.Core.In(tx)}, s.people.In(tx), s.shop.In(tx)}
}
