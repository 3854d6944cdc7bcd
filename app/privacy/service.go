// Package privacy holds the rules about personal data: old contacts and bookings lose their names at night, and
// everything about one person can be written into a file.
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

// Reads finds old rows. Each method looks at so many rows of a workspace after a position, the oldest first.
type Reads interface {
	booking.ContactCounter
	booking.CardReader
	booking.FieldReader
	// Retention returns how far the nights of a workspace have come. Errors: ErrNotFound, if no rule was chosen.
	Retention(ws catalog.WorkspaceID) (Retention, error)
	// RetentionsDue returns the retentions, of workspaces in those buckets, that continue at or before now.
	RetentionsDue(of work.Buckets, now when.Instant, limit int) ([]Retention, error)
	// OldBookings lists bookings that start before that time.
	OldBookings(ws catalog.WorkspaceID, from Position, before when.Instant, limit int) ([]OldBooking, error)
	// ContactWaits reports whether the contact, or who has its address or number, stands on the waitlist.
	ContactWaits(c *booking.Contact, now when.Instant) (bool, error)
	// OldContacts lists contacts that were last changed before that time.
	OldContacts(ws catalog.WorkspaceID, from Position, before when.Instant, limit int) ([]OldContact, error)
	// OldPayments lists online payments that were made before that time. Their positions have no time.
	OldPayments(ws catalog.WorkspaceID, from Position, before when.Instant, limit int) ([]OldPayment, error)
	// MoneyOf returns which of those bookings have had money paid.
	MoneyOf(ws catalog.WorkspaceID, ids []booking.BookingID) ([]Money, error)
}

// Writes erases personal data.
type Writes interface {
	SaveRetention(r *Retention) error
	ForgetRetention(ws catalog.WorkspaceID) error
	// Nobody returns the contact to which a workspace's anonymised bookings belong if their own contact stays. It is
	// made with that id if there is none yet.
	Nobody(ws catalog.WorkspaceID, id booking.ContactID, now when.Instant) (booking.ContactID, error)
	// AnonymiseBooking removes the person from a booking and everything that refers to it, as Anonymise does for all of
	// a contact's, and moves it to that contact. The booking's host must have been locked.
	AnonymiseBooking(ws catalog.WorkspaceID, id booking.BookingID, to booking.ContactID) error
	// ForgetPayments deletes the ids that find the payments of a booking at the payment provider, unless a payment is
	// under way.
	ForgetPayments(ws catalog.WorkspaceID, id booking.BookingID) error
}

// Retention is a workspace with a retention rule.
type Retention struct {
	Workspace catalog.WorkspaceID
	Next      when.Instant // when it goes on; 0 is the next night
	State     State
}

// State says how far the nights have come.
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

// Position is a place in a list that is sorted by time and id: after the row that has both.
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
	Contact    booking.ContactID // 0 of somebody who walked in
	Erased     bool              // it names nobody any more, or its contact was deleted
	Recent     bool              // its contact has a booking that is not old, or it has none
}

// OldContact is a contact that may be old.
type OldContact struct {
	ID     booking.ContactID
	At     when.Instant // its last change
	Erased bool
	Booked bool // it has bookings, by which its age is counted
}

// OldPayment is a payment that may be older than tax law requires it to be kept.
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
