package mail_test

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	gosmtp "github.com/emersion/go-smtp"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/mail"
	"daybook/app/mail/smtp"
	"daybook/app/subjects"
)

func TestAMailLeavesAfterTheChange(t *testing.T) {
	x, k := newBed(t), newSink(t, nil, false)
	x.run(k.server(smtp.NoTLS), nil)
	x.book("bo", 30)
	apptest.Eventually(t, "taken", func() bool { return len(k.mails()) == 1 })
	if m := x.tried("bo", 1); m.State != mail.Sent || m.SettledAt == 0 || !strings.HasPrefix(m.Answer, "accepted") {
		t.Errorf("%+v", m)
	}
	got := k.mails()[0]
	if got.from != "book@salon.example" || got.to != "bo@mail.example" {
		t.Errorf("envelope %s → %s", got.from, got.to)
	}
}

// Every way in which a server can fail, and what becomes of the mail: the next one still goes out.
func TestWhatServersAnswer(t *testing.T) {
	for _, c := range []struct {
		name   string
		fail   func(k *sink)
		repair bool // the mail goes out once the server is well
		answer string
	}{
		{"temporary recipient", func(k *sink) { k.rcpt["bo"] = temporary(450) }, true, "450 4.2.0 come back later"},
		{"temporary data", func(k *sink) { k.data["bo"] = temporary(451) }, true, "451 4.2.0 come back later"},
		{"closing", func(k *sink) { k.rcpt["bo"] = temporary(421) }, true, "421 4.2.0 come back later"},
		{"hang-up", func(k *sink) { k.hang["bo"] = true }, true, "EOF"},
		{"sender refused", func(k *sink) { k.from = final(550) }, true, "550 5.1.1 nobody of that name"},
		{"recipient refused", func(k *sink) { k.rcpt["bo"] = final(550) }, false, "550 5.1.1 nobody of that name"},
		{"content refused", func(k *sink) { k.data["bo"] = final(554) }, false, "554 5.1.1 nobody of that name"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, k := newBed(t), newSink(t, nil, false)
			c.fail(k)
			l, _ := x.run(k.server(smtp.NoTLS), nil)
			x.book("bo", 30)
			m := x.tried("bo", 1)
			if !strings.Contains(m.Answer, c.answer) {
				t.Errorf("answer %q", m.Answer)
			}
			wait := m.DueAt.Time().Sub(x.Clock.Now())
			if c.repair && (m.State != mail.Waiting || wait < 50*time.Second || wait > 70*time.Second) || !c.repair && m.State != mail.Failed {
				t.Errorf("%s, again in %v", m.State, wait)
			}
			k.set(func() { clear(k.rcpt); clear(k.data); clear(k.hang); k.from = nil })
			x.Clock.Advance(2 * time.Minute)
			x.book("cy", 40)
			l.Wake()
			if again := x.tried("cy", 1); again.State != mail.Sent {
				t.Errorf("the next one: %+v", again)
			}
			if c.repair {
				if m := x.tried("bo", 2); m.State != mail.Sent {
					t.Errorf("again: %+v", m)
				}
			} else if m := x.tried("bo", 1); m.State != mail.Failed {
				t.Errorf("a final answer was tried again: %+v", m)
			}
			bo := 0
			for _, got := range k.mails() {
				if got.to == "bo@mail.example" {
					bo++
				}
			}
			if want := map[bool]int{true: 1, false: 0}[c.repair]; bo != want {
				t.Errorf("bo got %d mails, want %d", bo, want)
			}
		})
	}
}

func TestAMailIsGivenUpAfter48Hours(t *testing.T) {
	x, k := newBed(t), newSink(t, nil, false)
	k.rcpt["bo"] = temporary(450)
	l, _ := x.run(k.server(smtp.NoTLS), nil)
	b := x.book("bo", 24*9)
	n := 0
	for m := x.tried("bo", 1); m.State == mail.Waiting; m = x.tried("bo", n+1) {
		n++
		x.Clock.Advance(m.DueAt.Time().Sub(x.Clock.Now()))
		l.Wake()
	}
	if passed := x.Clock.Now().Sub(b.CreatedAt.Time()); n < 12 || passed < 40*time.Hour || passed > 48*time.Hour {
		t.Errorf("given up after %d attempts and %v", n+1, passed)
	}
	k.set(func() { clear(k.rcpt) })
	sent, err := l.Send(t.Context(), x.log()[0].ID.String()) // by hand, from the log
	x.Must(err)
	if sent.State != mail.Sent || len(k.mails()) != 1 || !strings.Contains(k.mails()[0].body, "Message-ID: <"+sent.ID.String()+".1@book.example>") {
		t.Errorf("sent again: %+v", sent)
	}
	x.counted(1, n, 1, 0)
}

// counted waits until as many mails are counted.
func (x *bed) counted(sent, failed, givenUp, dropped int) {
	x.T.Helper()
	want, got := fmt.Sprint(sent, failed, givenUp, dropped), ""
	c := x.Mail.Counts()
	apptest.Eventually(x.T, "sent, failed, given up and dropped are counted: "+want, func() bool {
		got = fmt.Sprint(c.Sent.Load(), c.Failed.Load(), c.GivenUp.Load(), c.Dropped.Load())
		return got == want
	})
}

func TestTLSIsRequired(t *testing.T) {
	server, client := certificate(t)
	for _, c := range []struct {
		name   string
		sink   func() *sink
		tls    smtp.TLS
		answer string
	}{
		{"starttls", func() *sink { return newSink(t, server, false) }, smtp.StartTLS, ""},
		{"from the first byte", func() *sink { return newSink(t, server, true) }, smtp.FullTLS, ""},
		{"not offered", func() *sink { return newSink(t, nil, false) }, smtp.StartTLS, "offers no TLS"},
		{"none, as asked", func() *sink { return newSink(t, nil, false) }, smtp.NoTLS, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, k := newBed(t), c.sink()
			k.user, k.password = "salon", "s3cret"
			x.run(k.server(c.tls), client)
			x.book("bo", 30)
			m := x.tried("bo", 1)
			if c.answer == "" && (m.State != mail.Sent || k.logins != 1) || !strings.Contains(m.Answer, c.answer) {
				t.Errorf("%+v, %d logins", m, k.logins)
			}
			if c.answer != "" && (m.State != mail.Waiting || len(k.mails()) != 0) {
				t.Errorf("%+v", m)
			}
		})
	}
	t.Run("a stranger's certificate", func(t *testing.T) {
		x, k := newBed(t), newSink(t, server, false)
		x.run(k.server(smtp.StartTLS), nil)
		x.book("bo", 30)
		if m := x.tried("bo", 1); m.State != mail.Waiting || !strings.Contains(m.Answer, "certificate") || len(k.mails()) != 0 {
			t.Errorf("%+v", m)
		}
	})
}

func TestAWrongPasswordIsNoMailsEnd(t *testing.T) {
	x, k := newBed(t), newSink(t, nil, false)
	k.user, k.password = "salon", "right"
	s := k.server(smtp.NoTLS)
	s.Password = "wr0ng"
	x.run(s, nil)
	x.book("bo", 30)
	m := x.tried("bo", 1)
	if m.State != mail.Waiting || !strings.Contains(m.Answer, "535") || strings.Contains(m.Answer, "wr0ng") {
		t.Errorf("%+v", m)
	}
}

// One workspace's server that does not answer holds up nobody else's mails.
func TestAHangingServerHoldsUpItsOwnOnly(t *testing.T) {
	x, k := newBed(t), newSink(t, nil, false)
	other, err := x.Shop.CreateWorkspace(t.Context(), app.Operator(0), catalog.WorkspaceInput{Slug: "other", Name: "Other", TimeZone: "UTC"})
	x.Must(err)
	x.Must(x.Store.Write(t.Context(), func(tx app.Tx) error {
		h := catalog.Host{ID: 2, WorkspaceID: other.ID, Name: "Bob", Email: "bob@o.example", TimeZone: "UTC", Active: true, Hours: catalog.Hours{Weekly: map[string][]string{"tue": {"00:00-24:00"}}}}
		if err := tx.InsertHost(&h); err != nil {
			return err
		}
		e := catalog.NewEventType()
		e.ID, e.WorkspaceID, e.Slug, e.Title, e.DurationMinutes, e.SlotStepMinutes, e.Hosts = 2, other.ID, "talk", "Talk", 15, 15, []catalog.HostRef{{ID: 2}}
		return tx.InsertEventType(&e)
	}))
	silent := listen(t, "")
	x.Must(x.Mail.SetMailServer(t.Context(), app.Operator(other.ID), "smtp://"+silent+"?from=o@o.example&tls=none"))
	x.run(k.server(smtp.NoTLS), nil)
	_, err = x.Book(t.Context(), app.Actor{Kind: booking.ByAPI, Workspace: other.ID}, booking.BookInput{EventType: "talk", Start: "2026-12-01T10:00:00Z", Invitee: booking.Invitee{Name: "Di", Email: "di@mail.example"}})
	x.Must(err)
	x.book("bo", 30)
	x.tried("bo", 1)
	for _, got := range k.mails() {
		if got.to == "di@mail.example" {
			t.Error("another's server was used")
		}
	}
}

func TestOneSessionCarriesManyMails(t *testing.T) {
	x, k := newBed(t), newSink(t, nil, false)
	for h := range 12 {
		x.book("bo"+string(rune('a'+h)), 30+h)
	}
	x.run(k.server(smtp.NoTLS), nil)
	apptest.Eventually(t, "all are taken", func() bool { return len(k.mails()) == 12 })
	if k.sessions != 1 {
		t.Errorf("%d sessions", k.sessions)
	}
}

func TestWithoutAServerMailsWaitInTheLog(t *testing.T) {
	x := newBed(t)
	l, _ := x.run(nil, nil)
	x.book("bo", 30)
	apptest.Eventually(t, "it is in the log", func() bool { return len(x.log()) == 1 })
	m := x.log()[0]
	if _, err := l.Send(t.Context(), m.ID.String()); !errors.Is(err, mail.ErrNoServer) || m.State != mail.Waiting {
		t.Errorf("%v, %+v", err, m)
	}
	k := newSinkAt(t, listenForMail(t), nil, false) // and go out once there is one
	x.Must(x.Mail.SetMailServer(t.Context(), app.Operator(x.Workspace.ID), "smtp://"+k.addr+"?from=hi@salon.example&tls=none"))
	if m := x.tried("bo", 1); m.State != mail.Sent || k.mails()[0].from != "hi@salon.example" {
		t.Errorf("%+v", m)
	}
}

func TestCheckAndTest(t *testing.T) {
	k := newSink(t, nil, false)
	if err := smtp.Check(t.Context(), k.server(smtp.NoTLS), nil); err != nil {
		t.Error(err)
	}
	if err := smtp.Check(t.Context(), k.server(smtp.StartTLS), nil); err == nil || !strings.Contains(err.Error(), "TLS") {
		t.Error(err)
	}
	if err := smtp.Test(t.Context(), k.server(smtp.NoTLS), nil, "bo@mail.example", "de"); err != nil || len(k.mails()) != 1 {
		t.Error(err)
	}
	if err := smtp.Test(t.Context(), k.server(smtp.NoTLS), nil, "bo\r\nBcc: x", ""); !fault.Is(err, fault.BadRequest) {
		t.Error(err)
	}
	k.rcpt["bo"] = &gosmtp.SMTPError{Code: 550, Message: "no"}
	if err := smtp.Test(t.Context(), k.server(smtp.NoTLS), nil, "bo@mail.example", ""); err == nil || !strings.Contains(err.Error(), "550") {
		t.Error(err)
	}
}

// What a workspace's own server says is not shown to those who chose it: it may be somebody else's, inside.
func TestAForeignBannerIsNotShown(t *testing.T) {
	for banner, want := range map[string]string{
		"500 INTERNAL-SECRET-BANNER redis 7.2\r\n": "it answered 500 to the connection",
		"INTERNAL-SECRET-BANNER\r\n":               "it does not answer as a mail server does",
		"999999 INTERNAL-SECRET-BANNER\r\n":        "it does not answer as a mail server does",
	} {
		x := newBed(t)
		x.Must(x.Mail.SetMailServer(t.Context(), app.Operator(x.Workspace.ID), "smtp://"+listen(t, banner)+"?from=hi@salon.example&tls=none"))
		var log strings.Builder
		l := mail.NewLoop(mail.LoopConfig{Service: x.Mail, Logger: slog.New(slog.NewTextHandler(&log, nil))})
		x.book("bo", 30)
		for n := 1; n > 0; {
			var err error
			n, err = x.Mail.WriteMails(t.Context(), 10)
			x.Must(err)
		}
		m, err := l.Send(t.Context(), x.log()[0].ID.String())
		x.Must(err)
		if !strings.Contains(m.Answer, want) || strings.Contains(m.Answer+log.String(), "SECRET") {
			t.Errorf("answer %q, log %s", m.Answer, log.String())
		}
	}
	k := newSinkAt(t, listenForMail(t), nil, false)
	k.rcpt["bo"] = final(550)
	x := newBed(t)
	x.Must(x.Mail.SetMailServer(t.Context(), app.Operator(x.Workspace.ID), "smtp://"+k.addr+"?from=hi@salon.example&tls=none"))
	x.run(nil, nil)
	x.book("bo", 30)
	if m := x.tried("bo", 1); m.State != mail.Failed || m.Answer != "it answered 550 to the recipient: it does not take mails for this address" {
		t.Errorf("%+v", m)
	}
}

// A server that was saved before the operator's list changed, or that changed its address, is not dialled.
func TestTheLawHoldsForEachConnection(t *testing.T) {
	x, k := newBed(t), newSinkAt(t, listenForMail(t), nil, false)
	x.Must(x.Mail.SetMailServer(t.Context(), app.Operator(x.Workspace.ID), "smtp://"+k.addr+"?from=hi@salon.example&tls=none"))
	x.Set = x.Subjects(func(c *subjects.Config) { c.Mail = mail.ServerConfig{} })
	x.run(nil, nil)
	x.book("bo", 30)
	m := x.tried("bo", 1)
	if m.State != mail.Waiting || !strings.Contains(m.Answer, "is a loopback address; the operator can allow it with --mail-allow") || k.sessions != 0 {
		t.Errorf("%+v, %d sessions", m, k.sessions)
	}
}
