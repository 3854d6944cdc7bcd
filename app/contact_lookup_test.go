package app_test

import (
	"fmt"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/fault"
)

// Contacts are found while somebody types: by words of the name, the e-mail address, and the number however it is
// written; never more than a few, and none of another workspace.
func TestLookup(t *testing.T) {
	w := newWorld(t)
	add := func(name, email, phone string) {
		t.Helper()
		_, created, err := w.People.CreateContact(t.Context(), w.Owner, booking.ContactInput{Name: name, Email: email, Phone: phone})
		if w.Must(err); !created {
			t.Fatalf("%s is there already", name)
		}
	}
	add("Anna-Lena Müller", "al@mail.example", "+49 30 901820")
	add("Anna Keller", "keller@mail.example", "")
	add("Bo Ek", "", "+46 8 123 456 78")
	add("Lee Ann", "", "0151 23456789")
	add("Odd", "odd@mail.example", "1-2") // kept as it was typed
	other := w.Beside("other", "dan")
	_, _, err := other.People.CreateContact(t.Context(), other.Owner, booking.ContactInput{Name: "Anna Other", Email: "other@mail.example"})
	w.Must(err)
	for typed, want := range map[string]string{
		"an": "Lee Ann, Anna-Lena Müller, Anna Keller", "ANNA": "Anna-Lena Müller, Anna Keller", "anna k": "Anna Keller",
		"k anna": "Anna Keller", "len": "Anna-Lena Müller", "mü": "Anna-Lena Müller", "keller@m": "Anna Keller",
		"al@mail.example": "Anna-Lena Müller", "bo": "Bo Ek", "ek bo": "Bo Ek", "nn": "", "anna zz": "",
		"+49 30 90": "Anna-Lena Müller", "0049 30": "Anna-Lena Müller", "+49 (0)30 90 18": "Anna-Lena Müller",
		"030 90": "Anna-Lena Müller", "(030) 90 18 20": "Anna-Lena Müller", "030/901820": "Anna-Lena Müller",
		"4930": "Anna-Lena Müller", "0151-234": "Lee Ann", "+4915123456789": "Lee Ann", "+46 8": "Bo Ek", "0046812345678": "Bo Ek",
		"a": "", "": "", "  ": "", "0": "", "+": "", "()": "", "12": "Odd", "%": "", "anna %": "", "\U0010FFFF\U0010FFFF": "",
	} {
		found, err := w.People.Lookup(t.Context(), w.Owner, typed)
		var names []string
		for _, c := range found {
			names = append(names, c.Name)
		}
		if got := strings.Join(names, ", "); err != nil || got != want {
			t.Errorf("%q finds %q, want %q, %v", typed, got, want, err)
		}
	}
	if _, err := w.People.Lookup(t.Context(), w.Owner, strings.Repeat("x", fault.MaxSearch+1)); refusal(err) != "invalid q" {
		t.Error(refusal(err))
	}
	for i := range 20 {
		add(fmt.Sprint("Many ", i), fmt.Sprintf("many%d@mail.example", i), "")
	}
	if found, err := w.People.Lookup(t.Context(), w.Owner, "many"); err != nil || len(found) != contact.LookupMost {
		t.Errorf("%d found, %v", len(found), err)
	}
	staff := w.Owner
	staff.Role, staff.User, staff.Host = app.StaffRole, 9, 1
	if _, err := w.People.Lookup(t.Context(), staff, "anna"); !fault.Is(err, fault.Forbidden) {
		t.Error(err)
	}
}

// What is known of a contact are the bookings that took place, and what they mostly have among the last ten.
func TestKnown(t *testing.T) {
	w := newWorld(t)
	w.Offer("cut", 30, nil)
	w.Offer("colour", 30, nil)
	book := func(kind, start string, status booking.Status) booking.Booking {
		t.Helper()
		b, err := w.Book(t.Context(), w.API, booking.BookInput{EventType: kind, Start: apptest.At(start), Invitee: booking.Invitee{Name: "Pat", Phone: "030 901820"}})
		w.Must(err)
		if status == booking.Cancelled {
			_, err = w.Cancel(t.Context(), w.API, b.ID.String(), app.CancelInput{})
			w.Must(err)
		}
		return b
	}
	first := book("colour", "1T09", booking.Confirmed)
	for i := range 6 {
		book("colour", fmt.Sprintf("1T%02d", 10+i), booking.Confirmed)
	}
	for i := range 5 {
		book("cut", fmt.Sprintf("2T%02d", 9+i), booking.Confirmed)
	}
	book("colour", "2T15", booking.Cancelled)
	missed := book("colour", "2T14", booking.Confirmed)
	book("colour", "3T09", booking.Confirmed)
	known := func() contact.Known {
		t.Helper()
		k, err := w.People.Known(t.Context(), w.Owner, first.ContactID.String())
		w.Must(err)
		return k
	}
	if k := known(); len(k.Past) != 0 || k.Usual != 0 {
		t.Errorf("before the first visit: %d, %v", len(k.Past), k.Usual)
	}
	w.at("+2 17:00")
	_, err := w.MarkNoShow(t.Context(), w.API, missed.ID.String())
	w.Must(err)
	k := known()
	var got []string
	for _, b := range k.Past {
		got = append(got, b.EventType+" "+b.Start.String()+" "+b.Host.Name)
	}
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	// Five of the last ten are cuts, five colour: the latest of the two. No-shows and cancelled ones don't count.
	if len(got) != 3 || !strings.HasPrefix(got[0], "cut ") || k.Usual != setup.EventType("cut").ID || k.NoShows != 1 {
		t.Errorf("%v, usual %v, %d no-shows", got, k.Usual, k.NoShows)
	}
	if _, err := w.People.Known(t.Context(), w.Owner, "ct_0"); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
	w.Alter("cut", func(e *catalog.EventType) { e.Active = false })
	if known().Usual != setup.EventType("cut").ID {
		t.Error("what is switched off is nobody's usual service")
	}
}
