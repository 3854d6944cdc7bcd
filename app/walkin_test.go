package app_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
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
	page, err := w.People.Contacts(w.T.Context(), w.Owner, contact.Filter{}, nil, "")
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

// Somebody walks in for several services: the visit begins in the minute that it is, arranged like any other, and with
// whoever can do all of it from now on.
func TestWalkInForAVisit(t *testing.T) {
	w := newWorld(t)
	w.manicure(2)
	w.cut("cut", 2, 30)
	w.offer("alone", 1, nil)
	ctx := t.Context()
	took := func(in booking.VisitInput) booking.Visit {
		t.Helper()
		in.WalkIn, in.Invitee = true, booking.Invitee{}
		return w.visited(in)
	}
	refused := func(in booking.VisitInput, code fault.Code, reason, field string) *fault.Error {
		t.Helper()
		in.WalkIn, in.Invitee = true, booking.Invitee{}
		_, err := w.BookVisit(ctx, w.API, in)
		e := w.Refused(err, code, reason)
		if e.Field != field {
			t.Errorf("it is about %q, want %q", e.Field, field)
		}
		return e
	}
	w.at("+1 09:07")
	w.Clock.Advance(40 * time.Second)
	v := took(visit("", "", "colour", "nails", "cut"))
	if got, want := itinerary(v), "colour 09:07-11:07 ana, nails 09:52-10:22 ana, cut 11:07-11:37 ana"; got != want {
		t.Errorf("the visit is %q, want %q", got, want)
	}
	for _, b := range v.Items {
		if b.Invitee != (booking.Invitee{Name: "Walk-in"}) || b.ContactID != 0 || b.Status != booking.Confirmed {
			t.Errorf("%s is %s, of %+v, %s", b.EventType, b.Status, b.Invitee, b.ContactID)
		}
	}
	if len(w.everybody()) != 0 {
		t.Error("somebody who gave no name is a contact")
	}
	history, err := w.History(ctx, w.Owner, v.Items[0].ID.String())
	w.Must(err)
	if got := history[0].Waived; !sameSet(got, []string{"in_past", "too_soon", "off_grid"}) && !sameSet(got, []string{"in_past", "off_grid"}) {
		t.Errorf("waived: %v", got)
	}
	if got, want := itinerary(took(visit("", "", "cut", "nails"))), "cut 09:07-09:37 bob, nails 09:37-10:07 bob"; got != want {
		t.Errorf("the next one is %q, want %q", got, want)
	}

	// One person for both: not the one who is free now, and has somebody in half an hour.
	_, err = w.Book(ctx, w.API, withHost(apptest.Input("cut", "2T09:30", "Bo"), 1))
	w.Must(err)
	w.at("+2 09:07")
	same := visit("", "", "cut", "cut")
	same.SamePerson = booking.MustSamePerson
	if got, want := itinerary(took(same)), "cut 09:07-09:37 bob, cut 09:37-10:07 bob"; got != want {
		t.Errorf("by one person it is %q, want %q", got, want)
	}
	e := refused(visit("", "", "cut", "cut"), fault.Conflict, "slot_taken", "")
	if e.Details["alternatives"] == nil {
		t.Errorf("nobody is free, and nothing is offered: %+v", e.Details)
	}

	// Who gives a name, or a start, is taken as said.
	named := visit("2T14:00", "Al", "cut/1", "nails/1")
	named.WalkIn = true
	if v := w.visited(named); v.Items[1].ContactID == 0 || v.Start.String() != apptest.At("2T14:00") {
		t.Errorf("%+v", v)
	}
	if v := took(visit("", "", "cut/1@2T12:00", "nails/2@2T12:30")); v.Start.String() != apptest.At("2T12:00") {
		t.Errorf("items with starts of their own begin at %s", v.Start)
	}
	h, err := w.Hold(ctx, w.API, holdOf(visit("2T10:30", "", "cut/1", "nails/1")))
	w.Must(err)
	held := visit("", "", "cut/1", "nails/1")
	held.Hold = h.ID.String()
	refused(held, fault.BadRequest, "invalid", "start")
	held.Start = apptest.At("2T10:30")
	took(held)

	// Who can't do it, and what doesn't end before the shop closes.
	refused(visit("", "", "cut", "alone/2"), fault.BadRequest, "invalid", "items[1].host")
	w.at("+3 15:20")
	late := visit("", "", "cut", "nails")
	if e := refused(late, fault.BadRequest, "outside_hours", "items[1].start"); !sameSet(against(t, e), []string{"outside_hours"}) {
		t.Errorf("against it: %v", e.Details)
	}
	late.Override = []string{"outside_hours"}
	if got, want := itinerary(took(late)), "cut 15:20-15:50 bob, nails 15:50-16:20 bob"; got != want {
		t.Errorf("the late one is %q, want %q", got, want)
	}
	for name, a := range map[string]app.Actor{"visitor": {Kind: booking.ByInvitee, Workspace: w.Workspace.ID},
		"read-only": {Kind: booking.ByAPI, Workspace: w.Workspace.ID, ReadOnly: true}} {
		in := visit("", "", "cut", "nails")
		in.WalkIn = true
		if _, err := w.BookVisit(ctx, a, in); !fault.Is(err, fault.Forbidden) {
			t.Errorf("%s: %v", name, err)
		}
	}
	w.nobodyTwice()
}

// Many who walk in at once for a visit are taken by as many people as there are, each of them once.
func TestContestOfWalkInsForVisits(t *testing.T) {
	w := newWorld(t)
	w.cut("cut", 3, 30)
	w.cut("nails", 3, 30)
	w.at("+1 09:07")
	var taken atomic.Int32
	var group sync.WaitGroup
	for range 9 {
		group.Go(func() {
			in := visit("", "", "cut", "nails")
			in.WalkIn, in.Invitee = true, booking.Invitee{}
			_, err := w.BookVisit(t.Context(), w.API, in)
			if err == nil {
				taken.Add(1)
			} else if e := fault.As(err); e == nil || e.Reason != "slot_taken" {
				t.Errorf("refused: %v", err)
			}
		})
	}
	group.Wait()
	if taken.Load() != 3 {
		t.Errorf("%d are taken by three people", taken.Load())
	}
	w.nobodyTwice()
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

// Who may not see all customers learns from a walk-in's correction neither a customer's name nor who is one.
func TestWalkInsTellNobodyWhoIsACustomer(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 3, nil)
	ctx := t.Context()
	_, err := w.Book(ctx, w.API, apptest.Input("cut", "1T15", "Bo"))
	w.Must(err)
	known := w.everybody()[0]
	staff := app.Actor{Kind: booking.ByOwner, User: 7, Role: app.StaffRole, Host: 1, Workspace: w.Workspace.ID}
	b, err := w.Book(ctx, staff, walkIn("cut", "1T09"))
	w.Must(err)
	var said []string
	for _, email := range []string{known.Email, "nobody@mail.example"} {
		_, err := w.Edit(ctx, staff, b.ID.String(), patch(t, `{"invitee":{"email":"`+email+`"}}`), b.ETag())
		said = append(said, w.Refused(err, fault.BadRequest, "invalid").Error())
	}
	if said[0] != said[1] {
		t.Errorf("%q, and of nobody %q", said[0], said[1])
	}
	b, err = w.Edit(ctx, staff, b.ID.String(), patch(t, `{"invitee":{"name":"Al","email":"`+known.Email+`"}}`), b.ETag())
	w.Must(err)
	if b.Invitee.Name != "Al" || b.Contact != nil || w.Again(b).ContactID != known.ID || len(w.everybody()) != 1 {
		t.Errorf("%+v, contact %+v", b.Invitee, b.Contact)
	}
}

// The customer of a walk-in's visit is that of all its services, also of those that others do, and those that were
// named or moved before.
func TestCustomersOfVisitsOfWalkIns(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 3, nil)
	w.offer("wash", 3, nil)
	ctx := t.Context()
	visit := func(start string) booking.Visit {
		t.Helper()
		v, err := w.BookVisit(ctx, w.Owner, booking.VisitInput{Start: apptest.At(start),
			Items: []booking.VisitItem{{EventType: "cut"}, {EventType: "wash"}}})
		w.Must(err)
		return v
	}
	edit := func(a app.Actor, b booking.Booking, text string) error {
		t.Helper()
		_, err := w.Edit(ctx, a, b.ID.String(), patch(t, text), "")
		return err
	}
	v := visit("1T09")
	w.Must(edit(w.Owner, v.Items[1], `{"invitee":{"name":"Anna"}}`)) // of this service only
	w.Must(edit(w.Owner, v.Items[0], `{"invitee":{"name":"Bo","email":"bo@mail.example"}}`))
	for _, item := range v.Items {
		if now := w.Again(item); now.Invitee.Name != "Bo" || now.ContactID == 0 {
			t.Errorf("%s is of %+v, %s", item.EventType, now.Invitee, now.ContactID)
		}
	}

	v = visit("2T09")
	_, err := w.Book(ctx, w.Owner, booking.BookInput{EventType: "wash", Start: apptest.At("2T10"),
		Invitee: booking.Invitee{Name: "Bo", Email: "bo@mail.example"}})
	w.Must(err)
	w.Refused(edit(w.Owner, v.Items[0], `{"invitee":{"email":"bo@mail.example"}}`), fault.Conflict, "already_booked")

	in := booking.VisitInput{Start: apptest.At("3T09"), Items: []booking.VisitItem{{EventType: "cut",
		Host: catalog.HostID(1).String()}, {EventType: "wash", Host: catalog.HostID(2).String()}}}
	v, err = w.BookVisit(ctx, w.Owner, in)
	w.Must(err)
	staff := app.Actor{Kind: booking.ByOwner, User: 7, Role: app.StaffRole, Host: 1, Workspace: w.Workspace.ID}
	w.Refused(edit(staff, v.Items[0], `{"invitee":{"name":"Al","email":"al@mail.example"}}`), fault.Forbidden, "role")
	if now := w.Again(v.Items[0]); now.ContactID != 0 || now.Invitee.Name != booking.WalkIn {
		t.Errorf("refused, and of %+v", now.Invitee)
	}
	_, err = w.Cancel(ctx, w.Owner, v.Items[1].ID.String(), booking.CancelInput{})
	w.Must(err)
	w.Must(edit(staff, v.Items[0], `{"invitee":{"name":"Al","email":"al@mail.example"}}`)) // all that is left is theirs
	if now := w.Again(v.Items[1]); now.ContactID != 0 || now.Invitee.Name != booking.WalkIn {
		t.Errorf("cancelled, and of %+v", now.Invitee)
	}
}

// One correction gives a service of a walk-in's visit to somebody else and names the customer: the other service takes
// the buffers that the two then no longer share, or leaves those that they share now.
func TestCustomerAndHostOfAWalkInAtOnce(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 2, func(e *catalog.EventType) { e.BufferBeforeMinutes, e.BufferAfterMinutes = 5, 10 })
	by := func(h catalog.HostID) booking.VisitItem { return booking.VisitItem{EventType: "cut", Host: h.String()} }
	for _, c := range []struct {
		start         string
		first, second booking.VisitItem
		to            catalog.HostID
		before, after int // of the second, before the correction and after it
	}{{"1T10", by(1), by(1), 2, 0, 5}, {"2T10", by(2), by(1), 1, 5, 0}} {
		v, err := w.BookVisit(t.Context(), w.Owner, booking.VisitInput{Start: apptest.At(c.start),
			Items: []booking.VisitItem{c.first, c.second}})
		w.Must(err)
		w.margins(c.start, &v.Items[1], c.before, 10)
		_, err = w.Edit(t.Context(), w.Owner, v.Items[0].ID.String(), patch(t, `{"invitee":{"name":"Bo","phone":"030 901820"},`+
			`"host":"`+c.to.String()+`"}`), "")
		w.Must(err)
		now := w.Again(v.Items[1])
		w.margins(c.start+", after it", &now, c.after, 10)
		if now.Invitee.Name != "Bo" || now.ContactID == 0 {
			t.Errorf("of %+v, %s", now.Invitee, now.ContactID)
		}
	}
	w.nobodyTwice()
}
