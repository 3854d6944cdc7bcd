package app_test

import (
	"fmt"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/store/enginetest"
)

func TestBookTakesTheSlotAndTellsOfIt(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, func(e *catalog.EventType) {
		e.BufferAfterMinutes, e.Price = 10, &money.Money{Amount: 4500, Currency: "EUR"}
	})
	b := w.Booked("cut", "1T09", "bo")
	if b.Status != booking.Confirmed || b.Host.Name != "ana" || b.End-b.Start != 3600_000 || b.BusyEnd-b.End != 600_000 || b.Price.Amount != 4500 {
		t.Errorf("booked %+v", b)
	}
	got, err := w.Booking(t.Context(), w.API, b.ID.String())
	w.Must(err)
	if got.ManageURL == "" || !reflect.DeepEqual(got, b) {
		t.Errorf("found %+v\nbooked %+v", got, b)
	}
	if kinds := w.EventKinds(); !slices.Equal(kinds, []catalog.EventKind{catalog.BookingCreated}) {
		t.Errorf("events %v", kinds)
	}
	contacts, err := w.People.Contacts(t.Context(), w.API, contact.Filter{Q: "BO@m"}, nil, "")
	w.Must(err)
	if len(contacts.Data) != 1 || contacts.Data[0].Bookings != 1 {
		t.Errorf("contacts %+v", contacts)
	}
}

func TestBookRefusesWithTheFirstReasonThatHolds(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, func(e *catalog.EventType) { e.MaxPerDay = 2 })
	w.offer("off", 1, func(e *catalog.EventType) { e.Active = false })
	w.Booked("cut", "1T09", "bo")
	w.Booked("cut", "1T11", "bo")
	for _, c := range []struct {
		slug, start, reason string
		code                fault.Code
	}{
		{"off", "1T09", "inactive", fault.BadRequest},
		{"cut", "0T06", "in_past", fault.BadRequest},
		{"cut", "0T07:30", "too_soon", fault.BadRequest},
		{"cut", "90T09", "too_far", fault.BadRequest},
		{"cut", "1T03", "outside_hours", fault.BadRequest},
		{"cut", "1T15:30", "outside_hours", fault.BadRequest},
		{"cut", "1T12:30", "off_grid", fault.BadRequest},
		{"cut", "1T12", "day_full", fault.BadRequest},
		{"cut", "1T09", "slot_taken", fault.Conflict},
	} {
		_, err := w.Book(t.Context(), w.API, apptest.Input(c.slug, c.start, "cy"))
		if e := w.Refused(err, c.code, c.reason); e.Field != "start" && c.code == fault.BadRequest {
			t.Errorf("%+v names the field %q", c, e.Field)
		}
	}
	_, err := w.Book(t.Context(), w.API, apptest.Input("none", "1T09", "cy"))
	w.Refused(err, fault.NotFound, "")
	if n := len(w.EventKinds()); n != 2 {
		t.Errorf("%d events", n)
	}
	if page, _ := w.People.Contacts(t.Context(), w.API, contact.Filter{Q: "cy"}, nil, ""); len(page.Data) != 0 {
		t.Error("a refused booking left a contact")
	}
}

func TestTakenOffersTheNextThree(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	w.Booked("cut", "1T14", "bo")
	_, err := w.Book(t.Context(), w.API, apptest.Input("cut", "1T14", "cy"))
	e := w.Refused(err, fault.Conflict, "slot_taken")
	next, _ := e.Details["alternatives"].([]availability.Slot)
	if len(next) != 3 || next[0].Start.String() != "2026-12-01T15:00:00Z" || next[1].Start.String() != "2026-12-02T08:00:00Z" {
		t.Errorf("alternatives %+v", next)
	}
}

func TestARetryCannotBookTwice(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 3, func(e *catalog.EventType) { e.Seats = 5 })
	b := w.Booked("cut", "1T09", "bo")
	in := apptest.Input("cut", "1T09", "bo")
	in.Invitee.Email = " BO@Mail.Example "
	for range 2 {
		_, err := w.Book(t.Context(), w.API, in)
		if e := w.Refused(err, fault.Conflict, "already_booked"); e.Details["bookingId"] != b.ID {
			t.Errorf("details %+v", e.Details)
		}
	}
	w.at("+5 10:00") // even after the start
	_, err := w.Book(t.Context(), w.API, in)
	w.Refused(err, fault.Conflict, "already_booked")
}

// The contest, three times: 64 at once, one slot of one host, by two event types of other lengths. One is booked; one
// event tells.
func TestContest(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	w.offer("long", 1, func(e *catalog.EventType) { e.DurationMinutes, e.BufferBeforeMinutes = 120, 15 })
	for round := 1; round <= 3; round++ {
		var wg sync.WaitGroup
		var booked atomic.Int32
		for i := range 64 {
			wg.Go(func() {
				in := apptest.Input([]string{"cut", "long"}[i%2], fmt.Sprintf("%dT10", round), fmt.Sprint("p", i))
				if _, err := w.Book(t.Context(), w.API, in); err == nil {
					booked.Add(1)
				} else if e := fault.As(err); e == nil || e.Reason != "slot_taken" {
					t.Errorf("refused with %v", err)
				}
			})
		}
		wg.Wait()
		if booked.Load() != 1 || len(w.EventKinds()) != round {
			t.Errorf("round %d: %d booked, %d events", round, booked.Load(), len(w.EventKinds()))
		}
	}
}

// Law 2: a change can't be saved without its event.
func TestNoBookingWithoutItsEvent(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	b := w.Booked("cut", "2T09", "bo")
	enginetest.Break(t, enginetest.Raw(t, w.Store.Engine), "events", "INSERT", "")
	if _, err := w.Book(t.Context(), w.API, apptest.Input("cut", "1T09", "cy")); err == nil || fault.As(err) != nil {
		t.Fatalf("booked without an event: %v", err)
	}
	if _, err := w.Cancel(t.Context(), w.API, b.ID.String(), app.CancelInput{}); err == nil {
		t.Fatal("cancelled without an event")
	}
	page, err := w.Bookings(t.Context(), w.API, booking.ListBookingsInput{})
	w.Must(err)
	if len(page.Data) != 1 || page.Data[0].Status != booking.Confirmed {
		t.Errorf("bookings %+v", page.Data)
	}
	if page, _ := w.People.Contacts(t.Context(), w.API, contact.Filter{Q: "cy"}, nil, ""); len(page.Data) != 0 {
		t.Error("the contact of a booking that failed is there")
	}
}

func TestHostChoice(t *testing.T) {
	w := newWorld(t)
	w.offer("any", 3, nil)
	w.offer("ana", 1, nil)
	w.Booked("ana", "2T09", "x1") // ana has one more that week
	if b := w.Booked("any", "1T09", "a"); b.Host.Name != "bob" {
		t.Errorf("booked %s, not the one with the fewest that week", b.Host.Name)
	}
	if b := w.Booked("any", "1T09", "b"); b.Host.Name != "cyd" {
		t.Errorf("booked %s", b.Host.Name)
	}
	if b := w.Booked("any", "1T10", "c"); b.Host.Name != "ana" {
		t.Errorf("booked %s: of equals the first by id", b.Host.Name)
	}
	in := apptest.Input("any", "1T11", "d")
	in.Host = catalog.HostID(3).String()
	b, err := w.Book(t.Context(), w.API, in)
	w.Must(err)
	if b.Host.Name != "cyd" {
		t.Errorf("booked %s, not the one named", b.Host.Name)
	}
	in = apptest.Input("ana", "1T12", "e")
	in.Host = catalog.HostID(3).String()
	_, err = w.Book(t.Context(), w.API, in)
	if e := w.Refused(err, fault.BadRequest, "invalid"); e.Field != "host" {
		t.Errorf("field %q", e.Field)
	}
}

func TestSeatsFillABegunSessionFirst(t *testing.T) {
	w := newWorld(t)
	w.offer("class", 2, func(e *catalog.EventType) { e.Seats, e.MaxPerDay = 2, 1 })
	hosts := map[string]int{}
	for i := range 4 {
		b := w.Booked("class", "1T09", fmt.Sprint("p", i))
		hosts[b.Host.Name]++
		if i == 0 {
			av, err := w.Availability(t.Context(), w.API, availability.Input{EventType: "class"})
			w.Must(err)
			if first := av.Slots()[0]; first.Start != b.Start && first.SeatsRemaining != 4 {
				t.Errorf("first slot %+v", first)
			}
		}
		if i == 1 && len(hosts) != 1 {
			t.Error("the second seat began another session")
		}
	}
	if hosts["ana"] != 2 || hosts["bob"] != 2 {
		t.Errorf("hosts %v", hosts)
	}
	_, err := w.Book(t.Context(), w.API, apptest.Input("class", "1T09", "p5"))
	w.Refused(err, fault.Conflict, "slot_taken")
}

// A live booking keeps its e-mail from booking the same time again, after its contact got another address or was merged.
func TestDuplicateByTheBookingsOwnEMail(t *testing.T) {
	w := newWorld(t)
	w.offer("group", 1, func(e *catalog.EventType) { e.Seats = 9 })
	owner := app.Actor{Kind: booking.ByOwner, Workspace: w.Workspace.ID, Role: app.OwnerRole}
	edited, merged, into := w.Booked("group", "1T09", "edited"), w.Booked("group", "1T09", "merged"), w.Booked("group", "1T10", "into")
	_, err := w.People.UpdateContact(t.Context(), owner, edited.ContactID.String(), booking.ContactInput{Name: "edited", Email: "new@mail.example"})
	w.Must(err)
	_, err = w.People.MergeContacts(t.Context(), owner, merged.ContactID.String(), into.ContactID.String())
	w.Must(err)
	for person, first := range map[string]booking.Booking{"Edited": edited, "new": edited, "MERGED": merged, "into": merged} {
		_, err := w.Book(t.Context(), w.API, apptest.Input("group", "1T09", person))
		if e := w.Refused(err, fault.Conflict, "already_booked"); e.Details["bookingId"] != first.ID {
			t.Errorf("%s: %v, want %s", person, e.Details, first.ID)
		}
		w.Booked("group", "1T11", person)
	}
	moved := w.Booked("group", "2T09", "edited")
	_, err = w.Reschedule(t.Context(), w.API, moved.ID.String(), app.RescheduleInput{Start: apptest.At("1T09")})
	w.Refused(err, fault.Conflict, "already_booked")
	if _, err := w.Cancel(t.Context(), owner, edited.ID.String(), app.CancelInput{}); err != nil {
		t.Fatal(err)
	}
	w.Booked("group", "1T09", "edited") // only a live booking counts
}
