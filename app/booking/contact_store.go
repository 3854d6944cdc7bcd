package booking

import (
	"daybook/app/catalog"
	"daybook/app/when"
)

// ContactReader finds contacts.
type ContactReader interface {
	Contact(ws catalog.WorkspaceID, id ContactID) (Contact, error)
	// ContactOf returns the contact with that e-mail, compared without case. Without an e-mail it is the one with that
	// phone: preferably one without an e-mail, else the oldest. Errors: ErrNotFound.
	ContactOf(ws catalog.WorkspaceID, r Identity) (Contact, error)
	// ContactsOf lists the contact with that e-mail, or, if r has none, all contacts with that phone, the oldest first.
	ContactsOf(ws catalog.WorkspaceID, r Identity, limit int) ([]Contact, error)
	// Contacts lists contacts for whom each word of q finds one of their terms; newest first, beginning after the id after.
	Contacts(ws catalog.WorkspaceID, q string, after ContactID, limit int) ([]Contact, error)
}

// ContactCounter counts the bookings of contacts.
type ContactCounter interface {
	// CountBookingsOf fills in the counts and times of past and upcoming bookings of contacts, as of now. Up to a
	// hundred contacts take one query.
	CountBookingsOf(of []Contact, now when.Instant) error
}

// CardReader reads what only those see who may see the cards of contacts.
type CardReader interface {
	// ReadCards fills in the tags, the birthday, the way to tell, whether they want texts, and the workspace's own fields of
	// contacts of a workspace. Up to 64 contacts take one query. Contacts come without these from every other read.
	ReadCards(ws catalog.WorkspaceID, of []Contact) error
}

// FieldReader reads the fields that a workspace keeps of its contacts besides the usual ones. What is kept of a field that
// was removed is nowhere to be read.
type FieldReader interface {
	// FieldValues counts the values of the field, those of contacts and those that were written with bookings.
	FieldValues(ws catalog.WorkspaceID, field catalog.ContactFieldID) (int, error)
	// ReadWritten fills in what the invitees of bookings of a workspace wrote in these fields. Up to 64 bookings take one
	// query. Bookings come without it from every other read.
	ReadWritten(ws catalog.WorkspaceID, of []Booking) error
}

// FieldWriter saves them.
type FieldWriter interface {
	// SetField saves the value that a contact has; "" removes it.
	SetField(ws catalog.WorkspaceID, c ContactID, field catalog.ContactFieldID, key, value string) error
	// WriteField saves what the invitee of a new booking wrote.
	WriteField(ws catalog.WorkspaceID, b BookingID, field catalog.ContactFieldID, key, value string) error
	// RemoveField hides all values of a field from now on. They are deleted in steps.
	RemoveField(ws catalog.WorkspaceID, field catalog.ContactFieldID, now when.Instant) error
}

// ContactWriter saves contacts.
type ContactWriter interface {
	InsertContact(c *Contact) error // ErrTaken: e-mail, or without one the phone
	// UpdateContact saves a contact. With another e-mail address or telephone number than before, the links to the
	// contact's own page and the devices on which it is open end. ErrTaken: as above.
	UpdateContact(c *Contact) error
	// LockContact makes every other transaction that locks the contact wait for the end of this one. A change of a
	// contact reads it behind this lock. It is no error if there is no such contact.
	LockContact(id ContactID) error
	// MoveBookings gives at most limit bookings of a contact to another one, and returns how many.
	MoveBookings(from, to ContactID, limit int) (int, error)
	// ForgetContact deletes a contact without bookings.
	ForgetContact(id ContactID) error
}

// DeletionWriter deletes contacts and workspaces. Large ones are deleted in steps.
type DeletionWriter interface {
	// Anonymise empties the contact. SweepErasure removes it from other rows; its bookings stay, for the figures.
	Anonymise(c *Contact) error
	// SweepErasure removes an anonymised contact from at most limit rows, and reports whether there was one to remove.
	SweepErasure(limit int) (more bool, err error)
	// MarkWorkspaceGone hides a workspace: its slug, keys, users and links no longer find it, and its slug and its
	// users' e-mails are free again. SweepWorkspace deletes its rows.
	MarkWorkspaceGone(id catalog.WorkspaceID, now when.Instant) error
	// SweepWorkspace deletes about limit rows of a deleted workspace, and reports whether there was one.
	SweepWorkspace(limit int) (more bool, err error)
}
