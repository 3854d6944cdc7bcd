package dash

// SessionPage is who comes to a session that several share.
type SessionPage struct {
	Frame
	BackURL, BackLabel string
	Sub                string // when, and with whom
	Taken              string // how many seats of how many
	Rows               []ClassRow
}

// ClassRow is a booking of the session.
type ClassRow struct {
	URL, Name, Names   string // who booked, and whom they named
	Seats              int
	Phone, Email       string
	AddOns             string
	Money              string // whether it is paid
	Paid, Missed, Here bool
}

// BookingSessionPath lists who comes to the session of a booking.
func BookingSessionPath(id string) string { return BookingPath(id) + "/session" }
