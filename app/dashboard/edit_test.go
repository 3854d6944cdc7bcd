package dashboard

import (
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/money"
)

// A booking is corrected by the form of its page, which says why not when it can't be, and its mail is sent again.
func TestEditing(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	booked, err := w.Book(t.Context(), w.Owner, booking.BookInput{EventType: "haircut", Start: w.open("haircut"),
		Invitee: booking.Invitee{Name: "Bo", Email: "bo@mail.example"}})
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
	booked, err := w.Book(t.Context(), w.Owner, booking.BookInput{EventType: "haircut", Start: w.open("haircut"),
		Invitee: booking.Invitee{Name: "Bo", Email: "bo@mail.example"}})
	w.Must(err)
	at := "/dashboard/bookings/" + booked.ID.String()
	version := func() string { return html.UnescapeString(versionInput.FindStringSubmatch(b.get(at).body)[1]) }
	form := []string{"type", "haircut", "host", booked.Host.ID.String(), "minutes", strconv.Itoa(int((booked.End - booked.Start) / 60_000)),
		"name", "Bo Berg", "notes", "", "internalNote", "", "version", version()}
	note := "Allergic"
	_, err = w.Edit(t.Context(), w.Owner, booked.ID.String(), booking.EditInput{InternalNote: &note}, "")
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
		e.Seats, e.Price = 6, &money.Money{Amount: 1000, Currency: "EUR"}
		e.AddOns = []catalog.AddOn{{ID: "mat", Title: "Mat", Price: &money.Money{Amount: 300, Currency: "EUR"}}}
	})
	start := w.open("yoga")
	book := func(name string, seats int) booking.Booking {
		booked, err := w.Book(t.Context(), w.Owner, booking.BookInput{EventType: "yoga", Start: start, Seats: seats, AddOns: []string{"mat"},
			Host: w.setup().EventType("yoga").Hosts[0].ID.String(), Invitee: booking.Invitee{Name: name, Email: name + "@mail.example"}})
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

// The form of a booking changes its add-ons: it shows what each adds and what the booking takes and costs without any,
// brings the length and price of now when they differ, and says at the field what can't be had.
func TestEditingAddOns(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	eur := func(amount int64) *money.Money { return &money.Money{Amount: amount, Currency: "EUR"} }
	set := func(price int64) func(e *catalog.EventType) {
		return func(e *catalog.EventType) {
			e.Price, e.Seats = eur(price), 4
			e.AddOnGroups = []catalog.AddOnGroup{{ID: "level", Title: "Level", Required: true, Max: 1}, {ID: "tea", Title: "Tea", Max: 2}}
			e.AddOns = []catalog.AddOn{{ID: "mat", Title: "Mat", Price: eur(300)}, {ID: "bath", Title: "Bath", Minutes: 30, Price: eur(900)},
				{ID: "new", Title: "New", Group: "level"}, {ID: "old", Title: "Old", Group: "level", Price: eur(100)},
				{ID: "mint", Title: "Mint", Group: "tea"}, {ID: "oolong", Title: "Oolong", Group: "tea"}, {ID: "earl", Title: "Earl", Group: "tea"}}
		}
	}
	w.Offer("yoga", 60, set(1000))
	open, err := w.Availability(t.Context(), w.Owner, availability.Input{EventType: "yoga", Choice: catalog.Choice{AddOns: []string{"new"}},
		From: quietDay, Limit: new(1)})
	w.Must(err)
	start := open.Slots()[0].Start.String()
	host := w.setup().EventType("yoga").Hosts[0].ID.String()
	booked, err := w.Book(t.Context(), w.Owner, booking.BookInput{EventType: "yoga", Start: start, Seats: 2, AddOns: []string{"mat", "new"},
		Host: host, Invitee: booking.Invitee{Name: "Bo", Email: "bo@mail.example"}})
	w.Must(err)
	w.Alter("yoga", set(1200))
	at := "/dashboard/bookings/" + booked.ID.String()
	is := func(price int64, minutes int, addOns ...string) {
		t.Helper()
		now, err := w.Booking(t.Context(), w.Owner, booked.ID.String())
		w.Must(err)
		var has []string
		for _, a := range now.AddOns {
			has = append(has, a.ID)
		}
		if now.Price.Amount != price || now.End != now.Start.Add(time.Duration(minutes)*time.Minute) || !slices.Equal(has, addOns) {
			t.Errorf("%v until %s with %q", now.Price, now.End, has)
		}
	}
	// as the page sends it: every field of the form, these add-ons in it
	send := func(pairs ...string) response {
		t.Helper()
		return b.post(at+"/edit", append([]string{"addOnsOf", "yoga", "type", "yoga", "host", host, "seats", "2", "name", "Bo", "notes", "", "internalNote", ""}, pairs...)...)
	}
	b.wants(b.get(at), 200, "Without any: 1\u00a0hr · €24", "Mat +€3", "Bath +30\u00a0min +€9", `<select id="f-edit-addOns.level"`,
		`value="mat" checked`, `<option value="new" selected>`, "!\u2013</option>")
	b.wants(send("minutes", "60", "addOns", "mat", "addOns.level", "new"), 303) // as it was: its price stays
	is(2600, 60, "mat", "new")
	b.wants(b.post(at+"/edit", "name", "Bo Berg"), 303) // a form that doesn't ask
	is(2600, 60, "mat", "new")
	b.wants(send("minutes", "60", "addOns", "mat", "addOns", "bath", "addOns.level", "old", "addOns.tea", "mint"), 303)
	is(5000, 90, "mat", "bath", "old", "mint")
	b.wants(b.get(at), 200, `value="bath" checked`, `<option value="old" selected>`, `value="mint" checked`, "Edited")
	r := send("minutes", "90", "addOns.level", "new", "addOns.tea", "mint", "addOns.tea", "oolong", "addOns.tea", "earl")
	b.wants(r, 422, "at most 2 of Tea", `aria-describedby="f-edit-addOns.tea-error"`, `value="earl" checked`, `<option value="new" selected>`, "!value=\"mat\" checked")
	b.wants(send("minutes", "90", "addOns.level", ""), 422, "Choose one of Level", `aria-describedby="f-edit-addOns.level-error"`)
	is(5000, 90, "mat", "bath", "old", "mint")
	_, err = w.Book(t.Context(), w.Owner, booking.BookInput{EventType: "haircut", Start: booked.Start.Add(90 * time.Minute).String(), Host: host,
		Override: []string{"outside_hours", "off_grid"}, Invitee: booking.Invitee{Name: "Cy", Email: "cy@mail.example"}})
	w.Must(err)
	w.Alter("yoga", func(e *catalog.EventType) { e.AddOns[1].Minutes = 60 }) // now it would reach into the next booking
	b.wants(send("minutes", "90", "addOns", "bath", "addOns.level", "old"), 409, `aria-describedby="f-edit-addOns.level-error"`, `value="bath" checked`)
	w.Alter("yoga", func(e *catalog.EventType) { e.AddOns = slices.Delete(e.AddOns, 0, 1) }) // what is gone stays with the booking
	b.wants(b.get(at), 200, "!Mat +€3")
	b.wants(send("minutes", "90", "addOns", "bath", "addOns.level", "old", "addOns.tea", "mint", "name", "Bea"), 303)
	is(5000, 90, "mat", "bath", "old", "mint")
	b.wants(send("minutes", "90", "addOns.level", "new"), 303)
	is(2400, 60, "new")
}
