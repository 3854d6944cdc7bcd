package app

import (
	"daybook/app/when"
)

// DashReader is what only the dashboard asks.
type DashReader interface {
	// BookingSums counts the bookings that start in [from, to) by status and currency; host 0 is all hosts.
	BookingSums(ws WorkspaceID, host HostID, from, to when.Instant) ([]BookingSum, error)
	// EventBodies are what was told of a booking, the oldest first, at most limit.
	EventByID(id EventID) (Event, error)
	// HasGone says whether SweepErasure or SweepWorkspace have anything to do.
	HasGone() (bool, error)
}

// BookingSum is one row of DashReader.BookingSums. Currency is "" for what is free.
type BookingSum struct {
	Status   Status
	Currency string
	Count    int
	Amount   int64
}

// DashWriter is what only the dashboard changes.
type DashWriter interface {
	UpdateContact(c *Contact) error // ErrTaken: e-mail
	// MoveBookings gives at most limit bookings of a contact to another one, and says how many.
	MoveBookings(from, to ContactID, limit int) (int, error)
	// ForgetContact deletes a contact without bookings.
	ForgetContact(id ContactID) error
	// Anonymise empties the contact. What names it elsewhere goes with SweepErasure; its bookings stay as figures.
	Anonymise(c *Contact) error
	// SweepErasure takes a contact that was anonymised out of at most limit rows, and says whether there was one.
	SweepErasure(limit int) (more bool, err error)
	// MarkWorkspaceGone makes a workspace not found from now on, by its slug, its keys, its users or its links, and
	// its slug and its users' e-mails free. Its rows go with SweepWorkspace.
	MarkWorkspaceGone(id WorkspaceID, now when.Instant) error
	// SweepWorkspace deletes about limit rows of a workspace that is gone, and says whether there was one.
	SweepWorkspace(limit int) (more bool, err error)
}
