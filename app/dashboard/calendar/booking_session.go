package calendar

import (
	"net/http"
	"strings"
	"time"

	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/views/dash"
)

// session lists who comes to the session of a booking: those who booked it, and the names that they gave.
func (c call) session() error {
	b, err := c.Subjects.Booking(c.Context(), c.Actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	e := c.Setup.EventTypeByID(b.EventTypeID)
	if e == nil {
		return fault.Missing("event type", b.EventType)
	}
	found, _, err := c.Subjects.Calendar(c.Context(), c.Actor, b.Host.ID.String(), b.Start.Time(),
		b.Start.Time().Add(time.Second), false)
	if err != nil {
		return err
	}
	v := dash.SessionPage{Frame: c.Frame(e.Title, "bookings"), BackURL: dash.BookingPath(b.ID.String()),
		BackLabel: c.Invitee(&b),
		Sub:       c.Locale.Date(c.At(b.Start)) + ", " + c.Span(b.Start, b.End) + " · " + b.Host.Name}
	taken := 0
	for i := range found {
		one := &found[i]
		if one.EventTypeID != b.EventTypeID || one.Start != b.Start {
			continue
		}
		if one.Status.Live() {
			taken += one.Seats
		}
		v.Rows = append(v.Rows, c.classRow(one))
	}
	v.Taken = c.T("calendar_seats", "Taken", taken, "Seats", e.Seats)
	return c.Show(http.StatusOK, dash.Session(v))
}

func (c call) classRow(b *booking.Booking) dash.ClassRow {
	row := dash.ClassRow{URL: dash.BookingPath(b.ID.String()), Name: c.Invitee(b), Seats: b.Seats,
		Names: strings.Join(b.Participants, ", "), Phone: c.Phone(b.Invitee.Phone), Email: b.Invitee.Email,
		Missed: b.Status == booking.NoShow, Here: b.ArrivedAt != 0 || b.DoneAt != 0}
	if strings.HasSuffix(b.Invitee.Email, "@invalid") {
		row.Email = ""
	}
	var more []string
	for _, a := range b.AddOns {
		more = append(more, a.Title)
	}
	row.AddOns = strings.Join(more, ", ")
	switch {
	case b.Status == booking.Pending:
		row.Money = c.T("choice_session_pending")
	case b.Price == nil:
		row.Money = c.T("choice_session_free")
	case b.Due != nil && b.Due.Amount > 0:
		row.Money = c.T("choice_session_due", "Amount", c.Money(b.Due))
	default:
		row.Money, row.Paid = c.T("choice_session_paid"), true
	}
	return row
}
