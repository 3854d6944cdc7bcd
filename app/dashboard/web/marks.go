package web

import (
	"net/url"
	"strings"

	"daybook/app"
	"daybook/app/record"
	"daybook/app/visit"
	"daybook/app/when"
	"daybook/views/dash"
)

// Marks is what a member can mark on a booking now: where each mark is made, "" for what can't be.
type Marks struct {
	ArrivedURL, DoneURL, NoShowURL string
	DoneFirst                      bool   // that it is done is what to mark next
	Undo                           string // the mark that can be taken back, or ""
}

// Marks are what the member can mark on the booking now. An arrival is not asked for any more after the end.
func (c *Call) Marks(b *record.Booking) (m Marks) {
	if !c.May(app.MayMarkVisit) {
		return m
	}
	m.Undo = string(visit.Last(b))
	if !b.Status.Stands() || b.DoneAt != 0 {
		return m
	}
	id, now := b.ID.String(), when.At(c.Rooms.Now())
	if b.ArrivedAt == 0 && b.DayBegins(c.Zone()) <= now && now < b.End {
		m.ArrivedURL = dash.BookingArrivedPath(id)
	}
	m.DoneFirst = b.ArrivedAt != 0 || b.End <= now
	if b.Start <= now || b.ArrivedAt != 0 {
		m.DoneURL = dash.BookingDonePath(id)
	}
	if b.Start <= now && b.ArrivedAt == 0 {
		m.NoShowURL = dash.BookingNoShowPath(id)
	}
	return m
}

// Dialled is a telephone number as a link has it.
func Dialled(phone string) string {
	return strings.Map(func(r rune) rune {
		if r == '+' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, phone)
}

// NewBookingURL is the form for a new booking with a host, or with any for ""; it is "" while nothing can be booked.
func (c *Call) NewBookingURL(host string) string {
	if len(c.Setup.EventTypes) == 0 || len(c.Setup.Hosts) == 0 {
		return ""
	}
	return WithQuery(dash.NewBookingPath, url.Values{"host": {host}})
}
