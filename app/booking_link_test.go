package app_test

import (
	"net/url"
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/subjects"
)

// A booking keeps its name in calendars when the server moves to another address; later bookings are named after that.
func TestABookingKeepsItsNameInCalendars(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	at := func(host string) *subjects.Set {
		return w.Subjects(func(c *subjects.Config) { c.BaseURL = &url.URL{Scheme: "https", Host: host} })
	}
	before, after := at("old.example:8443"), at("new.example")
	b, err := before.Book(t.Context(), w.API, apptest.Input("cut", "1T09", "ida"))
	w.Must(err)
	w.Must(after.Upkeep.NoteBaseURL(t.Context()))
	next, err := after.Book(t.Context(), w.API, apptest.Input("cut", "1T10", "eva"))
	w.Must(err)
	_, err = after.Reschedule(t.Context(), w.API, b.ID.String(), app.RescheduleInput{Start: apptest.At("1T11")})
	w.Must(err)
	for _, c := range []struct {
		id   booking.BookingID
		host catalog.HostID
		want string
	}{
		{b.ID, 0, b.ID.String() + "@old.example"},
		{b.ID, 1, b.ID.String() + "-" + catalog.HostID(1).String() + "@old.example"},
		{next.ID, 0, next.ID.String() + "@new.example"},
	} {
		stored, err := w.Store.BookingByID(c.id)
		w.Must(err)
		if got := after.CalendarUID(&stored, c.host); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
	if base, err := after.Upkeep.ServedAt(t.Context()); err != nil || base != "https://new.example" {
		t.Errorf("served at %q: %v", base, err)
	}
}
