package app_test

import (
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/app/webhook"
	"daybook/app/when"
)

// imported imports an appointment from a time to another.
func (w *world) imported(slug, from, to string, with func(*booking.ImportInput)) (b booking.Booking, err error) {
	w.T.Helper()
	c, _, err := w.People.CreateContact(w.T.Context(), w.Owner, booking.ContactInput{Name: "Ada", Email: "ada@mail.example"})
	w.Must(err)
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	at := func(text string) when.Instant {
		x, err := time.Parse("2006-01-02T15:04", text)
		w.Must(err)
		return when.At(x)
	}
	in := booking.ImportInput{EventType: setup.EventType(slug).ID, Host: 1, Start: at(from), End: at(to), Contact: c.ID,
		Invitee:  booking.Invitee{Name: "Ada", Email: "ada@mail.example"},
		Price:    &money.Money{Amount: 4500, Currency: "EUR"},
		Imported: booking.ImportedRef{From: "acuity", ID: from}}
	if with != nil {
		with(&in)
	}
	err = w.Write(w.T.Context(), func(tx app.Tx) error {
		im, err := w.Service.In(tx).Importing(w.T.Context(), w.Owner, []booking.ImportInput{in})
		if err == nil {
			b, err = im.Book(in)
		}
		return err
	})
	return b, err
}

// What another program has kept becomes bookings of which nobody is told: what is to come takes its time, and what was
// is kept even where something else was.
func TestImportedBooking(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, func(e *catalog.EventType) { e.BufferAfterMinutes = 15 })
	w.at("+1 12:00")
	b, err := w.imported("cut", "2026-12-03T07:10", "2026-12-03T07:50", func(in *booking.ImportInput) {
		in.CreatedAt = when.At(time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC))
	})
	w.Must(err)
	if got := w.Again(b); got.Status != booking.Confirmed || *got.Imported != (booking.ImportedRef{From: "acuity", ID: "2026-12-03T07:10"}) ||
		got.BusyEnd != got.End.Add(15*time.Minute) || got.CreatedAt.String() != "2026-05-01T00:00:00Z" || got.Due.Amount != 4500 {
		t.Errorf("to come: %+v, due %v", got, got.Due)
	}
	if got := w.Written(b); len(got) > 0 {
		t.Errorf("mails were written: %q", got)
	}
	close, err := w.imported("cut", "2026-12-03T07:50", "2026-12-03T08:00", nil)
	if w.Must(err); close.BusyStart != close.Start || close.BusyEnd != close.End {
		t.Errorf("where the buffer doesn't fit: %+v", close.Taken)
	}
	_, err = w.imported("cut", "2026-12-03T07:30", "2026-12-03T08:30", nil)
	w.Refused(err, fault.Conflict, "slot_taken")

	was, err := w.imported("cut", "2026-11-20T09:00", "2026-11-20T10:00", nil)
	w.Must(err)
	twice, err := w.imported("cut", "2026-11-20T09:30", "2026-11-20T10:30", nil)
	w.Must(err)
	missed, err := w.imported("cut", "2026-11-21T09:30", "2026-11-21T10:30", func(in *booking.ImportInput) { in.NoShow = true })
	w.Must(err)
	was, twice, missed = w.Again(was), w.Again(twice), w.Again(missed)
	if was.Untimed || !twice.Untimed || twice.Status != booking.Confirmed || twice.Due.Amount != 0 || was.Due.Amount != 0 ||
		missed.Status != booking.NoShow {
		t.Errorf("what was: %+v, %+v, %+v", was, twice, missed)
	}
	history, err := w.History(t.Context(), w.Owner, twice.ID.String())
	if w.Must(err); len(history) != 1 || history[0].Action != booking.ActImported {
		t.Errorf("history %+v", history)
	}
	events, err := w.Webhook.Events(t.Context(), w.Owner, webhook.ListEventsInput{})
	w.Must(err)
	for _, e := range events.Data {
		if !strings.Contains(string(e), `"imported":true,"data":`) {
			t.Errorf("an event doesn't say that it was imported: %s", e)
		}
	}
	if len(events.Data) != 5 {
		t.Errorf("%d events", len(events.Data))
	}
}

// What waits for approval there waits for it here, until it starts; its answers are kept.
func TestImportedRequest(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	w.at("+1 12:00")
	asks, err := w.imported("cut", "2026-12-03T10:00", "2026-12-03T10:30", func(in *booking.ImportInput) {
		in.Pending, in.Answers = true, map[string]any{"length": "short"}
	})
	w.Must(err)
	if got := w.Again(asks); got.Status != booking.Pending || *got.PendingReason != booking.ForApproval || got.ExpiresAt != got.Start ||
		got.Answers["length"] != "short" || len(w.Written(asks)) > 0 {
		t.Errorf("what waits for approval: %+v, mails %q", got, w.Written(asks))
	}
	if got, err := w.Confirm(t.Context(), w.Owner, asks.ID.String()); err != nil || got.Status != booking.Confirmed {
		t.Errorf("approved: %v %v", got.Status, err)
	}
}
