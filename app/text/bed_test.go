package text_test

import (
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/mail"
	"daybook/app/subjects"
	"daybook/app/text"
	"daybook/app/text/sms"
	"daybook/app/text/smstest"
	"daybook/app/vault"
	"daybook/app/when"
)

// bed is a salon that sends texts by a phone of its own, the stand-in of which is phone. Its host is free around the clock.
type bed struct {
	*apptest.Salon
	phone *smstest.Android
	site  app.Actor // a visitor of the booking page
}

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

// noon is a Monday's.
var noon = time.Date(2026, 11, 30, 11, 0, 0, 0, time.UTC)

func newBed(t testing.TB) *bed {
	t.Helper()
	x := &bed{Salon: apptest.New(t, apptest.Options{Clock: apptest.Standing(noon), Name: "Salon Ana", Hosts: []string{"Ana"}, Hours: "00:00-24:00",
		With: func(c *subjects.Config) { c.Text = text.Config{Allow: loopback, Version: "test"} }}), phone: smstest.NewAndroid()}
	x.seals()
	x.Offer("cut", 45, func(e *catalog.EventType) {
		e.Title, e.SlotStepMinutes, e.MinimumNoticeMinutes, e.AsksFor = "Haircut", 15, 0, catalog.AskEither
		e.MailsOff = []catalog.MailKind{catalog.MailTeamNew, catalog.MailTeamMoved, catalog.MailTeamCancelled}
		e.ReminderMinutes = []int{}
	})
	x.sends(&sms.Sender{Preset: sms.Android, URL: smstest.Start(t, x.phone), User: x.phone.User, Secret: sms.Secret(x.phone.Password),
		SigningKey: sms.Secret(x.phone.Signing)})
	x.site = app.Actor{Kind: booking.ByInvitee, Workspace: x.Workspace.ID}
	_, err := x.Upkeep.TakeOver(t.Context())
	x.Must(err)
	return x
}

// seals has the salon keep secrets by a key that all servers of the tests have.
func (x *bed) seals() {
	x.T.Helper()
	v, err := vault.NewVault(make([]byte, 32))
	x.Must(err)
	*x.Vault() = *v
}

func (x *bed) sends(s *sms.Sender) { x.T.Helper(); x.Must(x.Text.SetSender(x.T.Context(), x.Owner, s)) }

// run sends what is due until the test ends, or stop.
func (x *bed) run() (stop func()) {
	return x.Run(text.NewLoop(text.LoopConfig{Service: x.Text}))
}

// mine is a mobile number of the workspace's country.
const mine = "+4915112345678"

// somebody is a contact with that number; agreed wants texts, and by says how they like to be told.
func (x *bed) somebody(name, email, number string, agreed bool, by contact.TellBy) booking.Contact {
	x.T.Helper()
	tell := string(by)
	c, _, err := x.People.CreateContact(x.T.Context(), x.Owner, booking.ContactInput{Name: name, Email: email, Phone: number, TellBy: &tell})
	x.Must(err)
	if agreed {
		x.agrees(c.ID, number)
	}
	return c
}

func (x *bed) agrees(c booking.ContactID, number string) {
	x.T.Helper()
	x.Must(x.Write(x.T.Context(), func(tx app.Tx) error {
		_, err := x.Text.Tick(tx, x.Workspace.ID, c, number, "Texts?")
		return err
	}))
}

// book books for a contact by an actor.
func (x *bed) book(a app.Actor, c booking.Contact, start string) booking.Booking {
	x.T.Helper()
	b, err := x.Book(x.T.Context(), a, booking.BookInput{EventType: "cut", Start: apptest.At(start),
		Invitee: booking.Invitee{Name: c.Name, Email: c.Email, Phone: c.Phone}})
	x.Must(err)
	return b
}

func (x *bed) move(a app.Actor, b booking.Booking, start string) {
	x.T.Helper()
	_, err := x.Reschedule(x.T.Context(), a, b.ID.String(), booking.RescheduleInput{Start: apptest.At(start)})
	x.Must(err)
}

// plan queues what the changes so far tell.
func (x *bed) plan() {
	x.T.Helper()
	for n := 100; n == 100; {
		var err error
		n, err = x.Mail.WriteMails(x.T.Context(), 100)
		x.Must(err)
	}
}

// texts is the log, the oldest first.
func (x *bed) texts() []text.Text {
	x.T.Helper()
	limit := 100
	page, err := x.Text.Texts(x.T.Context(), x.Owner, text.ListInput{Limit: &limit})
	x.Must(err)
	slices.Reverse(page.Data)
	return page.Data
}

// mails are the kinds of mails to an address that were queued.
func (x *bed) mails(to string) (kinds []string) {
	x.T.Helper()
	limit := 100
	page, err := x.Mail.Mails(x.T.Context(), app.Operator(x.Workspace.ID), mail.ListInput{Limit: &limit})
	x.Must(err)
	for _, m := range page.Data {
		if m.To == to {
			kinds = append(kinds, string(m.Kind))
		}
	}
	slices.Reverse(kinds)
	return kinds
}

// settled waits until no text is due or under way.
func (x *bed) settled() {
	x.T.Helper()
	apptest.Eventually(x.T, "nothing is due", func() bool {
		now := when.At(x.Clock.Now())
		for _, t := range x.texts() {
			if t.State == text.Waiting && (t.DueAt <= now || t.Lease != 0) {
				return false
			}
		}
		return true
	})
}

// states are kind and state of each text, the oldest first.
func (x *bed) states() string {
	x.T.Helper()
	var all []string
	for _, t := range x.texts() {
		all = append(all, string(t.Kind)+" "+string(t.State))
	}
	return strings.Join(all, ", ")
}

func (x *bed) want(what, got, want string) {
	x.T.Helper()
	if got != want {
		x.T.Errorf("%s: %s; want %s", what, got, want)
	}
}

func (x *bed) wantMails(to string, kinds ...string) {
	x.T.Helper()
	x.want("mails to "+to, strings.Join(x.mails(to), ", "), strings.Join(kinds, ", "))
}

// sent are the texts that the phone has sent.
func (x *bed) sent() (all []string) {
	for _, s := range x.phone.Sent() {
		all = append(all, s.To+" "+s.Text)
	}
	return all
}
