package app_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/app/webhook"
)

// walkIn is the booking of somebody who walks in, as the dashboard makes it.
func walkIn(eventType, start string) booking.BookInput {
	return booking.BookInput{EventType: eventType, Start: apptest.At(start)}
}

// everybody returns all contacts.
func (w *world) everybody() []booking.Contact {
	w.T.Helper()
	page, err := w.People.Contacts(w.T.Context(), w.Owner, "", nil, "")
	w.Must(err)
	return page.Data
}

// Members book whoever walks in, without a name, an address or a number. No contact is made of them, and all that can be
// done with a booking can be done with theirs.
func TestWalkIn(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 2, func(e *catalog.EventType) {
		e.Price, e.Limits = &money.Money{Amount: 3000, Currency: "EUR"}, catalog.Limits{PersonPerDay: 1}
	})
	ctx := t.Context()
	staff := app.Actor{Kind: booking.ByOwner, User: 7, Role: app.StaffRole, Host: 1, Workspace: w.Workspace.ID}
	for name, a := range map[string]app.Actor{"key": w.API, "agent": {Kind: booking.ByAgent, Workspace: w.Workspace.ID},
		"visitor": {Kind: booking.ByInvitee, Workspace: w.Workspace.ID}} {
		_, err := w.Book(ctx, a, walkIn("cut", "1T09"))
		if e := fault.As(err); e == nil || e.Code != fault.BadRequest || e.Field != "invitee.name" && e.Reason != "contact_missing" {
			t.Errorf("%s: %v", name, err)
		}
		in := walkIn("cut", "1T09")
		in.Invitee.Name = "Bo"
		_, err = w.Book(ctx, a, in)
		if e := fault.As(err); e == nil || e.Reason != "contact_missing" {
			t.Errorf("%s, a name alone: %v", name, err)
		}
	}
	wrong := walkIn("cut", "1T09")
	wrong.Invitee.Email = "nobody"
	_, err := w.Book(ctx, w.Owner, wrong)
	w.Refused(err, fault.BadRequest, "invalid")

	b, err := w.Book(ctx, staff, walkIn("cut", "1T09"))
	w.Must(err)
	if b.Invitee != (booking.Invitee{Name: "Walk-in"}) || b.ContactID != 0 || b.Contact != nil {
		t.Errorf("%+v of %d", b.Invitee, b.ContactID)
	}
	text, err := b.AppendJSON(nil)
	w.Must(err)
	if !strings.Contains(string(text), `"invitee":{"name":"Walk-in","email":""}`) || strings.Contains(string(text), `"contact":{`) {
		t.Errorf("%s", text)
	}
	named := walkIn("cut", "1T09") // at the same time of the same day, with the other host: it is somebody else
	named.Invitee.Name = " Bo "
	two, err := w.Book(ctx, w.Owner, named)
	w.Must(err)
	if two.Invitee.Name != "Bo" || two.Host.ID == b.Host.ID || len(w.everybody()) != 0 {
		t.Errorf("%+v with %s, %d contacts", two.Invitee, two.Host.ID, len(w.everybody()))
	}
	if _, err = w.Book(ctx, w.API, apptest.Input("cut", "1T10", "Al")); err != nil { // who is new has no bookings of others
		t.Error(err)
	}
	_, err = w.Book(ctx, w.Owner, walkIn("cut", "1T09"))
	w.Refused(err, fault.Conflict, "slot_taken")

	if b, err = w.Reschedule(ctx, w.Owner, b.ID.String(), app.RescheduleInput{Start: apptest.At("1T11")}); err != nil {
		t.Fatal(err)
	}
	w.at("+1 11:05")
	if b, err = w.MarkArrived(ctx, w.Owner, b.ID.String()); err != nil || b.ArrivedAt == 0 {
		t.Error(err)
	}
	if b, err = w.Counter.Record(ctx, w.Owner, b.ID.String(), counter.Input{Amount: 3000, Method: "cash"}); err != nil {
		t.Error(err)
	}
	if b, err = w.MarkDone(ctx, w.Owner, b.ID.String()); err != nil || b.DoneAt == 0 {
		t.Error(err)
	}
	if two, err = w.Cancel(ctx, w.Owner, two.ID.String(), app.CancelInput{}); err != nil || two.Status != booking.Cancelled {
		t.Error(err)
	}
	if now := w.Again(b); now.Invitee.Name != "Walk-in" || now.ContactID != 0 || len(now.Payments) != 1 {
		t.Errorf("%+v", now)
	}
	w.Must(w.Privacy.ChooseRule(ctx, w.Owner, &catalog.RetentionRule{Months: 1}))
	for range 3 { // it is planned, then it passes
		w.Clock.Set(w.Clock.Now().AddDate(0, 2, 0))
		w.Must(w.Privacy.Due(ctx, func(time.Duration) {}))
	}
	for _, old := range []booking.Booking{b, two} {
		if now := w.Again(old); !now.Invitee.Erased() {
			t.Errorf("after years it is of %+v", now.Invitee)
		}
	}
}

// Who walked in can be told later. The booking then belongs to the contact that it would have been made with.
func TestWalkInGetsACustomer(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 3, nil)
	w.offer("wash", 3, nil)
	w.endpoint("contact.created")
	ctx := t.Context()
	edit := func(b booking.Booking, text string) (booking.Booking, error) {
		return w.Edit(ctx, w.Owner, b.ID.String(), patch(t, text), b.ETag())
	}
	one, err := w.Book(ctx, w.Owner, walkIn("cut", "1T09"))
	w.Must(err)
	_, err = edit(one, `{"invitee":{"email":"bo@mail.example"}}`)
	if e := w.Refused(err, fault.BadRequest, "invalid"); e.Field != "invitee.name" {
		t.Errorf("a contact without a name: %v", err)
	}
	_, err = edit(one, `{"invitee":{"name":"Bo","email":"bo"}}`)
	w.Refused(err, fault.BadRequest, "invalid")
	one, err = edit(one, `{"invitee":{"name":"Bo","email":"bo@mail.example","phone":"030 901820"}}`)
	w.Must(err)
	people := w.everybody()
	if len(people) != 1 || people[0].Name != "Bo" || people[0].Phone != "+4930901820" || people[0].Bookings != 1 ||
		people[0].UpcomingBookings != 1 || one.ContactID != people[0].ID {
		t.Fatalf("%+v of %+v", one.ContactID, people)
	}
	told, err := w.Webhook.Deliveries(ctx, w.Owner, webhook.ListDeliveriesInput{})
	w.Must(err)
	if len(told.Data) != 1 || told.Data[0].Event != catalog.ContactCreated {
		t.Errorf("told: %+v", told.Data)
	}
	_, err = edit(w.Again(one), `{"invitee":{"email":"al@mail.example"}}`)
	w.Refused(err, fault.BadRequest, "invalid")

	same, err := w.Book(ctx, w.Owner, walkIn("cut", "1T09"))
	w.Must(err)
	_, err = edit(same, `{"invitee":{"email":"BO@mail.example"}}`)
	w.Refused(err, fault.Conflict, "already_booked")

	items := []booking.VisitItem{{EventType: "cut"}, {EventType: "wash"}}
	v, err := w.BookVisit(ctx, w.Owner, booking.VisitInput{Start: apptest.At("2T09"), Items: items})
	w.Must(err)
	_, err = edit(v.Items[0], `{"invitee":{"email":"bo@mail.example"}}`) // who is known has a name
	w.Must(err)
	for _, item := range v.Items {
		now := w.Again(item)
		if now.Invitee.Name != "Bo" || now.ContactID != people[0].ID || now.ETag() == item.ETag() {
			t.Errorf("%s is of %+v, %s", item.EventType, now.Invitee, now.ContactID)
		}
	}
	if people = w.everybody(); len(people) != 1 || people[0].Bookings != 3 {
		t.Errorf("%+v", people)
	}
}

// Two who get the same new customer at once get one contact.
func TestContestOfCustomersOfWalkIns(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 3, nil)
	other := w.Another()
	var all [6]booking.Booking
	for i := range all {
		var err error
		all[i], err = w.Book(t.Context(), w.Owner, walkIn("cut", []string{"1T09", "1T10", "1T11", "1T12", "1T13", "1T14"}[i]))
		w.Must(err)
	}
	var group sync.WaitGroup
	for i := range all {
		on := []*apptest.Salon{w.Salon, other}[i%2]
		group.Go(func() {
			_, err := on.Edit(t.Context(), w.Owner, all[i].ID.String(), patch(t, `{"invitee":{"name":"Bo","phone":"+4930901820"}}`), "")
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if people := w.everybody(); len(people) != 1 || people[0].Bookings != len(all) {
		t.Errorf("%+v", people)
	}
}
