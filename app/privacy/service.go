// Package privacy holds the rules of what is kept of people: contacts and bookings that are old lose their names at
// night, and everything about one person is written into a file.
package privacy

import (
	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/when"
	"daybook/app/work"
)

type (
	// Reader is what the Service reads from the store.
	Reader interface {
		app.Reader
		Reads
	}
	// Tx is what the Service uses of a transaction.
	Tx interface {
		app.Tx
		Reads
		Writes
	}
)

// Reads find what is old. Each looks at so many rows of a workspace behind a position, the oldest first.
type Reads interface {
	booking.ContactCounter
	// Retention returns how far the nights of a workspace came; ErrNotFound where nobody chose a rule.
	Retention(ws catalog.WorkspaceID) (Retention, error)
	// RetentionsDue returns those of workspaces in those buckets that go on at or before now.
	RetentionsDue(of work.Buckets, now when.Instant, limit int) ([]Retention, error)
	// OldBookings are bookings that start before that time.
	OldBookings(ws catalog.WorkspaceID, from Position, before when.Instant, limit int) ([]OldBooking, error)
	// OldContacts are contacts that were last changed before that time.
	OldContacts(ws catalog.WorkspaceID, from Position, before when.Instant, limit int) ([]OldContact, error)
	// OldPayments are online payments that were made before that time. Their positions have no time.
	OldPayments(ws catalog.WorkspaceID, from Position, before when.Instant, limit int) ([]OldPayment, error)
	// MoneyOf says of those bookings which have had money paid.
	MoneyOf(ws catalog.WorkspaceID, ids []booking.BookingID) ([]Money, error)
}

// Writes erase.
type Writes interface {
	SaveRetention(r *Retention) error
	ForgetRetention(ws catalog.WorkspaceID) error
	// Nobody returns the contact that anonymised bookings of a workspace belong to, whose own contact stays. It is made
	// with that id if there is none yet.
	Nobody(ws catalog.WorkspaceID, id booking.ContactID, now when.Instant) (booking.ContactID, error)
	// AnonymiseBooking takes the person out of a booking and all that refers to it, as Anonymise does with a contact's,
	// and gives it to that contact. It must come behind the lock of the booking's host.
	AnonymiseBooking(ws catalog.WorkspaceID, id booking.BookingID, to booking.ContactID) error
	// ForgetPayments forgets what finds the payments of a booking at the payment provider, unless any are under way.
	ForgetPayments(ws catalog.WorkspaceID, id booking.BookingID) error
}

// Retention is a workspace whose customers are forgotten.
type Retention struct {
	Workspace catalog.WorkspaceID
	Next      when.Instant // when it goes on; 0 is the next night
	State     State
}

// State is how far the nights came.
type State struct {
	Began    when.Instant `json:"began,omitzero"` // the night that is under way; 0 is none
	Walk     int          `json:"walk,omitzero"`  // what it is at
	Whole    when.Instant `json:"whole,omitzero"` // the last night that began at the very first row
	Bookings Position     `json:"bookings,omitzero"`
	Contacts Position     `json:"contacts,omitzero"`
	Payments Position     `json:"payments,omitzero"`
	Now      Counts       `json:"now,omitzero"`   // of the night that is under way
	Ended    when.Instant `json:"ended,omitzero"` // the last night that came to its end
	Last     Counts       `json:"last,omitzero"`  // of that one
}

// Position is a place in a list that is sorted by time and id: behind the row that has both.
type Position struct {
	At when.Instant `json:"at,omitzero"`
	ID int64        `json:"id,omitzero"`
}

// Counts are what a night has anonymised.
type Counts struct {
	Contacts int `json:"contacts,omitzero"`
	Bookings int `json:"bookings,omitzero"` // of contacts that stay
}

// OldBooking is a booking that may be old.
type OldBooking struct {
	ID         booking.BookingID
	Start, End when.Instant
	Host       catalog.HostID
	Contact    booking.ContactID
	Erased     bool // it names nobody any more, or its contact was deleted
	Recent     bool // its contact has a booking that is not old
}

// OldContact is a contact that may be old.
type OldContact struct {
	ID     booking.ContactID
	At     when.Instant // its last change
	Erased bool
	Booked bool // it has bookings, by which its age is counted
}

// OldPayment is a payment that may be older than the tax law wants.
type OldPayment struct {
	ID      int64
	Booking booking.BookingID
	End     when.Instant // of the booking
}

// Money is a booking for which something was paid.
type Money struct {
	Booking booking.BookingID
	Open    bool // a payment or a refund is under way
}

// Service holds the rules of the subject.
type Service struct {
	app.Subject[Reader, Tx]
	parts []Part
}

// New returns the Service over a core. The parts are what other subjects add to a person's file.
func New(core *app.Service, parts ...Part) *Service {
	return &Service{app.Subject[Reader, Tx]{Core: core}, parts}
}

// In returns the Service within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service { return New(s.Core.In(tx), s.parts...) }
