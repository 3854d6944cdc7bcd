package page_test

import (
	"net/http"
	"net/netip"
	"testing"

	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/page"
	"daybook/app/serve"
	"daybook/app/subjects"
)

// world is a door on a salon, behind the whole server.
type world struct {
	*apptest.Salon
	handler http.Handler
}

func newWorld(t testing.TB, o page.Options) *world {
	t.Helper()
	w := &world{Salon: apptest.New(t, apptest.Options{Empty: true, With: func(c *subjects.Config) { c.BaseURL.Host = "book.example.com" }})}
	w.Apply(salon)
	door := page.New(w.Set, o)
	var err error
	w.handler, err = serve.Handler(serve.Config{Routes: door.Routes, Pages: door.Pages, TrustedProxies: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("127.0.0.0/8")}})
	w.Must(err)
	return w
}

// book makes a booking as the owner would: at is as apptest.At has it.
func (w *world) book(eventType, at, person string) booking.Booking {
	w.T.Helper()
	in := apptest.Input(eventType, at, person)
	in.Invitee.TimeZone = "Europe/Berlin"
	b, err := w.Book(w.T.Context(), w.Owner, in)
	w.Must(err)
	return b
}

// count is how many live bookings there are.
func (w *world) count() int {
	w.T.Helper()
	p, err := w.Bookings(w.T.Context(), w.Owner, booking.ListBookingsInput{Status: "confirmed,pending,rescheduled"})
	w.Must(err)
	return len(p.Data)
}
