package app_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/webhook"
)

// Events that must be named reach the endpoints that name them, once for each cause, and no other; none is made where
// nobody names it, and none is in the list of events.
func TestRareEvents(t *testing.T) {
	for _, named := range []bool{true, false} {
		w := newWorld(t)
		w.offer("cut", 1, func(e *catalog.EventType) { e.RequiresApproval = true })
		endpoint := func(events ...string) string {
			e, err := w.Webhook.CreateEndpoint(t.Context(), w.Owner, webhook.EndpointInput{URL: "https://93.184.216.34/hook", Events: events})
			w.Must(err)
			return e.ID.String()
		}
		common, rare := endpoint("*"), ""
		if named {
			rare = endpoint("booking.pending", "booking.approved", "booking.declined", "booking.lapsed", "payment.failed", "contact.created", "calendar.failed")
		}
		approved, declined := w.Booked("cut", "1T09", "bo"), w.Booked("cut", "1T12", "bo")
		w.Booked("cut", "2T09", "eva") // lapses
		_, err := w.Confirm(t.Context(), w.Owner, approved.ID.String())
		w.Must(err)
		_, err = w.Decline(t.Context(), w.Owner, declined.ID.String(), "full")
		w.Must(err)
		person, _, err := w.People.CreateContact(t.Context(), w.Owner, booking.ContactInput{Name: "Kim", Email: "kim@mail.example"})
		w.Must(err)
		_, _, err = w.People.CreateContact(t.Context(), w.Owner, booking.ContactInput{Name: "Kim", Email: "kim@mail.example"})
		w.Must(err)
		_, err = w.People.ImportContacts(t.Context(), w.Owner, contact.ImportInput{File: []byte("name,email\nLea,lea@mail.example\nKim,kim@mail.example\n")})
		w.Must(err)
		w.Clock.Advance(49 * time.Hour)
		if n, err := w.Lapse(t.Context(), 10); n != 1 || err != nil {
			t.Fatal(n, err)
		}

		limit := 100
		deliveries, err := w.Webhook.Deliveries(t.Context(), w.Owner, webhook.ListDeliveriesInput{Limit: &limit})
		w.Must(err)
		told := map[catalog.EventKind]int{}
		for _, d := range deliveries.Data {
			told[d.Event]++
			if d.Event.Rare() != (d.EndpointID.String() == rare) || d.EndpointID.String() != rare && d.EndpointID.String() != common {
				t.Errorf("%s was sent to %s", d.Event, d.EndpointID)
			}
			body, err := w.Webhook.EventBody(t.Context(), w.Owner, d.EventID)
			w.Must(err)
			if d.Event == catalog.ContactCreated && (strings.Contains(string(body), "@") || strings.Contains(string(body), "Kim")) {
				t.Errorf("the event of a contact tells who it is: %s", body)
			}
		}
		want := map[catalog.EventKind]int{catalog.BookingCreated: 1}
		if named {
			for kind, n := range map[catalog.EventKind]int{catalog.BookingPending: 3, catalog.BookingApproved: 1, catalog.BookingDeclined: 1, catalog.BookingLapsed: 1, catalog.ContactCreated: 4} {
				want[kind] = n
			}
		}
		if fmt.Sprint(told) != fmt.Sprint(want) {
			t.Errorf("told %v, want %v", told, want)
		}
		var stored int
		events, err := w.Store.EventsAfter(w.Workspace.ID, 0, 100)
		w.Must(err)
		for _, e := range events {
			if stored++; e.Kind.Rare() {
				t.Errorf("%s is listed", e.Kind)
			}
		}
		if stored != 1 || person.ID == 0 {
			t.Errorf("%d events are listed", stored)
		}
	}
}
