// Package movein imports what a business has in another program: the appointments of a table, what is to come and what was, each as a
// booking of which nobody is told; or a whole Business, with its people, hours, services and customers.
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

// Item is what an import did with a booking: made or moved it.
type Item struct {
	Import    contact.ImportID
	Workspace catalog.WorkspaceID
	Booking   booking.BookingID
	Outcome   contact.Outcome
	Updated   when.Instant // Booking.UpdatedAt as the import left it: with another one it was changed since
	Found     when.Instant // the same as the import found it; 0: the import made it
	Before    Place        // of a moved one
}

// Place is what the other program said of an appointment.
type Place struct {
	Host       catalog.HostID
	EventType  catalog.EventTypeID
	Start, End when.Instant
}

type (
	// Reader is what the Service reads from the store.
	Reader interface {
		app.Reader
		// ImportedBooking returns what is remembered of an appointment. Errors: ErrNotFound.
		ImportedBooking(ws catalog.WorkspaceID, source, foreign string) (Known, error)
		// ImportedParts returns the people and services that imports from the source made or found, also those that are gone.
		ImportedParts(ws catalog.WorkspaceID, source string) (Parts, error)
		undone
	}
	undone interface {
		// OpenImportedBookings lists what an import did with bookings with an id above after that is not undone yet, in the
		// order of their ids.
		OpenImportedBookings(ws catalog.WorkspaceID, im contact.ImportID, after booking.BookingID, limit int) ([]Item, error)
		// OpenImportedServices lists the services that an import made and that are not undone yet.
		OpenImportedServices(ws catalog.WorkspaceID, im contact.ImportID) ([]catalog.EventTypeID, error)
		// OpenImportedHosts lists the people whom an import added to the team and that are not undone yet.
		OpenImportedHosts(ws catalog.WorkspaceID, im contact.ImportID) ([]catalog.HostID, error)
	}
	// Tx is what the Service uses of a transaction.
	Tx interface {
		app.Tx
		ImportedBooking(ws catalog.WorkspaceID, source, foreign string) (Known, error)
		// SaveImportedBooking adds or replaces what is remembered of an appointment.
		SaveImportedBooking(k *Known) error
		// SaveImportedHost and SaveImportedService remember who or what something of another program is here.
		SaveImportedHost(ws catalog.WorkspaceID, source, foreign string, id catalog.HostID) error
		SaveImportedService(ws catalog.WorkspaceID, source, foreign string, id catalog.EventTypeID) error
		undone
		InsertImportedBooking(i *Item) error
		// SettleImportedBooking saves the outcome.
		SettleImportedBooking(i *Item) error
		// MovedBack notes that the booking is what it was before the import again, updated then: what the other program said
		// of it is that, and imports before can be undone.
		MovedBack(i *Item, updated when.Instant) error
		// HangsOn returns why a booking must stay: StaysPaid, StaysWritten, StaysEdited, or 0. Errors: ErrNotFound.
		HangsOn(ws catalog.WorkspaceID, id booking.BookingID) (contact.Outcome, error)
		InsertImportedService(ws catalog.WorkspaceID, im contact.ImportID, made catalog.EventTypeID) error
		SettleImportedService(ws catalog.WorkspaceID, im contact.ImportID, made catalog.EventTypeID, o contact.Outcome) error
		// RemoveUnusedEventType deletes an event type that an import made, unless it was changed since or something refers to
		// it, and says what it did.
		RemoveUnusedEventType(ws catalog.WorkspaceID, id catalog.EventTypeID) (contact.Outcome, error)
		InsertImportedHost(ws catalog.WorkspaceID, im contact.ImportID, made catalog.HostID) error
		SettleImportedHost(ws catalog.WorkspaceID, im contact.ImportID, made catalog.HostID, o contact.Outcome) error
		// RemoveUnusedHost deletes a host whom an import added, unless they were changed since or something refers to them,
		// and says what it did. Event types are the caller's to look at.
		RemoveUnusedHost(ws catalog.WorkspaceID, id catalog.HostID) (contact.Outcome, error)
		LockImport(ws catalog.WorkspaceID, id contact.ImportID) (contact.Import, error)
		SaveImport(im *contact.Import) error
	}
)

// Service holds the rules of the subject.
type Service struct {
	app.Subject[Reader, Tx]
	people *contact.Service
	shop   *shop.Service
	config Config
	jobs   *jobs
}

// New returns the Service over a core. Its imports are undone by people.
func New(core *app.Service, people *contact.Service, shop *shop.Service, c Config) *Service {
	s := &Service{app.Subject[Reader, Tx]{Core: core}, people, shop, c, &jobs{all: map[catalog.WorkspaceID]*job{}}}
	people.SetBeside(contact.Beside{Undo: s.undo, May: May})
	return s
}

// In returns the Service within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service {
	return &Service{app.Subject[Reader, Tx]{Core: s.Core.In(tx)}, s.people.In(tx), s.shop.In(tx), s.config, s.jobs}
}
