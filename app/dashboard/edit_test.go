package dashboard

import (
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"daybook/app/catalog"
	"daybook/app/cost"
	"daybook/app/offer"
	"daybook/app/record"
)

// A booking is corrected by the form of its page, which says why not when it can't be, and its mail is sent again.
func TestEditing(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	booked, err := w.Book(t.Context(), w.Owner, record.BookInput{EventType: "haircut", Start: w.open("haircut"),
		Invitee: record.Invitee{Name: "Bo", Email: "bo@mail.example"}})
	w.Must(err)
	at := "/dashboard/bookings/" + booked.ID.String()
	b.wants(b.get(at), 200, `action="`+at+`/edit"`, `name="internalNote"`, `action="`+at+`/resend"`)
	b.wants(b.post(at+"/edit", "name", "Bo Berg", "internalNote", "Pays late", "notes", "Fringe"), 303)
	b.wants(b.get(at), 200, "Bo Berg", "Pays late", "Fringe", "Edited")
	b.wants(b.post(at+"/edit", "minutes", "0"), 422, "whole minutes")
	length := time.Duration(booked.End-booked.Start)*time.Millisecond - 5*time.Minute
	b.wants(b.post(at+"/edit", "type", "haircut", "minutes", strconv.Itoa(int(length.Minutes()))), 303)
	if now, err := w.Booking(t.Context(), w.Owner, booked.ID.String()); err != nil || now.End != booked.Start.Add(length) {
		t.Errorf("until %s: %v", now.End, err)
	}
	for n := 1; n > 0; {
		n, err = w.Mail.WriteMails(t.Context(), 100)
		w.Must(err)
	}
	b.wants(b.post(at+"/resend"), 303)
}

var versionInput = regexp.MustCompile(`name="version" value="([^"]+)"`)

// A form that was open while others changed the booking undoes nothing of it; one that is refused keeps what was typed.
func TestEditingWhatOthersChange(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	booked, err := w.Book(t.Context(), w.Owner, record.BookInput{EventType: "haircut", Start: w.open("haircut"),
		Invitee: record.Invitee{Name: "Bo", Email: "bo@mail.example"}})
	w.Must(err)
	at := "/dashboard/bookings/" + booked.ID.String()
	version := func() string { return html.UnescapeString(versionInput.FindStringSubmatch(b.get(at).body)[1]) }
	form := []string{"type", "haircut", "host", booked.Host.ID.String(), "minutes", strconv.Itoa(int((booked.End - booked.Start) / 60_000)),
		"name", "Bo Berg", "notes", "", "internalNote", "", "version", version()}
	note := "Allergic"
	_, err = w.Edit.Edit(t.Context(), w.Owner, booked.ID.String(), record.EditInput{InternalNote: &note}, "")
	w.Must(err)
	b.wants(b.post(at+"/edit", form...), 409, "while the form was open", "Allergic", `value="Bo"`, "<details class=\"danger\" name=\"danger\" open")
	if now, err := w.Booking(t.Context(), w.Owner, booked.ID.String()); err != nil || now.InternalNote != note || now.Invitee.Name != "Bo" {
		t.Errorf("%q, %q, %v", now.InternalNote, now.Invitee.Name, err)
	}
	b.wants(b.post(at+"/edit", "internalNote", "A long note", "minutes", "0", "version", version()), 422, "A long note</textarea>", `aria-invalid="true"`)
	b.wants(b.post(at+"/edit", "name", "Bo Berg", "version", version()), 303)
	if now, err := w.Booking(t.Context(), w.Owner, booked.ID.String()); err != nil || now.InternalNote != note || now.Invitee.Name != "Bo Berg" {
		t.Errorf("%q, %q, %v", now.InternalNote, now.Invitee.Name, err)
	}
}

// The form of a booking with several seats changes their number and who comes; what it can't have it says in words.
func TestEditingSeats(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	w.Offer("yoga", 60, func(e *catalog.EventType) {
		e.Seats, e.Price = 6, &cost.Money{Amount: 1000, Currency: "EUR"}
		e.AddOns = []offer.AddOn{{ID: "mat", Title: "Mat", Price: &cost.Money{Amount: 300, Currency: "EUR"}}}
	})
	start := w.open("yoga")
	book := func(name string, seats int) record.Booking {
		booked, err := w.Book(t.Context(), w.Owner, record.BookInput{EventType: "yoga", Start: start, Seats: seats, AddOns: []string{"mat"},
			Host: w.setup().EventType("yoga").Hosts[0].ID.String(), Invitee: record.Invitee{Name: name, Email: name + "@mail.example"}})
		w.Must(err)
		return booked
	}
	booked := book("bo", 2)
	book("cy", 2)
	at := "/dashboard/bookings/" + booked.ID.String()
	b.wants(b.get(at), 200, `name="seats"`, `max="6"`, `name="participants"`)
	is := func(seats int, price int64, names ...string) {
		t.Helper()
		now, err := w.Booking(t.Context(), w.Owner, booked.ID.String())
		if err != nil || now.Seats != seats || now.Price.Amount != price || !slices.Equal(now.Participants, names) {
			t.Errorf("%d seats, %v, %q, %v", now.Seats, now.Price, now.Participants, err)
		}
	}
	b.wants(b.post(at+"/edit", "seats", "3", "participants", "Ann\r\n\r\n Ben\r\nCyd"), 303)
	is(3, 3900, "Ann", "Ben", "Cyd")
	b.wants(b.post(at+"/edit", "seats", "5", "participants", "Ann\nBen"), 409, `value="5"`, "Ann\nBen</textarea>", "not that many places left")
	b.wants(b.post(at+"/edit", "seats", "7"), 422, `value="7"`, "from 1 to 6")
	b.wants(b.post(at+"/edit", "seats", "many"), 422, `value="many"`, "whole number")
	b.wants(b.post(at+"/edit", "participants", "A\nB\nC\nD"), 422, "A\nB\nC\nD</textarea>", "Give at most 3 names")
	b.wants(b.post(at+"/edit", "participants", strings.Repeat("x", 500)), 422, `aria-invalid="true"`)
	is(3, 3900, "Ann", "Ben", "Cyd")
	b.wants(b.post(at+"/edit", "seats", "2", "participants", "Ann\r\nBen\r\nCyd"), 303)
	is(2, 2600, "Ann", "Ben")
	b.wants(b.post(at+"/edit", "seats", "2", "participants", ""), 303)
	is(2, 2600)
	b.wants(b.get(at), 200, "Edited")
}
