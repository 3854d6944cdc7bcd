package app_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/fault"
)

// refusal is the reason of an error and its fields.
func refusal(err error) string {
	wrong := fault.As(err)
	if wrong == nil {
		return "none"
	}
	fields := []string{wrong.Field}
	for _, other := range wrong.Others {
		fields = append(fields, other.Field)
	}
	return wrong.Reason + " " + strings.Join(fields, " ")
}

// An invitee has an e-mail, a telephone number or both; the contact is found by the first that there is, and stays as it
// is.
func TestBookingWithoutEmail(t *testing.T) {
	w := newWorld(t)
	w.Offer("class", 30, func(e *catalog.EventType) { e.Seats = 20 })
	book := func(start string, p booking.Invitee) (booking.Booking, error) {
		return w.Book(t.Context(), w.API, booking.BookInput{EventType: "class", Start: apptest.At(start), Invitee: p})
	}
	must := func(start string, p booking.Invitee) booking.Booking {
		t.Helper()
		b, err := book(start, p)
		w.Must(err)
		return b
	}
	pat := must("1T09", booking.Invitee{Name: "Pat", Phone: "030 901820"})
	if pat.Invitee.Email != "" || pat.Invitee.Phone != "+4930901820" {
		t.Errorf("the booking has %+v", pat.Invitee)
	}
	if again := must("2T09", booking.Invitee{Name: "Patricia", Phone: "+49 (0)30 90 18 20"}); again.ContactID != pat.ContactID {
		t.Error("the same number made another contact")
	}
	c, err := w.People.ContactByID(t.Context(), w.Owner, pat.ContactID.String())
	if w.Must(err); c.Name != "Pat" || c.Bookings != 2 || c.Email != "" || c.Phone != "+4930901820" {
		t.Errorf("the contact is %+v", c)
	}
	mail := must("2T09", booking.Invitee{Name: "Pat", Email: "pat@mail.example", Phone: "030901820"})
	if mail.ContactID == pat.ContactID {
		t.Error("an unknown e-mail beside a known phone took over the contact")
	}
	dup := map[string]booking.Invitee{
		"the number again": {Name: "P", Phone: "004930901820"}, "the e-mail again": {Name: "P", Email: "PAT@mail.example"},
	}
	for name, p := range dup {
		if _, err := book("2T09", p); refusal(err) != "already_booked " {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Two people without an e-mail are not the same one.
	must("2T09", booking.Invitee{Name: "Quinn", Phone: "030 901821"})
	for name, c := range map[string]struct {
		p    booking.Invitee
		want string
	}{
		"neither":           {booking.Invitee{Name: "N"}, "contact_missing invitee.email"},
		"blanks":            {booking.Invitee{Name: "N", Email: " ", Phone: " "}, "contact_missing invitee.email"},
		"no number":         {booking.Invitee{Name: "N", Phone: "12"}, "invalid invitee.phone"},
		"no e-mail address": {booking.Invitee{Name: "N", Email: "n", Phone: "030 901820"}, "invalid invitee.email"},
	} {
		if _, err := book("3T09", c.p); refusal(err) != c.want {
			t.Errorf("%s: %v", name, refusal(err))
		}
	}
	odd := must("3T09", booking.Invitee{Name: "Odd", Email: "odd@mail.example", Phone: "1-2"})
	if odd.Invitee.Phone != "1-2" {
		t.Errorf("a number that can't be read is %q", odd.Invitee.Phone)
	}
	for filter, want := range map[string]int{"030 901820": 3, "pat@mail.example": 1, "+4930901821": 1, "": 5, "12": 0, "call 030 901820": 0} {
		page, err := w.Bookings(t.Context(), w.API, booking.ListBookingsInput{Invitee: filter})
		if err != nil || len(page.Data) != want {
			t.Errorf("%q lists %d bookings, want %d, %v", filter, len(page.Data), want, err)
		}
	}
	for phone, want := range map[string]int{"0 30 / 90 18 20": 2, "+49 30 901821": 1, "+49 30 901822": 0} {
		page, err := w.People.ContactsWith(t.Context(), w.API, "", phone)
		if err != nil || len(page.Data) != want {
			t.Errorf("%s has %d contacts, want %d, %v", phone, len(page.Data), want, err)
		}
	}
	for q, want := range map[string]int{"03090182": 3, "+49 30 90": 3, "quinn": 1} {
		page, err := w.People.Contacts(t.Context(), w.API, contact.Filter{Q: q}, nil, "")
		if err != nil || len(page.Data) != want {
			t.Errorf("%q finds %d contacts, want %d, %v", q, len(page.Data), want, err)
		}
	}
	if _, err := w.Reschedule(t.Context(), w.API, pat.ID.String(), booking.RescheduleInput{Start: apptest.At("2T09")}); refusal(err) != "already_booked " {
		t.Errorf("moving onto the same person's booking: %v", err)
	}

	// Merged, the contact has both; the number alone finds it, and the duplicate guard still knows the person.
	merged, err := w.People.MergeContacts(t.Context(), w.Owner, pat.ContactID.String(), mail.ContactID.String())
	if w.Must(err); merged.Bookings != 0 && merged.Email != "pat@mail.example" {
		t.Errorf("merged: %+v", merged)
	}
	if b := must("1T10", booking.Invitee{Name: "Pat", Phone: "030 901820"}); b.ContactID != mail.ContactID {
		t.Error("the number doesn't find the merged contact")
	}
	if _, err := book("1T10", booking.Invitee{Name: "Pat", Phone: "030 901820"}); refusal(err) != "already_booked " {
		t.Errorf("the same call again: %v", err)
	}
}

// A telephone number that somebody wrote into their name is not theirs: who calls with it is another person.
func TestAPhoneInANameIsNobodys(t *testing.T) {
	w := newWorld(t)
	w.Offer("class", 30, func(e *catalog.EventType) { e.Seats = 20 })
	book := func(start string, p booking.Invitee) booking.Booking {
		t.Helper()
		b, err := w.Book(t.Context(), w.API, booking.BookInput{EventType: "class", Start: apptest.At(start), Invitee: p})
		w.Must(err)
		return b
	}
	pat := book("1T09", booking.Invitee{Name: "Pat", Phone: "030 12345678"})
	anna := book("1T10", booking.Invitee{Name: "Anna 03012345678", Email: "anna@mail.example"})
	again := book("1T11", booking.Invitee{Name: "Pat", Phone: "+49 30 12345678"})
	if again.ContactID != pat.ContactID || again.ContactID == anna.ContactID {
		t.Errorf("booked for %s, want %s; %s wrote the number into a name", again.ContactID, pat.ContactID, anna.ContactID)
	}
}

// Two who call with the same new number at once are one contact, and what the rules say of it holds on both engines.
func TestContestOfAPhone(t *testing.T) {
	w := newWorld(t)
	w.Offer("class", 30, func(e *catalog.EventType) { e.Seats = 20 })
	ids := make([]booking.ContactID, 8)
	var done sync.WaitGroup
	for i := range ids {
		done.Go(func() {
			b, err := w.Book(context.Background(), w.API, booking.BookInput{EventType: "class", Start: apptest.At("1T09:30"),
				Invitee: booking.Invitee{Name: "Pat", Phone: "030 901820"}})
			if i%2 == 0 {
				var c booking.Contact
				c, _, err = w.People.CreateContact(context.Background(), w.API, booking.ContactInput{Name: "Pat", Phone: "030 901820"})
				b.ContactID = c.ID
			}
			if err != nil && refusal(err) != "already_booked " {
				t.Error(err)
			}
			ids[i] = b.ContactID
		})
	}
	done.Wait()
	all, err := w.People.Contacts(t.Context(), w.API, contact.Filter{}, nil, "")
	if w.Must(err); len(all.Data) != 1 || all.Data[0].Bookings != 1 {
		t.Errorf("there are %d contacts: %+v", len(all.Data), all.Data)
	}
	for _, id := range ids {
		if id != 0 && id != all.Data[0].ID {
			t.Error("somebody got another contact")
		}
	}
}

// Those who book by themselves are held to what the event type asks for; the business is not.
func TestWhatAnEventTypeAsksFor(t *testing.T) {
	w := newWorld(t)
	guest := app.Actor{Kind: booking.ByInvitee, Workspace: w.Workspace.ID}
	both := booking.Invitee{Name: "G", Email: "g@mail.example", Phone: "030 901820"}
	email, phone, wrong := both, both, both
	email.Phone, phone.Email, wrong.Phone = "", "", "1-2"
	n := 0
	for asks, want := range map[catalog.Asks][4]string{ // both, e-mail, phone, an e-mail beside what is no number
		catalog.AskEmail:  {"none", "none", "contact_missing invitee.email", "none"},
		catalog.AskPhone:  {"none", "contact_missing invitee.phone", "none", "invalid invitee.phone"},
		catalog.AskEither: {"none", "none", "none", "invalid invitee.phone"},
		catalog.AskBoth:   {"none", "contact_missing invitee.phone", "contact_missing invitee.email", "invalid invitee.phone"},
		"":                {"none", "none", "contact_missing invitee.email", "none"}, // saved before there was a choice
	} {
		slug := "asks-" + string(asks) + "x"
		w.Offer(slug, 30, func(e *catalog.EventType) { e.AsksFor, e.Seats = asks, 20 })
		for i, p := range []booking.Invitee{both, email, phone, wrong} {
			n++
			in := booking.BookInput{EventType: slug, Invitee: p,
				Start: apptest.At(fmt.Sprintf("%dT%d:%d", 1+n/14, 8+n%14/2, n%2*30))}
			_, err := w.Book(t.Context(), guest, in)
			if got := refusal(err); got != want[i] {
				t.Errorf("%q, %d: %s, want %s", asks, i, got, want[i])
			}
			if want[i] != "none" {
				_, err := w.Book(t.Context(), w.API, in)
				w.Must(err)
			}
		}
	}
}

// A contact without an e-mail is made, changed, imported and deleted like any other.
func TestContactWithoutEmail(t *testing.T) {
	w := newWorld(t)
	w.Offer("cut", 30, nil)
	b, err := w.Book(t.Context(), w.API, booking.BookInput{EventType: "cut", Start: apptest.At("1T09"),
		Invitee: booking.Invitee{Name: "Pat", Phone: "030 901820"}})
	w.Must(err)
	known, created, err := w.People.CreateContact(t.Context(), w.API, booking.ContactInput{Phone: "+49 30 901820"})
	if err != nil || created || known.ID != b.ContactID {
		t.Errorf("the known number: %+v %v %v", known, created, err)
	}
	if _, _, err := w.People.CreateContact(t.Context(), w.API, booking.ContactInput{Name: "N"}); refusal(err) != "contact_missing email" {
		t.Error(err)
	}
	other, _, err := w.People.CreateContact(t.Context(), w.API, booking.ContactInput{Name: "Other", Email: "o@mail.example"})
	w.Must(err)
	for name, c := range map[string]struct {
		in   booking.ContactInput
		want string
	}{
		"a number that another has": {booking.ContactInput{Name: "Other", Phone: "030 901820"}, "phone_taken phone"},
		"nothing":                   {booking.ContactInput{Name: "Other"}, "contact_missing email"},
		"both":                      {booking.ContactInput{Name: "Other", Email: "o@mail.example", Phone: "030 901820"}, "none"},
		"the e-mail taken away":     {booking.ContactInput{Name: "Other", Phone: "030 901899"}, "none"},
	} {
		if _, err := w.People.UpdateContact(t.Context(), w.Owner, other.ID.String(), c.in); refusal(err) != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
	res, err := w.People.ImportContacts(t.Context(), w.Owner,
		contact.ImportInput{File: []byte("name;phone;notes\nPat;030/901820;likes tea\n;0049 30 901888;\nTwice;030 901888;\n")})
	if err != nil || res.Created != 1 || res.Changed != 1 || len(res.Left) != 0 || res.Joined != 1 {
		t.Errorf("%+v %v", res, err)
	}
	var csv strings.Builder
	if w.Must(w.People.ExportContacts(t.Context(), w.Owner, &csv)); !strings.Contains(csv.String(), "Pat,,\"'+4930901820\",,likes tea,1,") {
		t.Error(csv.String())
	}
	again, err := w.People.ImportContacts(t.Context(), w.Owner, contact.ImportInput{File: []byte(csv.String())})
	if err != nil || again.Created+again.Changed != 0 || again.Same != 3 {
		t.Errorf("the export read back: %+v %v", again, err)
	}

	_, err = w.Cancel(t.Context(), w.API, b.ID.String(), app.CancelInput{})
	w.Must(err)
	w.Must(w.People.DeleteContact(t.Context(), w.Owner, b.ContactID.String()))
	if _, err := w.People.ContactByID(t.Context(), w.Owner, b.ContactID.String()); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
	if b = w.Again(b); !b.Invitee.Erased() || b.Invitee.Phone != "" {
		t.Errorf("the booking still has %+v", b.Invitee)
	}
	if page, err := w.People.ContactsWith(t.Context(), w.API, fmt.Sprintf("deleted:%d", b.ContactID), ""); err != nil || len(page.Data) != 0 {
		t.Errorf("the deleted contact is found: %+v %v", page, err)
	}
	page, err := w.People.Contacts(t.Context(), w.API, contact.Filter{}, nil, "")
	if err != nil || len(page.Data) != 2 {
		t.Errorf("%d contacts are left, %v", len(page.Data), err)
	}
}
