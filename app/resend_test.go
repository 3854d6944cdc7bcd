package app_test

import (
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
)

// A mail that says an end, a host or a state that isn't true any more is not sent again.
func TestResendTellsTheTruth(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 2, func(e *catalog.EventType) { e.MailsOff = []catalog.MailKind{catalog.MailMoved} })
	w.offer("talk", 1, func(e *catalog.EventType) {
		e.RequiresApproval, e.MailsOff = true, []catalog.MailKind{catalog.MailApproved, catalog.MailTeamNew}
	})
	ctx := t.Context()
	for what, change := range map[string]func(id string) error{
		"length": func(id string) error {
			_, err := w.Edit(ctx, w.API, id, patch(t, `{"end":"2026-12-03T10:30:00Z"}`), "")
			return err
		},
		"host": func(id string) error {
			_, err := w.Edit(ctx, w.API, id, patch(t, `{"host":"`+catalog.HostID(2).String()+`"}`), "")
			return err
		},
		"approved": func(id string) error { _, err := w.Confirm(ctx, w.Owner, id); return err },
	} {
		kind := map[bool]string{true: "talk", false: "cut"}[what == "approved"]
		in := apptest.Input(kind, "3T09", "bo"+what)
		in.Host = catalog.HostID(1).String()
		b, err := w.Book(ctx, w.API, in)
		w.Must(err)
		w.sendMails()
		w.Must(change(b.ID.String()))
		w.sendMails()
		w.Clock.Advance(time.Minute)
		_, err = w.Mail.SendAgain(ctx, w.API, b.ID.String())
		w.Refused(err, fault.Conflict, "overtaken")
		_, err = w.Cancel(ctx, w.API, b.ID.String(), booking.CancelInput{})
		w.Must(err)
	}
}

// A mail that has just gone out is not sent again, nor is one that went out often.
func TestResendHasLimits(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	b := w.Booked("cut", "3T09", "bo")
	w.sendMails()
	again := func() error {
		m, err := w.Mail.SendAgain(t.Context(), w.API, b.ID.String())
		if err == nil && m.To != "bo@mail.example" {
			t.Errorf("to %s", m.To)
		}
		return err
	}
	e := w.Refused(again(), fault.Conflict, "sent_lately")
	if e.Details["retryAfter"] != 60 {
		t.Errorf("%v", e.Details)
	}
	for n := range 10 {
		w.Clock.Advance(time.Minute)
		w.Must(again())
		if sent := w.sendMails(); len(sent) != 1 || sent[0].Resends != n+1 {
			t.Errorf("sent %+v", sent)
		}
		w.Refused(again(), fault.Conflict, map[bool]string{false: "sent_lately", true: "sent_often"}[n == 9])
	}
	w.Clock.Advance(time.Hour)
	w.Refused(again(), fault.Conflict, "sent_often")
}
