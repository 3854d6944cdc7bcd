package payment_test

import (
	"net/mail"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	post "daybook/app/mail"
	"daybook/app/money"
	"daybook/app/payment/stripetest"
)

// newEach is a bed whose services let each later date of a series be paid by a link.
func newEach(t testing.TB) *bed {
	b := newVisits(t)
	for _, slug := range []string{"cut", "colour", "wash"} {
		b.Alter(slug, func(e *catalog.EventType) { e.SeriesPayment = catalog.SeriesPayEach })
	}
	return b
}

// confirmedSeries is a series of three dates of which the first is paid.
func (b *bed) confirmedSeries(hour int, person string, services ...string) booking.Series {
	b.T.Helper()
	s := b.series(hour, person, services...)
	b.stripe.Pay(b.T, b.checkout(s.Bookings[0]), stripetest.Good)
	b.settle()
	return b.wantSeries(s, booking.Confirmed)
}

// reminder is the text of the booking's reminder as it would be sent now.
func (b *bed) reminder(k booking.Booking) string {
	b.T.Helper()
	for n := 1; n > 0; {
		var err error
		n, err = b.Mail.WriteMails(b.T.Context(), 100)
		b.Must(err)
	}
	all, err := b.Store.Mails(b.Workspace.ID, post.Filter{Booking: k.ID, Limit: 100})
	b.Must(err)
	for _, m := range all {
		if m.Kind == catalog.MailReminder {
			out, err := post.Compose(b.T.Context(), b.Mail, &m, mail.Address{Address: "book@salon.example"})
			b.Must(err)
			return strings.Join(strings.Fields(out.Text), " ")
		}
	}
	b.T.Fatal("there is no reminder")
	return ""
}

// unpayable wants the link to lead to the page of the booking.
func (b *bed) unpayable(what string, k booking.Booking) {
	b.T.Helper()
	w := b.get("/booking/" + token(k) + "/pay")
	if to := w.Header().Get("Location"); !strings.HasSuffix(to, "/booking/"+token(k)) {
		b.T.Errorf("%s: the link leads to %d %q", what, w.Code, to)
	}
	if link := b.Again(k).PayLink; link != nil {
		b.T.Errorf("%s: it says %+v", what, link)
	}
}

func (b *bed) wantDue(what string, k booking.Booking, want int64) {
	b.T.Helper()
	if due := b.Again(k).Due; due == nil || due.Amount != want {
		b.T.Errorf("%s: %+v is due, want %d", what, due, want)
	}
}

// With each, the first date is paid and confirms all; a later one has a link, in its reminder, too, by which it is paid until
// it begins, as any booking. What nobody pays stands.
func TestEachLaterDateCanBePaidAhead(t *testing.T) {
	b := newEach(t)
	s := b.series(30, "eva", "cut")
	for i, k := range s.Bookings {
		if k.PayLink != nil || (k.Payment != nil) != (i == 0) {
			t.Errorf("booking %d, not confirmed: %+v, %+v", i, k.PayLink, k.Payment)
		}
	}
	if got := b.stripe.Field(b.checkout(s.Bookings[2]), "amount_total"); got != int64(4500) {
		t.Errorf("the page of all is of %v", got)
	}
	b.stripe.Pay(t, b.checkout(s.Bookings[0]), stripetest.Good)
	b.settle()
	s = b.wantSeries(s, booking.Confirmed)
	for i, k := range s.Bookings {
		want := booking.PayLink{Kind: booking.ForPrice, Amount: 4500, Currency: "EUR", URL: k.ManageURL + "/pay"}
		if i == 0 && k.PayLink != nil || i > 0 && (k.PayLink == nil || *k.PayLink != want || k.Payment != nil) {
			t.Errorf("booking %d: %+v, %+v", i, k.PayLink, k.Payment)
		}
	}
	second := s.Bookings[1]
	b.wantDue("unpaid", second, 4500)
	if text := b.reminder(s.Bookings[0]); strings.Contains(text, "/pay") {
		t.Errorf("the reminder of the first asks for money: %s", text)
	}
	if text := b.reminder(second); !strings.Contains(text, "Pay €45 online now") || !strings.Contains(text, second.ManageURL+"/pay") {
		t.Errorf("the reminder has no link: %s", text)
	}
	told, mailed := len(b.events()), len(b.mails("eva"))
	first := b.checkout(second)
	b.Clock.Advance(2 * time.Hour) // the page has expired, the link has not
	session := b.checkout(second)
	if session == first || b.checkout(second) != session || b.stripe.Field(session, "amount_total") != int64(4500) {
		t.Errorf("the pages %s, %s of %v", first, session, b.stripe.Field(session, "amount_total"))
	}
	b.stripe.Pay(t, session, stripetest.Good)
	b.settle()
	w := b.get("/booking/" + token(second) + "/paid")
	if to := w.Header().Get("Location"); !strings.HasSuffix(to, "/booking/"+token(second)) {
		t.Errorf("from the payment it goes to %q", to)
	}
	b.wantPayment(second, "paid", 0)
	b.wantDue("paid", second, 0)
	b.unpayable("paid", second)
	if got := b.events(); len(got) != told+1 || got[told] != "payment.succeeded booking succeeded" {
		t.Errorf("told %v", got[told:])
	}
	if got := b.mails("eva"); len(got) != mailed {
		t.Errorf("mailed %v", got[:len(got)-mailed])
	}
	if text := b.reminder(second); strings.Contains(text, "/pay") {
		t.Errorf("the reminder of what is paid asks for money: %s", text)
	}
	b.Clock.Advance(5 * time.Hour)
	b.lapse()
	b.wantSeries(s, booking.Confirmed)
	third := s.Bookings[2]
	b.checkout(third)
	b.Clock.Advance(time.Hour)
	b.lapse()
	b.work()
	if p := b.want(third, booking.Confirmed); p.Payment != nil || p.PayLink == nil {
		t.Errorf("an expired page leaves %+v, %+v", p.Payment, p.PayLink)
	}
	b.wantDue("unpaid", third, 4500)
	_, err := b.Cancel(t.Context(), b.API, second.ID.String(), app.CancelInput{})
	b.Must(err)
	b.settle()
	b.wantPayment(second, "refunded", 4500)
	b.wantRefunds(4500)
	b.Clock.Set(third.Start.Time())
	b.unpayable("begun", third)
}

// What is paid on site, cancelled or marked as missed while the page is open closes it; a payment that still arrives goes back.
func TestPaidAheadIsNeverPaidTwice(t *testing.T) {
	for what, change := range map[string]func(b *bed, k booking.Booking) error{
		"till": func(b *bed, k booking.Booking) error {
			_, err := b.Counter.Record(b.T.Context(), b.Owner, k.ID.String(), counter.Input{Amount: 4500, Method: "cash"})
			return err
		},
		"a part": func(b *bed, k booking.Booking) error {
			_, err := b.Counter.Record(b.T.Context(), b.Owner, k.ID.String(), counter.Input{Amount: 500, Method: "cash"})
			return err
		},
		"cancelled": func(b *bed, k booking.Booking) error {
			_, err := b.Cancel(b.T.Context(), b.API, k.ID.String(), app.CancelInput{})
			return err
		},
	} {
		for _, paid := range []bool{false, true} {
			t.Run(what, func(t *testing.T) {
				b := newEach(t)
				k := b.confirmedSeries(30, "eva", "cut").Bookings[1]
				session := b.checkout(k)
				if paid { // before anybody here knows
					b.stripe.Pay(t, session, stripetest.Good)
				}
				b.Must(change(b, k))
				due := b.Again(k).Due
				b.unpayable(what, k)
				b.settle()
				if !paid {
					if got := b.stripe.Field(session, "status"); got != "expired" {
						t.Errorf("the page is %v", got)
					}
					b.wantRefunds()
					return
				}
				b.wantRefunds(4500)
				if now := b.Again(k); now.Due == nil || *now.Due != *due || now.Status == booking.Confirmed && now.Payment != nil {
					t.Errorf("%+v is due, %+v was: %+v", now.Due, due, now.Payment)
				}
			})
		}
	}
}

// A move keeps the page open: the money is of the same booking. Money that takes days is shown, and if it never arrives the link
// is there again.
func TestPaidAheadAfterAMove(t *testing.T) {
	for _, well := range []bool{true, false} {
		b := newEach(t)
		k := b.confirmedSeries(30, "eva", "cut").Bookings[1]
		session := b.checkout(k)
		_, err := b.Reschedule(t.Context(), b.API, k.ID.String(), booking.RescheduleInput{Start: k.Start.Add(2 * time.Hour).String()})
		b.Must(err)
		b.stripe.PayLater(t, session)
		b.settle()
		b.wantPayment(k, "processing", 0)
		b.unpayable("on its way", k)
		b.stripe.Arrive(session, well)
		b.settle()
		b.lapse()
		now := b.Again(k)
		switch {
		case !now.Status.Stands():
			t.Errorf("it is %s", now.Status)
		case well:
			b.wantPayment(k, "paid", 0)
			b.wantDue("arrived", k, 0)
		case now.Payment != nil || now.PayLink == nil:
			t.Errorf("not arrived: %+v, %+v", now.Payment, now.PayLink)
		default:
			b.wantDue("not arrived", k, 4500)
			b.stripe.Pay(t, b.checkout(k), stripetest.Good)
			b.settle()
			b.wantPayment(k, "paid", 0)
		}
		b.wantRefunds()
	}
}

// Of two who open the link at once each gets to the same page.
func TestOpeningsAtOnceMakeOnePage(t *testing.T) {
	b := newEach(t)
	k := b.confirmedSeries(30, "eva", "cut").Bookings[1]
	to := make([]string, 8)
	var all sync.WaitGroup
	for i := range to {
		all.Go(func() { to[i], _ = b.Payment.CheckoutURL(t.Context(), token(k)) })
	}
	all.Wait()
	for _, url := range to {
		if url == "" || url != to[0] {
			t.Fatalf("the pages are %q", to)
		}
	}
	records, err := b.Store.PaymentsOf(k.ID)
	b.Must(err)
	if len(records) != 1 {
		t.Errorf("%d payments are in the books", len(records))
	}
}

// A later visit is paid ahead by one page with a share for each of its services, of one of them the deposit.
func TestVisitOfASeriesIsPaidAhead(t *testing.T) {
	b := newEach(t)
	s := b.confirmedSeries(30, "eva", "cut", "colour", "wash")
	v := booking.Visit{ID: s.Bookings[3].Visit.ID}
	session := b.checkoutVisit(v)
	if got := b.stripe.Field(session, "amount_total"); got != int64(6500) {
		t.Errorf("the page is of %v", got)
	}
	if b.checkoutVisit(v) != session {
		t.Error("there are two pages")
	}
	if text := b.reminder(s.Bookings[3]); !strings.Contains(text, "Pay €65 online now") || !strings.Contains(text, b.nowVisit(v).ManageURL+"/pay") {
		t.Errorf("the reminder has no link: %s", text)
	}
	b.stripe.Pay(t, session, stripetest.Good)
	b.settle()
	b.wantPayment(s.Bookings[3], "paid", 0)
	b.wantPayment(s.Bookings[4], "paid", 0)
	b.wantDue("paid", s.Bookings[3], 0)
	b.wantDue("its deposit is paid", s.Bookings[4], 8000)
	if d := b.Again(s.Bookings[4]).Deposit; d == nil || *d != (money.Money{Amount: 2000, Currency: "EUR"}) {
		t.Errorf("the deposit is %+v", d)
	}
	if link := b.Again(s.Bookings[6]).PayLink; link == nil {
		t.Error("the third visit was paid with the second")
	}
	b.wantSeries(s, booking.Confirmed)
	_, err := b.Cancel(t.Context(), b.API, s.Bookings[3].ID.String(), app.CancelInput{})
	b.Must(err)
	b.settle()
	b.wantRefunds(4500)
	b.wantPayment(s.Bookings[4], "paid", 0)

	third := booking.Visit{ID: s.Bookings[6].Visit.ID} // one service ends while the page is open: the page of the rest is another
	whole := b.checkoutVisit(third)
	_, err = b.Cancel(t.Context(), b.API, s.Bookings[6].ID.String(), app.CancelInput{})
	b.Must(err)
	rest := b.checkoutVisit(third)
	b.settle()
	if b.stripe.Field(whole, "status") != "expired" || b.stripe.Field(rest, "amount_total") != int64(2000) {
		t.Errorf("the page of all is %v, that of the rest is of %v", b.stripe.Field(whole, "status"), b.stripe.Field(rest, "amount_total"))
	}
}

// Who walks in, and who books where nobody pays online, has no link; neither has what is priced anew below what it pays.
func TestNoLinkWhereNothingIsPaidOnline(t *testing.T) {
	b := newEach(t)
	in := booking.SeriesInput{Repeat: booking.SeriesRepeat{Every: 1, Unit: booking.SeriesWeek, Count: 3}, Start: apptest.Hours(30),
		EventType: "cut", Invitee: booking.Invitee{Name: booking.WalkIn}}
	s, err := b.BookSeries(t.Context(), b.Owner, in)
	b.Must(err)
	for _, k := range s.Bookings {
		if k.PayLink != nil {
			t.Errorf("who walks in has %+v", k.PayLink)
		}
	}
	s = b.confirmedSeries(35, "eva", "cut")
	b.Must(b.Payment.DisconnectPayments(t.Context(), app.Operator(b.Workspace.ID)))
	b.unpayable("disconnected", s.Bookings[1])
}
