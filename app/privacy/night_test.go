package privacy_test

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/app/privacy"
	"daybook/store/enginetest"
)

const erased = "Deleted contact"

// Who has not been there for so long is forgotten; of who comes again, the old bookings are. The others stay.
func TestANightForgetsWhoIsOld(t *testing.T) {
	w := newWorld(t)
	gone, old := w.Booked("cut", "1T09", "Gone"), w.Booked("cut", "1T10", "Regular")
	lapsed := w.Booked("cut", "2T09", "Gone")
	for _, name := range []string{"Never", "Changed"} {
		_, err := w.People.NewContact(t.Context(), w.Owner, booking.ContactInput{Name: name, Email: name + "@mail.example"})
		w.Must(err)
	}
	w.later(13)
	page, err := w.People.Contacts(t.Context(), w.Owner, contact.Filter{Q: "changed"}, nil, "")
	w.Must(err)
	w.Must(w.People.SetContactNotes(t.Context(), w.Owner, page.Data[0].ID.String(), "Likes tea"))
	coming := w.book(t, 3, "Regular")
	soon := w.book(t, 4, "New")

	p, err := w.Privacy.PreviewRule(t.Context(), w.Owner, catalog.RetentionRule{Months: 12})
	w.Must(err)
	if want := (privacy.Preview{Contacts: 2, Bookings: 3, Oldest: gone.Start}); p != want {
		t.Errorf("the preview is %+v, want %+v", p, want)
	}
	w.night() // nobody chose a rule
	if w.name(gone) != "Gone" {
		t.Fatal("forgotten without a rule")
	}
	w.chooses(12, 0)
	w.plan()
	if w.name(gone) != "Gone" {
		t.Fatal("forgotten before the night")
	}
	w.night()
	for _, b := range []booking.Booking{gone, lapsed, old} {
		if got := w.Again(b); got.Invitee.Name != erased || !got.Invitee.Erased() {
			t.Errorf("%s: %+v", b.Invitee.Name, got.Invitee)
		}
	}
	if w.name(coming) != "Regular" || w.name(soon) != "New" {
		t.Error("a booking to come lost its name")
	}
	if got := fmt.Sprint(w.contacts()); got != "[New Changed Regular]" {
		t.Error(got)
	}
	c, err := w.People.ContactByID(t.Context(), w.Owner, w.Again(coming).ContactID.String())
	w.Must(err)
	if c.Bookings != 1 || w.Again(old).ContactID == c.ID {
		t.Errorf("the old booking is still the contact's: %+v", c)
	}
	n, err := w.Privacy.State(t.Context(), w.Owner)
	w.Must(err)
	if want := (privacy.Counts{Contacts: 2, Bookings: 1}); n.State.Last != want || n.State.Began != 0 {
		t.Errorf("%+v", n)
	}
	before := w.everything()
	w.night() // once more changes nothing
	if n, err = w.Privacy.State(t.Context(), w.Owner); err != nil || n.State.Last != (privacy.Counts{}) {
		t.Errorf("%+v, %v", n, err)
	}
	if after := w.everything(); after != before {
		t.Error("a second night changed something")
	}
	w.later(13)
	w.night()
	if got := fmt.Sprint(w.contacts()); got != "[]" {
		t.Errorf("a year later: %s", got)
	}
	w.Must(w.Privacy.ChooseRule(t.Context(), w.Owner, nil))
	if n, err = w.Privacy.State(t.Context(), w.Owner); err != nil || n.Next != 0 {
		t.Errorf("%+v, %v", n, err)
	}
}

// book books on a day from now.
func (w *world) book(t testing.TB, days int, person string) booking.Booking {
	t.Helper()
	day := w.Clock.Now().AddDate(0, 0, days)
	b, err := w.Book(t.Context(), w.API, apptest.Input("cut",
		time.Date(day.Year(), day.Month(), day.Day(), 10, 0, 0, 0, time.UTC).Format(time.RFC3339), person))
	w.Must(err)
	return b
}

// everything is what the tables have of people.
func (w *world) everything() string {
	w.T.Helper()
	var all []string
	for _, table := range []string{"bookings", "contacts", "booking_history", "mails", "erasures"} {
		w.each(table, func(column string, row int, value string) { all = append(all, table, column, value) })
	}
	return strings.Join(all, "\n")
}

// A rule begins anew when it is chosen: what the longer one has passed by is old for the shorter one. A booking that
// wasn't over when a night came by is looked at by the next one.
func TestNightsGoOn(t *testing.T) {
	w := newWorld(t)
	first := w.Booked("cut", "1T09", "Ada")
	w.later(3)
	second := w.book(t, 1, "Bea")
	w.later(1)
	w.chooses(6, 0)
	w.night()
	if w.name(first) != "Ada" {
		t.Fatal("too early")
	}
	w.chooses(4, 0)
	w.night()
	if w.name(first) != erased || w.name(second) != "Bea" {
		t.Fatal("a shorter rule begins anew")
	}
	for range 100 {
		w.night()
	}
	if w.name(second) != erased {
		t.Error("the nights don't go on")
	}
	w.Must(w.Privacy.ChooseRule(t.Context(), w.Owner, &catalog.RetentionRule{Months: 4}))
	n, err := w.Privacy.State(t.Context(), w.Owner)
	w.Must(err)
	if n.State.Ended == 0 {
		t.Error("the same rule began anew")
	}
	for _, r := range []catalog.RetentionRule{{}, {Months: 121}, {Months: 1, TaxYears: 31}, {Months: 1, TaxYears: -1}} {
		w.Refused(w.Privacy.ChooseRule(t.Context(), w.Owner, &r), fault.BadRequest, "invalid")
	}
}

// A person who books while the night forgets them keeps the booking: it belongs to a contact with their name.
func TestBookingAgainWhileForgotten(t *testing.T) {
	w := newWorld(t)
	for i := range 8 {
		w.Booked("cut", fmt.Sprintf("1T%02d", 8+i), fmt.Sprint("person", i))
	}
	w.later(13)
	w.chooses(12, 0)
	w.Clock.Advance(24 * time.Hour)
	var booked [8]booking.Booking
	var all sync.WaitGroup
	for i := range booked {
		all.Go(func() { booked[i] = w.book(t, 2+i, fmt.Sprint("person", i)) })
	}
	all.Go(func() {
		if err := w.Privacy.Due(t.Context(), func(time.Duration) {}); err != nil {
			t.Error(err)
		}
	})
	all.Wait()
	w.sweep()
	for i, b := range booked {
		again := w.Again(b)
		c, err := w.People.ContactByID(t.Context(), w.Owner, again.ContactID.String())
		if err != nil || c.Name != fmt.Sprint("person", i) || again.Invitee.Name != c.Name {
			t.Errorf("the booking to come of %d lost its contact: %+v, %v", i, again.Invitee, err)
		}
	}
}

// When a statement fails amid the night nobody is half erased, and who was not reached is erased once it works again.
func TestANightThatFails(t *testing.T) {
	w := newWorld(t)
	var all []booking.Booking
	for i := range 6 {
		in := apptest.Input("cut", fmt.Sprintf("1T%02d", 8+i), fmt.Sprint("person", i))
		in.Notes = "Has something to say"
		b, err := w.Book(t.Context(), w.API, in)
		w.Must(err)
		all = append(all, b)
	}
	w.later(13)
	for i := range 3 {
		w.book(t, 1+i, fmt.Sprint("person", i)) // three regulars
	}
	w.chooses(12, 0)
	raw := enginetest.Raw(t, w.Store.Engine)
	for _, failing := range []struct {
		table, condition string
		stays            int
	}{
		{"retentions", "OLD.state <> NEW.state", 0},
		{"booking_history", fmt.Sprint("OLD.booking_id = ", int64(all[1].ID)), 1},
		{"contacts", "OLD.name = 'person4' AND NEW.name = ''", 4},
	} {
		enginetest.Break(t, raw, failing.table, "UPDATE", failing.condition)
		w.Clock.Advance(24 * time.Hour)
		if err := w.Privacy.Due(t.Context(), func(time.Duration) {}); err == nil {
			t.Fatalf("%s: no error", failing.table)
		}
		enginetest.Mend(t, raw, failing.table)
		w.sweep()
		for i, was := range all {
			b := w.Again(was)
			if gone := b.Invitee.Name == erased; gone != (b.Notes == "") || gone != (b.Invitee.Erased()) ||
				i < 3 && gone != (b.ContactID != was.ContactID) || i >= failing.stays && gone {
				t.Errorf("%s: person%d is half erased, or too early: %+v", failing.table, i, b)
			}
		}
	}
	w.night()
	for _, b := range all {
		if w.name(b) != erased {
			t.Errorf("%s is still named", b.Invitee.Name)
		}
	}
	if got := fmt.Sprint(w.contacts()); got != "[person2 person1 person0]" {
		t.Error(got)
	}
}

// The years of the tax law count from their end, in the zone of the business.
func TestTaxYears(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 12, 31, 23, 30, 0, 0, time.UTC) // 2027 there
	for country, want := range map[string]int{"DE": 2017, "GB": 2021, "": 2017, "ZZ": 2017} {
		if got := (&catalog.RetentionRule{Months: 1}).TaxedFrom(now, berlin, country); got.Time() != time.Date(want-1, 12, 31, 23, 0, 0, 0, time.UTC) {
			t.Errorf("%s: %s", country, got)
		}
	}
	if got := (&catalog.RetentionRule{Months: 1, TaxYears: 2}).TaxedFrom(now, time.UTC, "DE"); got.Time().Year() != 2024 {
		t.Error(got)
	}
	if !reflect.DeepEqual([]int{catalog.TaxYears("ES"), catalog.TaxYears("XX")}, []int{6, 10}) {
		t.Error("tax years")
	}
}
