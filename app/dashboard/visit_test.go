package dashboard

import (
	"testing"

	"daybook/app/booking"
	"daybook/views/dash"
)

// The page of a booking of a visit leads to the others, as long as they stand and the member may see them.
func TestBookingShowsItsVisit(t *testing.T) {
	w := newWorld(t)
	v, err := w.BookVisit(t.Context(), w.API, booking.VisitInput{Items: []booking.VisitItem{{EventType: "haircut"}, {EventType: "haircut"}},
		Start: "2026-12-01T09:00:00Z", Invitee: booking.Invitee{Name: "Mia", Email: "mia@mail.example"}})
	w.Must(err)
	first, second := dash.BookingPath(v.Items[0].ID.String()), dash.BookingPath(v.Items[1].ID.String())
	b := w.asOwner()
	b.wants(b.get(first), 200, "Same visit", second, v.Items[1].Host.Name)
	b.wants(b.get(second), 200, "Same visit", first)
	_, err = w.Cancel(t.Context(), w.API, v.Items[1].ID.String(), booking.CancelInput{})
	w.Must(err)
	b.wants(b.get(first), 200, "!Same visit")
}
