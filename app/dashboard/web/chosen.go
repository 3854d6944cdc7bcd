package web

import (
	"strconv"
	"strings"

	"daybook/app/booking"
	"daybook/views/dash"
)

// chosenFacts adds what was chosen with a booking, and leads to the others of its session.
func (c *Call) chosenFacts(b *booking.Booking, add func(name, value, url string)) {
	var extras []string
	for _, a := range b.AddOns {
		extras = append(extras, a.Title)
	}
	add(c.T("choice_addons"), strings.Join(extras, ", "), "")
	if e := c.Setup.EventTypeByID(b.EventTypeID); b.Seats > 1 || e != nil && e.Seats > 1 {
		add(c.T("choice_seats"), strconv.Itoa(b.Seats), "")
		add(c.T("choice_person"), strings.Join(b.Participants, ", "), "")
		add(c.T("choice_session"), c.T("choice_session_all"), dash.BookingSessionPath(b.ID.String()))
	}
}
