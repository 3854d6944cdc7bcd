package payment_test

import (
	"net/mail"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	post "daybook/app/mail"
	"daybook/app/money"
	"daybook/app/payment/stripetest"
)

// mails are what was written to the person, the newest first, as text.
func (b *bed) mails(person string) (texts []string) {
	b.T.Helper()
	for n := 1; n > 0; {
		var err error
		n, err = b.Mail.WriteMails(b.T.Context(), 100)
		b.Must(err)
	}
	all, err := b.Store.Mails(b.Workspace.ID, post.Filter{Limit: 100})
	b.Must(err)
	for _, m := range all {
		if m.To == person+"@mail.example" && m.Kind != catalog.MailReminder {
			out, err := post.Compose(b.T.Context(), b.Mail, &m, mail.Address{Address: "book@salon.example"})
			b.Must(err)
			texts = append(texts, string(m.Kind)+": "+strings.Join(strings.Fields(out.Text), " "))
		}
	}
	return texts
}

func (b *bed) wantMail(person, kind string, parts ...string) {
	b.T.Helper()
	got := b.mails(person)
	if len(got) == 0 || !strings.HasPrefix(got[0], kind+": ") {
		b.T.Fatalf("%s was mailed %q, want %s last", person, got, kind)
	}
	for _, part := range parts {
		if !strings.Contains(got[0], part) {
			b.T.Errorf("%q lacks %q", got[0], part)
		}
	}
}

// The team hears once of a booking that was paid before its first mail was planned, and is never asked to decide on it.
func TestTheTeamHearsOnceOfAPaidBooking(t *testing.T) {
	b := newBed(t)
	b.offer("cut", nil)
	k := b.book("cut", 3, "eva")
	b.stripe.Pay(t, b.checkout(k), stripetest.Good)
	b.settle()
	b.wantMail("eva", "confirmed")
	all, err := b.Store.Mails(b.Workspace.ID, post.Filter{Booking: k.ID, Limit: 100})
	b.Must(err)
	told := map[catalog.MailKind]int{}
	for _, m := range all {
		if m.Facts.For != post.ToInvitee {
			told[m.Kind]++
		}
	}
	if len(told) != 1 || told[catalog.MailTeamNew] != 1 {
		t.Errorf("the team was mailed %v", told)
	}
}

func TestInviteeIsTold(t *testing.T) {
	b := newBed(t)
	b.offer("cut", nil)
	b.offer("fee", feeOnly)
	k := b.book("cut", 3, "eva")
	b.wantMail("eva", "payment_due", "Pay €45", k.ManageURL+"/pay")
	b.stripe.Pay(t, b.checkout(k), stripetest.Good)
	b.settle()
	b.wantMail("eva", "confirmed")

	k = b.book("fee", 5, "fin")
	if p := k.Payment; p == nil || p.Kind != booking.ForCard {
		t.Errorf("a booking that only saves a card shows the payment %+v", p)
	}
	b.wantMail("fin", "payment_due", "Save your card", "costs €25", k.ManageURL+"/pay")
	b.stripe.Pay(t, b.checkout(k), stripetest.Good)
	b.settle()
	b.wantMail("fin", "confirmed")

	k = b.book("cut", 6, "gil") // pays too late, and the time is taken
	b.stripe.Pay(t, b.checkout(k), stripetest.Good)
	b.Clock.Advance(31 * time.Minute)
	b.lapse()
	b.book("cut", 6, "hal")
	b.settle()
	b.wantMail("gil", "refunded", "€45 goes back to you")

	german, err := b.Book(t.Context(), b.API, booking.BookInput{
		EventType: "cut", Start: apptest.Monday.Add(8 * time.Hour).Format(time.RFC3339),
		Invitee: booking.Invitee{Name: "Uwe", Email: "uwe@mail.example", Locale: "de"},
	})
	b.Must(err)
	b.stripe.Pay(t, b.checkout(german), stripetest.Good)
	b.settle()
	amount := int64(1050)
	_, err = b.Payment.Refund(t.Context(), b.Owner, german.ID.String(), &amount)
	b.Must(err)
	b.settle()
	b.wantMail("uwe", "refunded", "10,50 €")
	all, err := b.Store.Mails(b.Workspace.ID, post.Filter{Booking: german.ID, State: post.Waiting, Limit: 100})
	b.Must(err)
	if !slices.ContainsFunc(all, func(m post.Mail) bool { return m.Kind == catalog.MailReminder }) {
		t.Error("a refund of a part takes the reminders away")
	}
	history, err := b.History(t.Context(), b.Owner, german.ID.String())
	b.Must(err)
	last := history[len(history)-1]
	if last.Action != "refunded" || last.Amount == nil || *last.Amount != (money.Money{Amount: 1050, Currency: "EUR"}) || last.Reason != "" {
		t.Errorf("the refund is recorded as %+v of %+v", last, last.Amount)
	}
}
