package app_test

import (
	"encoding/json"
	netmail "net/mail"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/mail"
	"daybook/app/money"
)

// patch reads an edit as a client writes it.
func patch(t *testing.T, text string) (in booking.EditInput) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &in); err != nil {
		t.Fatal(err)
	}
	return in
}

// Every kind of edit: what the rules say to it, and what becomes of the booking, its history and its events.
func TestEdit(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 2, func(e *catalog.EventType) { e.BufferAfterMinutes = 10; e.SlotStepMinutes = 10 })
	w.offer("colour", 3, func(e *catalog.EventType) {
		e.DurationMinutes, e.Location, e.Price = 120, "Upstairs", &money.Money{Amount: 9000, Currency: "EUR"}
	})
	w.offer("wash", 1, func(e *catalog.EventType) { e.Active = false })
	w.offer("class", 1, func(e *catalog.EventType) { e.Seats = 3 })
	w.offer("talk", 3, func(e *catalog.EventType) { e.RequiresApproval = true })
	ctx := t.Context()
	w.endpoint("*")
	on := func(eventType, start, person, host string) booking.Booking {
		t.Helper()
		in := apptest.Input(eventType, start, person)
		in.Host = host
		b, err := w.Book(ctx, w.API, in)
		w.Must(err)
		return b
	}
	ana, bob, cyd := catalog.HostID(1).String(), catalog.HostID(2).String(), catalog.HostID(3).String()
	b := on("cut", "1T09", "bo", ana)
	on("cut", "1T11", "al", ana)
	on("colour", "1T09", "bo", cyd)
	staff := app.Actor{Kind: booking.ByOwner, User: 7, Role: app.StaffRole, Host: 1, Workspace: w.Workspace.ID}
	for _, step := range []struct {
		by           app.Actor
		patch        string
		code, reason string // "" is done
		field        string
		end, host    string
		status       booking.Status
		count        int
	}{
		{w.API, `{}`, "", "", "", "10:00", ana, booking.Confirmed, 0},
		{w.API, `{"end":"2026-12-01T11:00:00+01:00"}`, "", "", "", "10:00", ana, booking.Confirmed, 0}, // as it is
		{w.API, `{"end":"2026-12-01T10:30:00Z"}`, "", "", "", "10:30", ana, booking.Rescheduled, 1},
		{w.API, `{"end":"2026-12-01T10:51:00Z"}`, "conflict", "slot_taken", "", "10:30", ana, booking.Rescheduled, 1}, // the buffer
		{w.API, `{"end":"2026-12-01T09:00:00Z"}`, "bad_request", "invalid", "end", "10:30", ana, booking.Rescheduled, 1},
		{w.API, `{"end":"2026-12-01T10:00:30Z"}`, "bad_request", "invalid", "end", "10:30", ana, booking.Rescheduled, 1},
		{w.API, `{"end":"2026-12-09T10:00:00Z"}`, "bad_request", "invalid", "end", "10:30", ana, booking.Rescheduled, 1},
		{w.API, `{"eventType":"nothing"}`, "not_found", "", "", "10:30", ana, booking.Rescheduled, 1},
		{w.API, `{"eventType":"wash"}`, "bad_request", "inactive", "eventType", "10:30", ana, booking.Rescheduled, 1},
		{w.API, `{"eventType":"colour"}`, "conflict", "already_booked", "", "10:30", ana, booking.Rescheduled, 1},
		{w.API, `{"host":"hs_nobody"}`, "not_found", "", "", "10:30", ana, booking.Rescheduled, 1},
		{w.API, `{"host":"` + cyd + `"}`, "bad_request", "invalid", "host", "10:30", ana, booking.Rescheduled, 1},
		{staff, `{"host":"` + bob + `"}`, "not_found", "", "", "10:30", ana, booking.Rescheduled, 1},
		{staff, `{"end":"2026-12-01T10:20:00Z"}`, "", "", "", "10:20", ana, booking.Rescheduled, 2},
		{w.API, `{"host":"` + bob + `","end":"2026-12-01T16:50:00Z"}`, "bad_request", "outside_hours", "end", "10:20", ana, booking.Rescheduled, 2},
		{w.API, `{"host":"` + bob + `","end":"2026-12-01T15:50:00Z","notes":"Fringe"}`, "", "", "", "15:50", bob, booking.Rescheduled, 3},
		{w.API, `{"invitee":{"name":""}}`, "bad_request", "invalid", "invitee.name", "15:50", bob, booking.Rescheduled, 3},
		{w.API, `{"metadata":{"a b":"x"}}`, "bad_request", "invalid", "metadata", "15:50", bob, booking.Rescheduled, 3},
		{w.API, `{"invitee":{"name":"Bo Berg"},"metadata":{"k":"v"}}`, "", "", "", "15:50", bob, booking.Rescheduled, 3},
	} {
		got, err := w.Edit(ctx, step.by, b.ID.String(), patch(t, step.patch), "")
		if e := fault.As(err); step.code == "" && err != nil || step.code != "" && (e == nil || string(e.Code) != step.code ||
			e.Reason != step.reason || e.Field != step.field) {
			t.Fatalf("%s: %#v", step.patch, err)
		}
		if now := w.Again(b); err == nil && got.UpdatedAt != now.UpdatedAt || now.End.Time().UTC().Format("15:04") != step.end ||
			now.Host.ID.String() != step.host || now.Status != step.status || now.RescheduleCount != step.count {
			t.Fatalf("%s: until %s with %s, %s, %d", step.patch, now.End, now.Host.Name, now.Status, now.RescheduleCount)
		}
	}
	now := w.Again(b)
	if now.Notes != "Fringe" || now.Invitee.Name != "Bo Berg" || now.Metadata["k"] != "v" {
		t.Errorf("%+v", now)
	}
	history, err := w.History(ctx, w.API, b.ID.String())
	w.Must(err)
	var did []string
	for _, h := range history {
		did = append(did, string(h.Action)+" "+h.Reason)
	}
	if got := strings.Join(did, ";"); got != "created ;rescheduled ;rescheduled ;rescheduled ;updated notes;updated invitee.name, metadata" {
		t.Error(got)
	}
	if kinds := w.EventKinds(); len(kinds) != 6 || kinds[3] != catalog.BookingRescheduled || kinds[5] != catalog.BookingRescheduled {
		t.Errorf("events: %v", kinds)
	}

	t.Run("service", func(t *testing.T) {
		b := on("cut", "2T09", "cy", bob)
		got, err := w.Edit(ctx, w.Owner, b.ID.String(), patch(t, `{"eventType":"colour"}`), "")
		w.Must(err)
		if got.EventType != "colour" || got.End != b.Start.Add(2*time.Hour) || got.Location != "Upstairs" || got.Price.Amount != 9000 ||
			w.Again(b).EventTypeID != got.EventTypeID || got.BusyEnd != got.End {
			t.Errorf("%+v", got)
		}
		// Who wants that time of the new event type's host waits for it, and finds it taken.
		if _, err := w.Book(ctx, w.API, apptest.Input("cut", "2T10", "al")); err != nil { // with ana
			t.Error(err)
		}
		in := apptest.Input("cut", "2T10", "ed")
		in.Host = bob
		_, err = w.Book(ctx, w.API, in)
		w.Refused(err, fault.Conflict, "slot_taken")
	})
	t.Run("seats", func(t *testing.T) {
		one := on("class", "3T09", "cy", "")
		later := `{"end":"2026-12-03T10:30:00Z"}`
		if _, err := w.Edit(ctx, w.API, one.ID.String(), patch(t, later), ""); err != nil {
			t.Error(err)
		}
		if two := on("class", "3T09", "di", ""); two.End != one.Start.Add(90*time.Minute) {
			t.Errorf("the session ends at %s", two.End)
		}
		_, err := w.Edit(ctx, w.API, one.ID.String(), patch(t, `{"end":"2026-12-03T11:00:00Z"}`), "")
		w.Refused(err, fault.Conflict, "slot_taken")
	})
	t.Run("pending and over", func(t *testing.T) {
		b := on("talk", "4T09", "cy", cyd)
		before := len(w.EventKinds())
		got, err := w.Edit(ctx, w.API, b.ID.String(), patch(t, `{"end":"2026-12-04T10:30:00Z"}`), "")
		if err != nil || got.Status != booking.Pending || len(w.EventKinds()) != before {
			t.Error(got.Status, err)
		}
		_, err = w.act("cancel", b.ID.String(), "")
		w.Must(err)
		_, err = w.Edit(ctx, w.API, b.ID.String(), patch(t, `{"end":"2026-12-04T11:00:00Z"}`), "")
		w.Refused(err, fault.Conflict, "wrong_state")
		if got, err = w.Edit(ctx, w.API, b.ID.String(), patch(t, `{"internalNote":"Was ill"}`), ""); err != nil || got.InternalNote != "Was ill" {
			t.Error(err)
		}
	})
	t.Run("under way", func(t *testing.T) { // longer than planned, which the notice does not forbid
		b := on("cut", "1T13", "cy", ana)
		w.at("+1 13:30")
		if _, err := w.Edit(ctx, w.Owner, b.ID.String(), patch(t, `{"end":"2026-12-01T14:20:00Z"}`), ""); err != nil {
			t.Error(err)
		}
	})
	t.Run("versions", func(t *testing.T) {
		b := on("cut", "4T12", "cy", ana)
		first := b.ETag()
		got, err := w.Edit(ctx, w.API, b.ID.String(), patch(t, `{"notes":"a"}`), `"other", `+first)
		if err != nil || got.ETag() == first || w.Again(b).UpdatedAt != got.UpdatedAt { // the clock stands
			t.Errorf("%s after %s: %v", got.ETag(), first, err)
		}
		_, err = w.Edit(ctx, w.API, b.ID.String(), patch(t, `{"notes":"b"}`), first)
		w.Refused(err, fault.PreconditionFailed, "")
		if w.Again(b).Notes != "a" {
			t.Error("the note is overwritten")
		}
	})
}

// What the business notes for itself reaches its members and full keys, and nobody else: no invitee, read-only key,
// agent, event, mail or calendar.
func TestInternalNoteStaysInside(t *testing.T) {
	const secret = "Owes-us-40"
	w := newWorld(t)
	w.offer("cut", 2, nil)
	ctx := t.Context()
	w.endpoint("*")
	b := w.Booked("cut", "1T09", "bo")
	id := b.ID.String()
	_, err := w.Edit(ctx, w.API, id, patch(t, `{"internalNote":"`+secret+`"}`), "")
	w.Must(err)
	_, err = w.Reschedule(ctx, w.Owner, id, app.RescheduleInput{Start: "2026-12-01T10:00:00Z"})
	w.Must(err)
	feed, err := w.Feed.FeedURL(ctx, w.Owner, "", true)
	w.Must(err)
	token := feed[strings.LastIndexByte(feed, '/')+1 : len(feed)-len(".ics")]
	shown := map[string]any{}
	for name, a := range map[string]app.Actor{"owner": w.Owner, "full key": w.API,
		"read-only key": {Kind: booking.ByAPI, Workspace: w.Workspace.ID, ReadOnly: true},
		"agent":         {Kind: booking.ByAgent, Workspace: w.Workspace.ID},
		"approver":      {Kind: booking.ByOwner, Workspace: w.Workspace.ID, Booking: b.ID},
		"invitee":       {Kind: booking.ByInvitee, Workspace: w.Workspace.ID, Booking: b.ID}} {
		b, err := w.Booking(ctx, a, id)
		w.Must(err)
		text, err := b.AppendJSON(nil)
		w.Must(err)
		slow, err := json.Marshal(&b)
		w.Must(err)
		shown[name] = string(text) + string(slow)
	}
	shown["calendar"], err = w.Feed.CalendarByToken(ctx, token)
	w.Must(err)
	events, err := w.Store.EventsAfter(w.Workspace.ID, 0, 100)
	w.Must(err)
	for _, e := range events {
		shown["event "+e.ID.String()] = string(e.Body)
	}
	_, err = w.Cancel(ctx, w.Owner, id, booking.CancelInput{Reason: "ill"})
	w.Must(err)
	for n := 1; n > 0; {
		n, err = w.Mail.WriteMails(ctx, 100)
		w.Must(err)
	}
	mails, err := w.Mail.Mails(ctx, w.Owner, mail.ListInput{})
	w.Must(err)
	for i := range mails.Data {
		shown["mail "+mails.Data[i].ID.String()], err = mail.Compose(ctx, w.Mail, &mails.Data[i], netmail.Address{})
		w.Must(err)
	}
	if len(mails.Data) < 3 || len(events) < 2 {
		t.Fatalf("%d mails, %d events", len(mails.Data), len(events))
	}
	for name, v := range shown {
		text, err := json.Marshal(v)
		w.Must(err)
		if may := name == "owner" || name == "full key"; strings.Contains(string(text), secret) != may {
			t.Errorf("%s: shown %v, want %v: %s", name, !may, may, text)
		}
	}
}
