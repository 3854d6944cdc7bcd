package record

import "daybook/app/catalog"

// ContactReader finds contacts.
type ContactReader interface {
	Contact(ws catalog.WorkspaceID, id ContactID) (Contact, error)
	// ContactOf is the contact with that e-mail, compared without case. Without an e-mail it is the one with that phone:
	// the one who has no e-mail, else the oldest.
	ContactOf(ws catalog.WorkspaceID, r Reach) (Contact, error)
	// ContactsOf lists the contact with that e-mail, or without an e-mail all those with that phone, the oldest first.
	ContactsOf(ws catalog.WorkspaceID, r Reach, limit int) ([]Contact, error)
	// Contacts lists contacts for which each word of q begins a word of the name, e-mail or phone; newest first, after the
	// id after.
	Contacts(ws catalog.WorkspaceID, q string, after ContactID, limit int) ([]Contact, error)
}

// ContactWriter saves contacts.
type ContactWriter interface {
	InsertContact(c *Contact) error // ErrTaken: e-mail, or without one the phone
	UpdateContact(c *Contact) error // ErrTaken: as above
	// LockContact makes every other transaction that locks the contact wait for the end of this one. A change of a contact
	// reads it behind this lock. It is no error when there is none.
	LockContact(id ContactID) error
	// MoveBookings gives at most limit bookings of a contact to another one, and returns how many.
	MoveBookings(from, to ContactID, limit int) (int, error)
	// ForgetContact deletes a contact without bookings.
	ForgetContact(id ContactID) error
}
