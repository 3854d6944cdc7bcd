package calsync_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest"
	"daybook/app/calsync"
	"daybook/app/catalog"
	"daybook/app/mail"
	"daybook/app/webhook"
)

// told lists who was mailed that a calendar refuses the sign-in, the oldest first.
func told(s *apptest.Salon) (to []string) {
	s.T.Helper()
	limit := 100
	page, err := s.Mail.Mails(s.T.Context(), app.Operator(s.Workspace.ID), mail.ListInput{Limit: &limit})
	s.Must(err)
	for _, m := range slices.Backward(page.Data) {
		if m.Kind == catalog.MailTeamCalendar {
			to = append(to, m.To)
		}
	}
	return to
}

func (b *bed) email(host catalog.HostID, email string) {
	b.T.Helper()
	_, err := b.Shop.ChangeHost(b.T.Context(), b.Owner, host.String(), func(h *catalog.Host) error {
		h.Email = email
		return nil
	})
	b.Must(err)
}

// A host is mailed once that the sign-in is refused, and again when it was good in between.
func TestARefusedSignInIsMailedOnce(t *testing.T) {
	b := newBed(t)
	b.email(1, "ana@salon.example")
	b.connect()
	b.target(calsync.Details{})
	e, err := b.Webhook.CreateEndpoint(t.Context(), b.Owner, webhook.EndpointInput{URL: "https://93.184.216.34/hook", Events: []string{"calendar.failed"}})
	b.Must(err)
	reads := func(fails error, want int) {
		t.Helper()
		b.server.with(func() { b.server.fails = fails })
		b.read()
		if got := told(b.Salon); len(got) != want || want > 0 && got[want-1] != "ana@salon.example" {
			t.Errorf("after %v these were mailed: %q, want %d", fails, got, want)
		}
		if is := b.connection.ToldAt != 0; is != (b.connection.State == calsync.Refused || fails != nil && want > 0) {
			t.Errorf("after %v it is %s, told at %s", fails, b.connection.State, b.connection.ToldAt)
		}
	}
	reads(&calsync.Status{Code: 500}, 0)
	reads(calsync.ErrSignIn, 1)
	reads(calsync.ErrSignIn, 1)
	reads(&calsync.Status{Code: 500}, 1) // not good in between
	reads(calsync.ErrSignIn, 1)
	reads(nil, 1)
	reads(calsync.ErrSignIn, 2)
	sent, err := b.Webhook.Deliveries(t.Context(), b.Owner, webhook.ListDeliveriesInput{Endpoint: e.ID.String()})
	b.Must(err)
	if len(sent.Data) != 2 {
		t.Fatalf("%d events", len(sent.Data))
	}
	body, err := b.Webhook.EventBody(t.Context(), b.Owner, sent.Data[0].EventID)
	b.Must(err)
	if !strings.Contains(string(body), `"event":"calendar.failed"`) || !strings.Contains(string(body), `"data":{"id":"`+b.connection.ID.String()+`"`) {
		t.Errorf("%s", body)
	}
}

// The loop's readings mail, too, and one whose claim was lost mails nobody.
func TestALostReadingTellsNobody(t *testing.T) {
	b := newBed(t)
	b.email(1, "ana@salon.example")
	b.connect()
	goOn := make(chan struct{})
	reads := 0
	b.server.with(func() { b.server.late, b.server.fails, reads = goOn, calsync.ErrSignIn, b.server.told })
	done := make(chan error)
	go func() {
		_, err := b.Calendars.ReadCalendars(t.Context(), b.Owner, b.connection.ID.String())
		done <- err
	}()
	apptest.Eventually(t, "the calendar is asked", func() (asked bool) {
		b.server.with(func() { asked = b.server.told > reads })
		return asked
	})
	b.Must(b.SQL(`UPDATE calendar_connections SET due_ms = due_ms + 1`)) // somebody else has claimed it
	close(goOn)
	b.Must(<-done)
	if got := told(b.Salon); len(got) != 0 {
		t.Errorf("mailed %q", got)
	}
}

// A host without an address is told by way of the owners; a business that wants none of these mails gets none, and is
// told once it does.
func TestWhoIsToldOfARefusedSignIn(t *testing.T) {
	b := newBed(t)
	b.Must(b.SQL(`UPDATE hosts SET email = ''`)) // as old ones may have it
	for _, u := range []account.UserInput{{Email: "boss@salon.example", Role: app.OwnerRole},
		{Email: "desk@salon.example", Role: app.StaffRole}} {
		_, err := b.Account.CreateUser(t.Context(), app.Operator(b.Workspace.ID), u)
		b.Must(err)
	}
	off := func(kinds ...catalog.MailKind) {
		t.Helper()
		_, err := b.Shop.UpdateWorkspace(t.Context(), b.Owner, func(w *catalog.Workspace) { w.Settings.MailsOff = kinds })
		b.Must(err)
	}
	b.connect()
	off(catalog.MailTeamCalendar)
	b.server.with(func() { b.server.fails = calsync.ErrSignIn })
	b.read()
	if got := told(b.Salon); len(got) != 0 {
		t.Errorf("with these mails off: %q", got)
	}
	off()
	b.Clock.Advance(time.Hour)
	b.read()
	if got := strings.Join(told(b.Salon), " "); got != "boss@salon.example" {
		t.Errorf("mailed %q", got)
	}
}
