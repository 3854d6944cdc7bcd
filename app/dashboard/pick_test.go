package dashboard

import (
	"html"
	"net/url"
	"regexp"
	"testing"

	"daybook/app/apptest"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/views/dash"
)

// A time that is taken while the form is filled in leaves what was typed, in the times offered next too, and in no
// address.
func TestTypedTextOutlivesATakenTime(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	host, days := w.setup().EventType("haircut").Hosts[0].ID.String(), 30
	free, err := w.Availability(t.Context(), w.Owner, availability.Input{EventType: "haircut", Host: host, Days: &days})
	w.Must(err)
	at := free.Slots()[0].Start.String()
	in := apptest.Input("haircut", at, "eve")
	in.Host = host
	_, err = w.Book(t.Context(), w.Owner, in)
	w.Must(err)
	typed := []string{"type", "haircut", "host", host, "name", "Pat", "phone", "030 77788899", "notes", "Allergic & shy"}
	button := regexp.MustCompile(`name="time" value="([^"]*start=2[^"]*)"`)
	next := func(page response) string {
		t.Helper()
		b.wants(page, 409, `name="notes" value="Allergic &amp; shy"`, "!notes=")
		found := button.FindStringSubmatch(page.body)
		if found == nil {
			t.Fatalf("no time is offered: %s", page.body)
		}
		return html.UnescapeString(found[1])
	}
	query := next(b.post("/dashboard/bookings/new", append(typed, "start", at)...))
	again := b.post("/dashboard/bookings/new", append(typed, "start", at, "time", query)...)
	b.wants(again, 200, "Allergic &amp; shy</textarea>", "!"+`class="slot"`, `value="Pat"`)
	picked, err := url.ParseQuery(query)
	w.Must(err)
	b.wants(b.post("/dashboard/bookings/new", append(typed, "start", picked.Get("start"))...), 303)

	// So does the reason of a move.
	page, err := w.Bookings(t.Context(), w.Owner, booking.ListBookingsInput{Invitee: "030 77788899"})
	w.Must(err)
	move := dash.BookingMovePath(page.Data[0].ID.String())
	moved := b.post(move, "host", host, "start", at, "reason", "A flat tyre")
	b.wants(moved, 409, `name="reason" value="A flat tyre"`)
	query = html.UnescapeString(button.FindStringSubmatch(moved.body)[1])
	b.wants(b.post(move, "host", host, "start", at, "reason", "A flat tyre", "time", query), 200, "A flat tyre</textarea>")
}
