package dashboard

import (
	"testing"

	"daybook/app/availability"
	"daybook/app/booking"
)

// A member of staff who asks for a colleague's time is refused, in the form and when it is sent: nothing is booked with
// themselves instead.
func TestStaffWhoBookWithAColleague(t *testing.T) {
	w := newWorld(t)
	e := w.setup().EventType("haircut")
	if len(e.Hosts) < 2 {
		t.Fatalf("haircut has %d hosts", len(e.Hosts))
	}
	own, other := e.Hosts[0].ID, e.Hosts[1].ID
	free, err := w.Availability(t.Context(), w.Owner, availability.Input{EventType: "haircut", Host: own.String()})
	w.Must(err)
	start := free.Slots()[0].Start.String()
	staff := w.staff(own)
	const page = "/dashboard/bookings/new"
	before, err := w.Bookings(t.Context(), w.Owner, booking.ListBookingsInput{Invitee: "pat@x.example"})
	w.Must(err)
	staff.wants(staff.get(page+"?type=haircut&host="+other.String()), 403, "your own calendar only")
	staff.wants(staff.post(page, "type", "haircut", "host", other.String(), "start", start, "name", "Pat", "email", "pat@x.example"), 403, "your own calendar only")
	after, err := w.Bookings(t.Context(), w.Owner, booking.ListBookingsInput{Invitee: "pat@x.example"})
	w.Must(err)
	if len(after.Data) != len(before.Data) {
		t.Errorf("it was booked: %+v", after.Data)
	}
	staff.wants(staff.post(page, "type", "haircut", "host", own.String(), "start", start, "name", "Pat", "email", "pat@x.example"), 303)
}
