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
