package contact_test

import (
	"testing"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
)

// What somebody writes when they book stays with the booking, is seen by those who may see the card, and fills in a contact
// that the booking made; a card that has another value offers to take it over, until it is equal.
func TestWrittenFields(t *testing.T) {
	w := newWorld(t, nil)
	ctx := t.Context()
	all := own()
	all[0].OnForm, all[3].OnForm = catalog.MustBeGiven, catalog.Asked
	w.Must(w.fields(all))
	visitor := app.Actor{Kind: booking.ByInvitee, Workspace: w.Workspace.ID}
	book := func(hour, email string, mustGive bool, fields map[string]any) (booking.Booking, error) {
		return w.Book(ctx, visitor, booking.BookInput{EventType: "cut-a", Start: "2026-12-02T" + hour + ":00:00Z", ContactFields: fields,
			MustGive: mustGive, Invitee: booking.Invitee{Name: "Eve", Email: email}})
	}
	_, err := book("09", "eve@x.example", true, map[string]any{"dog": "Rex"})
	if e := fault.As(err); e == nil || e.Field != "contactFields.shoe" {
		t.Errorf("%v", err)
	}
	_, err = book("09", "eve@x.example", true, map[string]any{"shoe": "39", "skin": "Dry"})
	w.Refused(err, fault.BadRequest, "invalid") // it isn't asked for
	first, err := book("09", "eve@x.example", true, map[string]any{"shoe": "39,0", "dog": "Rex"})
	w.Must(err)
	eves := first.ContactID.String()
	if got := w.has(eves); got != `{"dog":"Rex","shoe":"39"}` {
		t.Error(got)
	}
	second, err := book("11", "eve@x.example", false, map[string]any{"dog": "Bello"})
	w.Must(err)
	if got := w.has(eves); got != `{"dog":"Rex","shoe":"39"}` {
		t.Error(got)
	}
	for name, x := range map[string]struct {
		a    app.Actor
		sees bool
	}{"owner": {w.Owner, true}, "staff": {w.ana, true}, "key": {app.Actor{Kind: booking.ByAPI, Workspace: w.Workspace.ID, Key: 5}, false},
		"visitor": {app.Actor{Kind: booking.ByInvitee, Workspace: w.Workspace.ID, Booking: second.ID}, false}} {
		b, err := w.Booking(ctx, x.a, second.ID.String())
		w.Must(err)
		if got := b.ContactFields["dog"] == "Bello"; got != x.sees {
			t.Errorf("%s: %v", name, b.ContactFields)
		}
	}
	offers, err := w.People.FieldOffers(ctx, w.Owner, eves)
	w.Must(err)
	if len(offers) != 1 || offers[0].Value != "Bello" || offers[0].Booking != second.ID {
		t.Fatalf("%+v", offers)
	}
	w.Refused(w.People.TakeOver(ctx, w.Owner, eves, "dog", "Waldi"), fault.Conflict, "field_written")
	w.Refused(w.People.TakeOver(ctx, w.ana, eves, "dog", "Bello"), fault.Forbidden, "role")
	w.Must(w.People.TakeOver(ctx, w.Owner, eves, "dog", "Bello"))
	if offers, err = w.People.FieldOffers(ctx, w.Owner, eves); len(offers) != 0 || err != nil || w.has(eves) != `{"dog":"Bello","shoe":"39"}` {
		t.Errorf("%+v, %v, %s", offers, err, w.has(eves))
	}

	visit, err := w.BookVisit(ctx, visitor, booking.VisitInput{Start: "2026-12-03T09:00:00Z", MustGive: true, Invitee: booking.Invitee{Name: "Vi",
		Email: "vi@x.example"}, ContactFields: map[string]any{"shoe": "41"}, Items: []booking.VisitItem{{EventType: "cut-a"}, {EventType: "cut-b"}}})
	w.Must(err)
	if got := w.has(visit.Items[0].ContactID.String()); got != `{"shoe":"41"}` {
		t.Error(got)
	}
	w.Must(w.fields(all[:3], "dog"))
	b, err := w.Booking(ctx, w.Owner, second.ID.String())
	if w.Must(err); len(b.ContactFields) != 0 {
		t.Errorf("what was written in a removed field is seen: %v", b.ContactFields)
	}
}

// Of a series the first booking that is made keeps what was written, of bookings as of visits, and a value that fits no field
// books nothing.
func TestWrittenFieldsOfSeries(t *testing.T) {
	w := newWorld(t, nil)
	ctx := t.Context()
	all := own()
	all[0].OnForm, all[3].OnForm = catalog.MustBeGiven, catalog.Asked
	w.Must(w.fields(all))
	in := booking.SeriesInput{Repeat: booking.SeriesRepeat{Every: 1, Unit: booking.SeriesWeek, Count: 3}, EventType: "cut-a",
		Start: "2026-12-02T09:00:00Z", Invitee: booking.Invitee{Name: "Eve", Email: "eve@x.example"}}
	in.ContactFields = map[string]any{"skin": "Dry"}
	_, err := w.BookSeries(ctx, w.Owner, in)
	w.Refused(err, fault.BadRequest, "invalid")
	in.ContactFields = map[string]any{"dog": "Rex"} // who books for others gives what they know
	visits := in
	visits.EventType, visits.Items = "", []booking.VisitItem{{EventType: "cut-a"}, {EventType: "cut-b"}}
	visits.Start, visits.Invitee = "2026-12-03T09:00:00Z", booking.Invitee{Name: "Vi", Email: "vi@x.example"}
	for _, in := range []booking.SeriesInput{in, visits} {
		made, err := w.BookSeries(ctx, w.Owner, in)
		w.Must(err)
		for i, b := range made.Bookings {
			b, err := w.Booking(ctx, w.Owner, b.ID.String())
			w.Must(err)
			if got := said(b.ContactFields); i == 0 && got != `{"dog":"Rex"}` || i > 0 && len(b.ContactFields) > 0 {
				t.Errorf("booking %d of %d: %s", i+1, len(made.Bookings), got)
			}
		}
		if got := w.has(made.Bookings[0].ContactID.String()); got != `{"dog":"Rex"}` {
			t.Error(got)
		}
	}
}

// What is removed with a field counts what was written with bookings, though no contact has any of it.
func TestWrittenFieldsCount(t *testing.T) {
	w := newWorld(t, nil)
	all := own()
	all[3].OnForm = catalog.Asked
	w.Must(w.fields(all))
	b, err := w.Book(t.Context(), w.Owner, booking.BookInput{EventType: "cut-a", Start: "2026-12-02T09:00:00Z",
		Invitee: booking.Invitee{Name: "Eve", Email: "eve@x.example"}, ContactFields: map[string]any{"dog": "Rex"}})
	w.Must(err)
	w.Must(w.gives(b.ContactID.String(), map[string]any{"dog": ""}))
	err = w.fields(own()[:3])
	w.Refused(err, fault.Conflict, "field_values")
	if got := fault.As(err).DetailsObject()["values"]; got != 1 {
		t.Errorf("%v values", got)
	}
}
