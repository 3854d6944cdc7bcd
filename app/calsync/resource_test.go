package calsync_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/calsync"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/slot"
	"daybook/app/webhook"
)

// studio adds a room of which each cut needs one, and connects the server's calendar for it.
func (b *bed) studio() catalog.Resource {
	b.T.Helper()
	r, err := b.Shop.AddResource(b.T.Context(), b.Owner, catalog.Resource{Name: "Studio", Kind: catalog.Room})
	b.Must(err)
	b.needs(catalog.DuringAll, r.ID)
	b.connection, err = b.Calendars.ConnectCalendars(b.T.Context(), b.Owner, calsync.Input{Host: r.ID.String(),
		Kind: calsync.CalDAV, Address: "https://8.8.8.8/dav", User: "studio", Password: "secret"})
	if b.Must(err); b.connection.Resource != r.ID || b.connection.Host != 0 {
		b.T.Fatalf("connected for %+v", b.connection.CalendarOwner)
	}
	return r
}

func (b *bed) needs(during catalog.During, ids ...catalog.ResourceID) {
	b.T.Helper()
	_, err := b.Shop.ChangeEventType(b.T.Context(), b.Owner, "cut", func(_ *catalog.Setup, e *catalog.EventType) error {
		e.Needs = []catalog.Need{{OneOf: ids, During: during}}
		return nil
	})
	b.Must(err)
}

// answer explains Tuesday.
func (b *bed) answer() *availability.Result {
	b.T.Helper()
	one := 1
	v, err := b.Availability(b.T.Context(), b.API, availability.Input{EventType: "cut", From: "2026-12-01", Days: &one, Explain: true})
	b.Must(err)
	return v
}

// While the calendar of a room is busy nothing is offered or booked in it, as while its host is: the answer names the room.
// Whoever may waive busy books it anyhow, but never into another booking of the room.
func TestBusyRoomsTakeNoBookings(t *testing.T) {
	b := newBed(t)
	b.server.busy("lesson", "2026-12-01T08:30:00Z", "2026-12-01T10:30:00Z")
	studio := b.studio()
	v := b.answer()
	var open, closed []string
	for _, s := range v.Slots() {
		open = append(open, s.Start.String()[11:16])
	}
	for _, c := range v.Closed() {
		if c.Reason == slot.Busy && (len(c.Resources) != 1 || c.Resources[0].ID != studio.ID) {
			t.Errorf("%s is busy in %v", c.Start, c.Resources)
		}
		if c.Reason == slot.Busy {
			closed = append(closed, c.Start.String()[11:16])
		}
	}
	if want := []string{"11:00", "12:00", "13:00", "14:00", "15:00"}; !slices.Equal(open, want) || fmt.Sprint(closed) != "[08:00 09:00 10:00]" {
		t.Errorf("open %v, busy %v", open, closed)
	}
	in := booking.BookInput{EventType: "cut", Start: "2026-12-01T09:00:00Z", Invitee: booking.Invitee{Name: "Jo", Email: "jo@mail.example"}}
	_, err := b.Book(t.Context(), b.API, in)
	b.Refused(err, fault.Conflict, "slot_taken")
	_, err = b.Book(t.Context(), b.Owner, in)
	b.Refused(err, fault.Conflict, "slot_taken")
	if got := fmt.Sprint(fault.As(err).Details["reasons"]); got != "[busy]" {
		t.Errorf("refused for %s", got)
	}
	in.Override = []string{"busy"}
	made, err := b.Book(t.Context(), b.Owner, in)
	if b.Must(err); len(made.Resources) != 1 || made.Resources[0].ID != studio.ID {
		t.Errorf("it takes %v", made.Resources)
	}
	found, err := b.Calendars.CalendarClashes(t.Context(), b.Owner, 5)
	if b.Must(err); !slices.Equal(found, []booking.BookingID{made.ID}) {
		t.Errorf("clashes %v, want %s", found, made.ID)
	}
	in.Invitee.Email, in.Override = "mo@mail.example", []string{"busy", "buffer", "time_off", "outside_hours"}
	_, err = b.Book(t.Context(), b.Owner, in)
	b.Refused(err, fault.Conflict, "slot_taken")
	busy, _, err := b.Calendars.ResourceBusyTimes(t.Context(), b.Owner, time.UnixMilli(ms("2026-12-01T00:00:00Z")), time.UnixMilli(ms("2026-12-02T00:00:00Z")))
	if b.Must(err); len(busy[studio.ID]) != 1 {
		t.Errorf("the room is busy %v", busy)
	}

	// What is gone there, or is not to block, is free again; and a move finds it so.
	b.server.with(func() { delete(b.server.items, "lesson") })
	b.Clock.Advance(2 * time.Minute)
	_, err = b.Reschedule(t.Context(), b.API, made.ID.String(), app.RescheduleInput{Start: "2026-12-01T10:00:00Z"})
	b.Must(err)
}

// Another room that serves is taken in place of a busy one, and only the busy one while it is not to block.
func TestAnotherRoomIsTaken(t *testing.T) {
	b := newBed(t)
	b.server.busy("lesson", "2026-12-01T08:30:00Z", "2026-12-01T10:30:00Z")
	studio := b.studio()
	attic, err := b.Shop.AddResource(t.Context(), b.Owner, catalog.Resource{Name: "Attic"})
	b.Must(err)
	b.needs(catalog.DuringAll, studio.ID, attic.ID)
	in := booking.BookInput{EventType: "cut", Start: "2026-12-01T09:00:00Z", Invitee: booking.Invitee{Name: "Jo", Email: "jo@mail.example"}}
	made, err := b.Book(t.Context(), b.API, in)
	if b.Must(err); made.Resources[0].ID != attic.ID {
		t.Errorf("it takes %v", made.Resources)
	}
	for _, k := range b.connection.Calendars {
		b.Must(b.Calendars.ChooseCalendars(t.Context(), b.Owner, b.connection.ID.String(), map[calsync.CalendarID]calsync.Choice{k.ID: {}}))
	}
	moved, err := b.Reschedule(t.Context(), b.API, made.ID.String(), app.RescheduleInput{Start: "2026-12-01T10:00:00Z"})
	if b.Must(err); moved.Resources[0].ID != attic.ID { // kept where it is free
		t.Errorf("moved it takes %v", moved.Resources)
	}
	in.Invitee.Email, in.Start = "mo@mail.example", "2026-12-01T08:00:00Z"
	if made, err = b.Book(t.Context(), b.API, in); err != nil || made.Resources[0].ID != studio.ID {
		t.Errorf("then %v takes %v", err, made.Resources)
	}
}

// A room that is needed only for the work may be busy in the wait.
func TestRoomsMayBeBusyInTheWait(t *testing.T) {
	b := newBed(t)
	b.server.busy("lesson", "2026-12-01T08:20:00Z", "2026-12-01T08:40:00Z")
	studio := b.studio()
	_, err := b.Shop.ChangeEventType(t.Context(), b.Owner, "cut", func(_ *catalog.Setup, e *catalog.EventType) error {
		e.Parts = []catalog.Part{{Work: 20}, {Wait: 20}, {Work: 20}}
		return nil
	})
	b.Must(err)
	has := func() bool {
		return slices.ContainsFunc(b.answer().Slots(), func(s availability.Slot) bool { return s.Start.String()[11:16] == "08:00" })
	}
	if has() {
		t.Error("it is offered though the room is needed all the while")
	}
	if b.needs(catalog.DuringWork, studio.ID); !has() {
		t.Error("it is not offered though the room is needed only for the work")
	}
}

// A room whose calendar can't be read is booked anyhow, or else not, as it says: then another one is.
func TestRoomsThatNobodyCanRead(t *testing.T) {
	b := newBed(t)
	studio := b.studio()
	b.server.with(func() { b.server.fails = calsync.ErrSignIn })
	b.Clock.Advance(2 * time.Minute)
	in := booking.BookInput{EventType: "cut", Start: "2026-12-01T09:00:00Z", Invitee: booking.Invitee{Name: "Jo", Email: "jo@mail.example"}}
	made, err := b.Book(t.Context(), b.API, in)
	b.Must(err)
	_, err = b.Shop.ChangeResource(t.Context(), b.Owner, studio.ID.String(), func(r *catalog.Resource) error {
		r.WhenCalendarUnknown = catalog.RefuseUnknown
		return nil
	})
	b.Must(err)
	in.Start, in.Invitee.Email = "2026-12-01T11:00:00Z", "mo@mail.example"
	b.Clock.Advance(2 * time.Minute)
	_, err = b.Book(t.Context(), b.API, in)
	b.Refused(err, fault.Conflict, "calendar_unknown")
	_, err = b.Reschedule(t.Context(), b.API, made.ID.String(), app.RescheduleInput{Start: "2026-12-01T13:00:00Z"})
	b.Refused(err, fault.Conflict, "calendar_unknown")
	attic, err := b.Shop.AddResource(t.Context(), b.Owner, catalog.Resource{Name: "Attic"})
	b.Must(err)
	b.needs(catalog.DuringAll, studio.ID, attic.ID)
	if made, err = b.Book(t.Context(), b.API, in); err != nil || made.Resources[0].ID != attic.ID {
		t.Errorf("%v, it takes %v", err, made.Resources)
	}
}

// Owners and managers connect the calendars of rooms; staff neither connect nor see them, and nothing is written there.
func TestWhoConnectsRooms(t *testing.T) {
	b := newBed(t)
	studio := b.studio()
	staff := app.Actor{Kind: booking.ByOwner, Workspace: b.Workspace.ID, User: 9, Role: app.StaffRole, Host: 2}
	all, err := b.Calendars.CalendarConnections(t.Context(), staff)
	if b.Must(err); len(all) != 0 {
		t.Errorf("staff see %d", len(all))
	}
	_, err = b.Calendars.ReadCalendars(t.Context(), staff, b.connection.ID.String())
	b.Refused(err, fault.NotFound, "")
	own, err := b.Calendars.ConnectCalendars(t.Context(), staff, calsync.Input{Host: studio.ID.String(), Kind: calsync.CalDAV,
		Address: "https://8.8.8.8/dav", User: "bob", Password: "secret"})
	if b.Must(err); own.Host != 2 || own.Resource != 0 {
		t.Errorf("staff connect for %+v", own.CalendarOwner)
	}
	for _, k := range b.connection.Calendars {
		err := b.Calendars.ChooseCalendars(t.Context(), b.Owner, b.connection.ID.String(), map[calsync.CalendarID]calsync.Choice{k.ID: {Blocks: true, Target: true}})
		b.Refused(err, fault.BadRequest, "invalid")
	}
	b.server.busy("lesson", "2026-12-01T08:30:00Z", "2026-12-01T10:30:00Z")
	b.read()
	_, err = b.Calendars.DisconnectCalendars(t.Context(), b.Owner, b.connection.ID.String(), false)
	if b.Must(err); len(b.answer().Closed()) > 3 {
		t.Errorf("disconnected, closed are %v", b.answer().Closed())
	}
	setup, err := b.Setup(b.Workspace.ID)
	if b.Must(err); setup.Resource(studio.ID).Connected {
		t.Error("the room still has calendars")
	}
}

// That the sign-in to a room's calendar is refused is mailed to the owners, and an event names the room; that of hosts'
// calendars, which always names a host, says nothing.
func TestOwnersAreToldOfRooms(t *testing.T) {
	b := newBed(t)
	_, err := b.Account.CreateUser(t.Context(), app.Operator(b.Workspace.ID), account.UserInput{Email: "boss@salon.example", Role: app.OwnerRole})
	b.Must(err)
	studio := b.studio()
	var endpoints []webhook.NewEndpoint
	for _, kind := range []string{"resource.calendar_failed", "calendar.failed"} {
		e, err := b.Webhook.CreateEndpoint(t.Context(), b.Owner, webhook.EndpointInput{URL: "https://93.184.216.34/hook", Events: []string{kind}})
		b.Must(err)
		endpoints = append(endpoints, e)
	}
	b.server.with(func() { b.server.fails = calsync.ErrSignIn })
	b.read()
	for i, e := range endpoints {
		sent, err := b.Webhook.Deliveries(t.Context(), b.Owner, webhook.ListDeliveriesInput{Endpoint: e.ID.String()})
		b.Must(err)
		if len(sent.Data) != 1-i {
			t.Fatalf("endpoint %d: %d events", i, len(sent.Data))
		}
		for _, one := range sent.Data {
			body, err := b.Webhook.EventBody(t.Context(), b.Owner, one.EventID)
			b.Must(err)
			if want := `"resource":{"id":"` + studio.ID.String() + `","name":"Studio"}`; !strings.Contains(string(body), want) ||
				!strings.Contains(string(body), `"id":"`+b.connection.ID.String()+`"`) {
				t.Errorf("%s", body)
			}
		}
	}
	if got := told(b.Salon); !slices.Equal(got, []string{"boss@salon.example"}) || b.connection.ToldAt == 0 {
		t.Errorf("mailed %q", got)
	}
}

// A visit doesn't go through a room while the room is busy: its times are those at which it can be booked.
func TestVisitsPassBusyRooms(t *testing.T) {
	b := newBed(t)
	b.server.busy("lesson", "2026-12-01T09:00:00Z", "2026-12-01T10:00:00Z")
	b.studio()
	b.Offer("wash", 60, func(e *catalog.EventType) { e.Hosts = e.Hosts[:1] })
	items := []booking.VisitItem{{EventType: "wash"}, {EventType: "cut"}} // the cut is second, in the room
	one := 1
	found, err := b.VisitAvailability(t.Context(), b.API, availability.VisitInput{Items: items,
		Input: availability.Input{From: "2026-12-01", Days: &one}})
	b.Must(err)
	var open []string
	for _, s := range found.Data {
		open = append(open, s.Start.String()[11:16])
	}
	if want := []string{"09:00", "10:00", "11:00", "12:00", "13:00", "14:00"}; !slices.Equal(open, want) {
		t.Errorf("open %v, want %v", open, want)
	}
	in := booking.VisitInput{Items: items, Start: "2026-12-01T08:00:00Z", Invitee: booking.Invitee{Name: "Jo", Email: "jo@mail.example"}}
	_, err = b.BookVisit(t.Context(), b.API, in)
	b.Refused(err, fault.Conflict, "slot_taken")
	in.Start = "2026-12-01T09:00:00Z"
	_, err = b.BookVisit(t.Context(), b.API, in)
	b.Must(err)
}
