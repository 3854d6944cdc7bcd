package app_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/mail"
	"daybook/app/mail/smtp"
	"daybook/app/subjects"
	"daybook/app/vault"
	"daybook/app/when"
	"daybook/store/enginetest"
)

// mails writes what is to be told and lists the log, the oldest first: "kind>recipient", with "?state" unless it waits.
func (w *world) mails() (texts []string) {
	w.T.Helper()
	w.writeMails()
	limit := 100
	page, err := w.Mail.Mails(w.T.Context(), app.Operator(w.Workspace.ID), mail.ListInput{Limit: &limit})
	w.Must(err)
	for _, m := range slices.Backward(page.Data) {
		to, _, _ := strings.Cut(m.To, "@")
		text := string(m.Kind) + ">" + to
		if m.State != mail.Waiting {
			text += "?" + string(m.State)
		}
		texts = append(texts, text)
	}
	return texts
}

func (w *world) writeMails() {
	w.T.Helper()
	for {
		n, err := w.Mail.WriteMails(w.T.Context(), 100)
		w.Must(err)
		if n == 0 {
			return
		}
	}
}

// sendMails claims what is due and takes it for sent.
func (w *world) sendMails() (sent []mail.Mail) {
	w.T.Helper()
	w.writeMails()
	for {
		claimed, err := w.Mail.ClaimMails(w.T.Context(), 0, time.Minute, 10)
		w.Must(err)
		if len(claimed) == 0 {
			return sent
		}
		for _, m := range claimed {
			about, err := w.Mail.MailSubject(w.T.Context(), &m)
			w.Must(err)
			o := mail.Outcome{ID: m.ID, Lease: m.Lease, State: mail.Sent, Told: about.Told}
			if about.Dropped != "" {
				o.State, o.Answer = mail.Dropped, about.Dropped
			} else {
				sent = append(sent, m)
			}
			w.Must(w.Mail.SettleMail(w.T.Context(), o))
		}
	}
}

func kindsOf(mails []mail.Mail) (kinds []string) {
	for _, m := range mails {
		to, _, _ := strings.Cut(m.To, "@")
		kinds = append(kinds, string(m.Kind)+">"+to)
	}
	return kinds
}

func (w *world) wantMails(got []string, want ...string) {
	w.T.Helper()
	if !slices.Equal(got, want) {
		w.T.Errorf("mails\n got %v\nwant %v", got, want)
	}
}

func newMailWorld(t *testing.T) *world {
	w := newWorld(t)
	_, err := w.Account.CreateUser(t.Context(), app.Operator(w.Workspace.ID), account.UserInput{Email: "boss@salon.example", Role: app.OwnerRole})
	w.Must(err)
	_, err = w.Account.CreateUser(t.Context(), app.Operator(w.Workspace.ID), account.UserInput{Email: "ANA@salon.example", Role: app.OwnerRole}) // the host too: one mail
	w.Must(err)
	return w
}

func TestMailsOfABookingsLife(t *testing.T) {
	w := newMailWorld(t)
	w.offer("cut", 1, nil)
	b := w.Booked("cut", "3T09", "bo")
	w.wantMails(kindsOf(w.sendMails()), "confirmed>bo", "team_new>ana", "team_new>boss")
	_, err := w.Reschedule(t.Context(), w.API, b.ID.String(), app.RescheduleInput{Start: apptest.At("4T09")})
	w.Must(err)
	moved := w.sendMails()
	w.wantMails(kindsOf(moved), "moved>bo", "team_moved>ana", "team_moved>boss")
	if f := moved[0].Facts; f.Previous != b.Start || f.Start == b.Start || f.End-f.Start != b.End-b.Start || f.Sequence != 1 || f.Status != booking.Rescheduled {
		t.Errorf("facts %+v", f)
	}
	_, err = w.Cancel(t.Context(), w.API, b.ID.String(), app.CancelInput{Reason: "ill"})
	w.Must(err)
	gone := w.sendMails()
	w.wantMails(kindsOf(gone), "cancelled>bo", "team_cancelled>ana", "team_cancelled>boss")
	if f := gone[0].Facts; f.Reason != "ill" || f.Sequence != 2 || f.Status != booking.Cancelled || f.Start != moved[0].Facts.Start {
		t.Errorf("facts %+v", f)
	}
	w.at("+5 12:00")
	w.wantMails(kindsOf(w.sendMails()))
}

func TestMailsOfARequest(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(w *world, id string) error
		want []string
	}{
		{"approved", func(w *world, id string) error { _, err := w.Confirm(t.Context(), w.API, id); return err }, []string{"approved>bo", "team_new>ana"}},
		{"declined", func(w *world, id string) error {
			_, err := w.Decline(t.Context(), w.API, id, "full")
			return err
		}, []string{"declined>bo", "team_cancelled>ana"}},
		{"withdrawn", func(w *world, id string) error {
			_, err := w.Cancel(t.Context(), w.API, id, app.CancelInput{})
			return err
		}, []string{"cancelled>bo", "team_cancelled>ana", "team_cancelled>boss"}},
		{"lapsed", func(w *world, id string) error {
			w.at("+2 08:00")
			_, err := w.Lapse(t.Context(), 10)
			return err
		}, []string{"lapsed>bo", "team_cancelled>ana", "team_cancelled>boss"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newMailWorld(t)
			w.offer("cut", 1, func(e *catalog.EventType) { e.RequiresApproval, e.ReminderMinutes = true, []int{} })
			b := w.Booked("cut", "3T09", "bo")
			w.wantMails(kindsOf(w.sendMails()), "waiting>bo", "team_decision>ana", "team_decision>boss")
			w.Must(c.do(w, b.ID.String()))
			w.wantMails(kindsOf(w.sendMails()), c.want...)
		})
	}
}

func TestRemindersFollowTheBooking(t *testing.T) {
	w := newMailWorld(t)
	w.offer("cut", 1, func(e *catalog.EventType) {
		e.MailsOff = []catalog.MailKind{catalog.MailTeamNew, catalog.MailTeamMoved, catalog.MailTeamCancelled}
	})
	b := w.Booked("cut", "3T09", "bo")
	w.wantMails(w.mails(), "confirmed>bo", "reminder>bo", "reminder>bo")
	w.sendMails()
	w.at("+2 08:59")
	w.wantMails(kindsOf(w.sendMails()))
	w.at("+2 09:00")
	w.wantMails(kindsOf(w.sendMails()), "reminder>bo")
	w.wantMails(kindsOf(w.sendMails()))
	_, err := w.Reschedule(t.Context(), w.API, b.ID.String(), app.RescheduleInput{Start: apptest.At("5T09")})
	w.Must(err)
	w.wantMails(kindsOf(w.sendMails()), "moved>bo")
	w.at("+3 08:00") // an hour before the old time
	w.wantMails(kindsOf(w.sendMails()))
	w.at("+4 22:00") // the server slept: too late for the one of 24 h, too early for the next
	w.wantMails(kindsOf(w.sendMails()))
	w.at("+5 08:00")
	w.wantMails(kindsOf(w.sendMails()), "reminder>bo")
	w.at("+5 12:00")
	w.wantMails(kindsOf(w.sendMails()))
	w.wantMails(w.mails(), "confirmed>bo?sent", "reminder>bo?sent", "reminder>bo?dropped", "moved>bo?sent", "reminder>bo?dropped", "reminder>bo?sent")
}

func TestRemindersOfACancelledBookingAreDropped(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	b := w.Booked("cut", "0T12", "bo") // in five hours: the one of 24 h has passed
	w.wantMails(w.mails(), "confirmed>bo", "team_new>ana", "reminder>bo")
	w.sendMails()
	_, err := w.Cancel(t.Context(), w.API, b.ID.String(), app.CancelInput{})
	w.Must(err)
	w.at("11:00") // and the loop has not yet told of it
	claimed, err := w.Mail.ClaimMails(t.Context(), 0, time.Minute, 10)
	w.Must(err)
	about, err := w.Mail.MailSubject(w.T.Context(), &claimed[0])
	w.Must(err)
	if len(claimed) != 1 || about.Dropped == "" {
		t.Errorf("claimed %v, dropped %q", kindsOf(claimed), about.Dropped)
	}
}

func TestAnotherHostTakesTheBooking(t *testing.T) {
	w := newMailWorld(t)
	w.offer("cut", 2, nil)
	b := w.Booked("cut", "3T09", "bo")
	w.sendMails()
	bob := catalog.HostID(2)
	if b.Host.ID == bob {
		bob = 1
	}
	_, err := w.Reschedule(t.Context(), w.API, b.ID.String(), app.RescheduleInput{Start: apptest.At("3T09"), Host: bob.String()})
	w.Must(err)
	sent := w.sendMails()
	w.wantMails(kindsOf(sent), "moved>bo", "team_moved>bob", "team_moved>ana", "team_moved>boss")
	if sent[1].Facts.Gone || !sent[2].Facts.Gone || sent[2].Facts.Host != 1 || sent[0].Facts.Previous != 0 {
		t.Errorf("facts %+v, %+v", sent[1].Facts, sent[2].Facts)
	}
}

// Whoever writes the mails at the same time: each change is told once.
func TestMailsAreWrittenOnce(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, func(e *catalog.EventType) { e.ReminderMinutes = []int{} })
	for _, at := range []string{"1T09", "1T10", "1T11", "1T12", "1T13"} {
		w.Booked("cut", at, "bo")
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := w.Mail.WriteMails(context.Background(), 100); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := w.mails(); len(got) != 10 {
		t.Errorf("%d mails: %v", len(got), got)
	}
}

// A change whose notice can't be kept is no change.
func TestNoBookingWithoutItsNotice(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	raw := enginetest.Raw(t, w.Store.Engine)
	enginetest.Break(t, raw, "booking_history", "INSERT", "")
	if _, err := w.Book(t.Context(), w.API, apptest.Input("cut", "1T09", "bo")); err == nil {
		t.Fatal("booked")
	}
	enginetest.Mend(t, raw, "booking_history")
	w.Booked("cut", "1T09", "bo")
}

func TestSettingsAndRefusalsKeepMailsAway(t *testing.T) {
	w := newMailWorld(t)
	w.offer("cut", 1, func(e *catalog.EventType) { e.MailsOff = []catalog.MailKind{catalog.MailConfirmed} })
	ws := w.Workspace
	ws.Settings.MailsOff = []catalog.MailKind{catalog.MailReminder}
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	ws.LinkKey = setup.Workspace.LinkKey
	w.Must(w.Store.Write(t.Context(), func(tx app.Tx) error { return tx.UpdateWorkspace(&ws) }))
	w.Booked("cut", "3T09", "bo")
	first := w.sendMails()
	w.wantMails(kindsOf(first), "team_new>ana", "team_new>boss")
	setup, err = w.Setup(w.Workspace.ID)
	w.Must(err)
	token := strings.TrimSuffix(strings.TrimPrefix(w.Mail.UnsubscribeURL(setup, first[1].ID), "/mail/"), "/stop")
	w.Must(w.Mail.Unsubscribe(t.Context(), token))
	w.Must(w.Mail.Unsubscribe(t.Context(), token))
	other := "0"
	if strings.HasSuffix(token, other) {
		other = "1"
	}
	w.Refused(w.Mail.Unsubscribe(t.Context(), token[:len(token)-1]+other), fault.NotFound, "")
	w.Booked("cut", "4T09", "bo")
	w.wantMails(kindsOf(w.sendMails()), "team_new>ana")
}

func TestTheLogIsSentAgainFrom(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	b := w.Booked("cut", "3T09", "bo")
	sent := w.sendMails()
	ref := sent[0].ID.String()
	m, err := w.Mail.ResendMail(t.Context(), app.Operator(w.Workspace.ID), ref)
	w.Must(err)
	if m.State != mail.Waiting || m.Resends != 1 || m.Attempts != 1 {
		t.Errorf("again %+v", m)
	}
	w.wantMails(kindsOf(w.sendMails()), "confirmed>bo")
	_, err = w.Mail.ResendMail(t.Context(), app.Operator(77), ref)
	w.Refused(err, fault.NotFound, "")
	limit := 100
	page, err := w.Mail.Mails(t.Context(), app.Operator(w.Workspace.ID), mail.ListInput{Booking: b.ID.String(), State: "waiting", Limit: &limit})
	w.Must(err)
	w.wantMails(kindsOf(page.Data), "reminder>bo", "reminder>bo")
	_, err = w.Cancel(t.Context(), w.API, b.ID.String(), app.CancelInput{})
	w.Must(err)
	_, err = w.Mail.ResendMail(t.Context(), app.Operator(w.Workspace.ID), page.Data[0].ID.String())
	w.Refused(err, fault.Conflict, "overtaken")
	_, err = w.Mail.Mails(t.Context(), app.Operator(w.Workspace.ID), mail.ListInput{State: "lost"})
	w.Refused(err, fault.BadRequest, "invalid")
}

// A mail that is claimed, or sent, between the look of who asks for it again and its update is not sent twice.
func TestAMailClaimedMeanwhileIsNotRequeued(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	w.Booked("cut", "3T09", "bo")
	_, err := w.Mail.WriteMails(t.Context(), 10)
	w.Must(err)
	page, err := w.Mail.Mails(t.Context(), app.Operator(w.Workspace.ID), mail.ListInput{State: "waiting"})
	w.Must(err)
	seen := page.Data[len(page.Data)-1]
	now := when.At(w.Clock.Now())
	w.Must(w.Store.Write(t.Context(), func(tx app.Tx) error {
		mails := tx.(mail.Tx)
		requeued := func(what string, m mail.Mail, want bool) {
			t.Helper()
			if done, err := mails.RequeueMail(&m, now, now.Add(time.Hour)); err != nil || done != want {
				t.Errorf("%s: %v, %v", what, done, err)
			}
		}
		claimed, ok, err := mails.ClaimMail(1, seen.ID, now, now.Add(time.Minute))
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		requeued("claimed since", seen, false)
		_, err = mails.SettleMail(&mail.Outcome{ID: seen.ID, Lease: claimed.Lease, State: mail.Sent}, now)
		requeued("sent since", seen, false)
		sent, readErr := tx.(mail.Tx).Mail(seen.ID)
		requeued("known as sent", sent, true)
		return errors.Join(err, readErr)
	}))
}

// What nobody could send is given up after 48 hours and stays in the log; what is old is forgotten.
func TestMailsAreGivenUpAndForgotten(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, func(e *catalog.EventType) { e.ReminderMinutes = []int{} })
	w.Booked("cut", "3T09", "bo")
	w.writeMails()
	w.at("+2 06:59")
	w.Must(w.Mail.TidyMails(t.Context()))
	w.wantMails(w.mails(), "confirmed>bo", "team_new>ana")
	w.at("+2 07:01")
	w.Must(w.Mail.TidyMails(t.Context()))
	w.wantMails(w.mails(), "confirmed>bo?failed", "team_new>ana?failed")
	w.at("+120 07:01")
	w.Must(w.Mail.TidyMails(t.Context()))
	w.wantMails(w.mails())
}

func TestALeaseKeepsOthersAway(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, func(e *catalog.EventType) {
		e.MailsOff, e.ReminderMinutes = []catalog.MailKind{catalog.MailTeamNew}, []int{}
	})
	w.Booked("cut", "3T09", "bo")
	w.writeMails()
	claim := func() []mail.Mail {
		m, err := w.Mail.ClaimMails(t.Context(), 0, time.Minute, 10)
		w.Must(err)
		return m
	}
	first := claim()
	if len(first) != 1 || len(claim()) != 0 {
		t.Fatal("not claimed once")
	}
	_, err := w.Mail.ClaimMail(t.Context(), first[0].ID.String(), time.Minute)
	w.Refused(err, fault.Conflict, "in_progress")
	w.at("07:01")
	second := claim()
	if len(second) != 1 {
		t.Fatal("not claimed after the lease")
	}
	w.Must(w.Mail.SettleMail(t.Context(), mail.Outcome{ID: first[0].ID, Lease: first[0].Lease, State: mail.Failed}))
	w.wantMails(w.mails(), "confirmed>bo")
	w.Must(w.Mail.SettleMail(t.Context(), mail.Outcome{ID: second[0].ID, Lease: second[0].Lease, State: mail.Sent}))
	w.wantMails(w.mails(), "confirmed>bo?sent")
}

func TestMailServersKeepTheirPassword(t *testing.T) {
	w := newWorld(t)
	const url = "smtp://bo%40x.example:s3cret%2F@mail.example:2525?from=Salon+%3Chi%40salon.example%3E"
	w.Must(w.Mail.SetMailServer(t.Context(), app.Operator(w.Workspace.ID), url))
	w.offer("cut", 1, nil)
	w.Booked("cut", "3T09", "bo")
	w.writeMails()
	if due, err := w.Mail.DueMailServers(t.Context()); !slices.Equal(due, []catalog.WorkspaceID{w.Workspace.ID}) || err != nil {
		t.Errorf("due %v, %v", due, err)
	}
	others, err := w.Mail.ClaimMails(t.Context(), 0, time.Minute, 10)
	w.Must(err)
	own, err := w.Mail.ClaimMails(t.Context(), w.Workspace.ID, time.Minute, 10)
	w.Must(err)
	if len(others) != 0 || len(own) != 2 {
		t.Errorf("%d by the server of all, %d by its own", len(others), len(own))
	}
	s, err := w.Mail.MailServer(t.Context(), app.Operator(w.Workspace.ID))
	w.Must(err)
	if s.Host != "mail.example" || s.Port != 2525 || s.Password != "s3cret/" || s.User != "bo@x.example" || s.From.Address != "hi@salon.example" || s.TLS != smtp.StartTLS {
		t.Errorf("%+v", s)
	}
	if strings.Contains(s.String(), "s3cret") {
		t.Error(s.String())
	}
	for _, bad := range []string{
		"smtp://u:s3cret@:25", "http://u:s3cret@h", "smtp://u:s3cret@h", "smtp://u:s3cret@h?from=x", "smtp://u:s3cret@h\x01?from=a@b.c",
		"smtp://u:s3cret@h:99999?from=a@b.example", "smtp://u:s3cret@h?from=a@b.example&tls=maybe", "smtp://u:s3cret@h?from=a@b.example&auth=x",
		"smtp://u:s3%zcret@h?from=a@b.example", "smtp://u:s3cret@h?from=a@b.example%0d%0aBcc:x@y.example",
	} {
		if e := w.Refused(w.Mail.SetMailServer(t.Context(), app.Operator(w.Workspace.ID), bad), fault.BadRequest, "invalid"); strings.Contains(e.Error(), "s3cret") {
			t.Errorf("%q tells the password: %s", bad, e.Error())
		}
	}
	sealing, err := vault.NewVault(make([]byte, 32))
	w.Must(err)
	sealed := w.Subjects(func(c *subjects.Config) { c.Vault = sealing })
	if n, err := sealed.Upkeep.SealSecrets(t.Context()); n != 2 || err != nil { // the link key, and this
		t.Errorf("sealed %d, %v", n, err)
	}
	if s, err := sealed.Mail.MailServer(t.Context(), app.Operator(w.Workspace.ID)); err != nil || s.Password != "s3cret/" {
		t.Errorf("%v, %v", s, err)
	}
	if _, err := w.Mail.MailServer(t.Context(), app.Operator(w.Workspace.ID)); err == nil {
		t.Error("read without the key")
	}
	w.Must(w.Mail.SetMailServer(t.Context(), app.Operator(w.Workspace.ID), ""))
	if s, err := w.Mail.MailServer(t.Context(), app.Operator(w.Workspace.ID)); s != nil || err != nil {
		t.Errorf("%v, %v", s, err)
	}
}
