package app

// DashReader is what only the dashboard asks.
type DashReader interface {
	// BookingSums counts the bookings that start in [from, to) by status and currency; host 0 is all hosts.
	BookingSums(ws WorkspaceID, host HostID, from, to Instant) ([]BookingSum, error)
	// EventBodies are what was told of a booking, the oldest first, at most limit.
	EventByID(id EventID) (Event, error)
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
	// MoveBookings gives all bookings of a contact to another one, and forgets the first.
	MoveBookings(from, to ContactID) error
	// Anonymise takes everything that names the contact out of the database; the bookings stay as figures.
	Anonymise(c *Contact) error
	// DeleteWorkspace removes a workspace and everything in it.
	DeleteWorkspace(id WorkspaceID) error
}
