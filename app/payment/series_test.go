package payment_test

import (
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	post "daybook/app/mail"
	"daybook/app/payment/stripetest"
)

// series books these services on three dates, a week apart, the first so many hours after Monday.
func (b *bed) series(hour int, person string, services ...string) booking.Series {
	b.T.Helper()
	in := booking.SeriesInput{Repeat: booking.SeriesRepeat{Every: 1, Unit: booking.SeriesWeek, Count: 3}, Start: apptest.Hours(hour),
		Invitee: apptest.Input("", "", person).Invitee}
	if len(services) == 1 {
		in.EventType = services[0]
	} else {
		for _, s := range services {
			in.Items = append(in.Items, booking.VisitItem{EventType: s})
		}
	}
	s, err := b.BookSeries(b.T.Context(), b.API, in)
	b.Must(err)
	return s
}

// wantSeries wants these states of the bookings of a series.
func (b *bed) wantSeries(s booking.Series, want ...booking.Status) booking.Series {
	b.T.Helper()
	s, err := b.Series(b.T.Context(), b.API, s.ID.String())
	b.Must(err)
	for i := range s.Bookings {
		if w := want[min(i, len(want)-1)]; s.Bookings[i].Status != w {
			b.T.Fatalf("booking %d is %s, want %s", i, s.Bookings[i].Status, w)
		}
	}
	return s
}

// A series waits as one until its first date is paid, from whichever of its pages, and is confirmed as one; the other dates
// are due on site.
func TestSeriesIsPaidByItsFirstDate(t *testing.T) {
	for _, crashes := range []bool{false, true} {
		b := newVisits(t)
		s := b.series(3, "eva", "cut")
		for i, k := range s.Bookings {
			if k.Status != booking.Pending || k.PendingReason == nil || *k.PendingReason != booking.ForPayment || k.ExpiresAt != k.CreatedAt.Add(app.PaymentHold) ||
				(k.Payment != nil) != (i == 0) {
				t.Errorf("booking %d is %s until %s: %+v", i, k.Status, k.ExpiresAt, k.Payment)
			}
		}
		if _, err := b.Confirm(t.Context(), b.API, s.Bookings[2].ID.String()); fault.As(err) == nil || fault.As(err).Reason != "payment_due" {
			t.Fatal(err)
		}
		other, session := b.checkout(s.Bookings[2]), b.checkout(s.Bookings[0])
		if again := b.checkout(s.Bookings[0]); again != session || b.stripe.Field(session, "amount_total") != int64(4500) {
			t.Errorf("the page %s is of %v, then %s", session, b.stripe.Field(session, "amount_total"), again)
		}
		b.stripe.Pay(t, session, stripetest.Good)
		if crashes {
			b.crash()
		}
		n := len(b.stripe.Events())
		for i := n - 1; i >= 0; i-- { // in any order, each twice
			b.stripe.Send(t, b.hook, "/api/stripe/salon", i, i)
		}
		b.settle()
		s = b.wantSeries(s, booking.Confirmed)
		b.wantEvents("payment.succeeded booking succeeded", "booking.created", "booking.created", "booking.created")
		for i, action := range []booking.Action{booking.ActPaid, booking.ActWaitOver, booking.ActWaitOver} {
			history, err := b.History(t.Context(), b.Owner, s.Bookings[i].ID.String())
			b.Must(err)
			if last := history[len(history)-1]; last.Action != action || !last.WithSeries {
				t.Errorf("booking %d: the last is %s, with the series is %t", i, last.Action, last.WithSeries)
			}
			if due := s.Bookings[i].Due; i > 0 && (due == nil || due.Amount != 4500) || i == 0 && due != nil && due.Amount != 0 {
				t.Errorf("booking %d: %+v is due", i, due)
			}
		}
		if got := b.stripe.Field(other, "status"); got != "expired" {
			t.Errorf("the other page is %v", got)
		}
		_, err := b.Cancel(t.Context(), b.API, s.Bookings[1].ID.String(), app.CancelInput{})
		b.Must(err)
		b.settle()
		b.wantRefunds()
		_, err = b.CancelSeries(t.Context(), b.API, s.ID.String(), booking.SeriesCancelInput{From: s.Bookings[0].ID.String(), Scope: booking.SeriesAll})
		b.Must(err)
		b.settle()
		b.wantRefunds(4500)
	}
}

// Where all dates are paid at once, each has its share of the one payment, and is refunded by itself.
func TestSeriesIsPaidAtOnce(t *testing.T) {
	b := newVisits(t)
	b.Alter("cut", func(e *catalog.EventType) { e.SeriesPayment = catalog.SeriesPayAll })
	s := b.series(3, "eva", "cut")
	for i, k := range s.Bookings {
		if k.Payment == nil || k.Payment.Amount != 4500 || k.Status != booking.Pending {
			t.Errorf("booking %d is %s: %+v", i, k.Status, k.Payment)
		}
	}
	session := b.checkout(s.Bookings[1])
	if got := b.stripe.Field(session, "amount_total"); got != int64(3*4500) {
		t.Errorf("the page is of %v", got)
	}
	b.stripe.Pay(t, session, stripetest.Good)
	b.tell()
	b.settle()
	s = b.wantSeries(s, booking.Confirmed)
	for i, k := range s.Bookings {
		if k.Payment == nil || k.Payment.Status != "paid" || k.Due != nil && k.Due.Amount != 0 {
			t.Errorf("booking %d: %+v, due %+v", i, k.Payment, k.Due)
		}
	}
	_, err := b.Cancel(t.Context(), b.API, s.Bookings[1].ID.String(), app.CancelInput{})
	b.Must(err)
	b.settle()
	b.wantRefunds(4500)
	lapsing := b.series(5, "bob", "cut") // a date that is cancelled meanwhile isn't paid
	_, err = b.Cancel(t.Context(), b.API, lapsing.Bookings[0].ID.String(), app.CancelInput{})
	b.Must(err)
	if got := b.stripe.Field(b.checkout(lapsing.Bookings[1]), "amount_total"); got != int64(2*4500) {
		t.Errorf("without the first one the page is of %v", got)
	}
	b.Clock.Advance(31 * time.Minute)
	b.lapse()
	b.wantSeries(lapsing, booking.Cancelled)
}

func TestUnpaidSeriesLapsesAsOne(t *testing.T) {
	b := newVisits(t)
	s := b.series(3, "eva", "cut")
	session := b.checkout(s.Bookings[0])
	b.Clock.Advance(31 * time.Minute)
	b.lapse()
	b.wantSeries(s, booking.Cancelled)
	b.settle()
	if got := b.stripe.Field(session, "status"); got != "expired" {
		t.Errorf("the page is %v", got)
	}
	b.wantEvents()
	b.series(3, "bob", "cut")
}

// A payment that arrives after the lapse takes all of the dates again, beyond the booking window, too, or goes back.
func TestSeriesPaidAfterTheLapse(t *testing.T) {
	for _, taken := range []bool{false, true} {
		b := newVisits(t)
		b.Alter("cut", func(e *catalog.EventType) { e.BookingWindowDays = 3 })
		s := b.series(3, "eva", "cut")
		b.stripe.Pay(t, b.checkout(s.Bookings[0]), stripetest.Good)
		b.Clock.Advance(31 * time.Minute)
		b.lapse()
		b.wantSeries(s, booking.Cancelled)
		if taken { // the last of the three
			b.book("wash", 3+14*24, "bob")
		}
		b.tell()
		b.settle()
		b.tell()
		if taken {
			b.wantSeries(s, booking.Cancelled)
			b.wantPayment(s.Bookings[0], "refunded", 4500)
			b.wantRefunds(4500)
			continue
		}
		b.wantSeries(s, booking.Confirmed)
		b.wantRefunds()
		b.wantEvents("payment.succeeded booking succeeded", "booking.created", "booking.created", "booking.created")
	}
}

// Of a series that waits, another date than the first is cancelled alone: the rest is paid and confirmed. Without its first
// date nothing is to be paid any more, and the rest lapses.
func TestDateOfAWaitingSeriesIsCancelled(t *testing.T) {
	b := newVisits(t)
	s := b.series(3, "eva", "cut")
	first := b.checkout(s.Bookings[0])
	cancel := func(k booking.Booking) {
		t.Helper()
		_, err := b.Cancel(t.Context(), b.API, k.ID.String(), app.CancelInput{})
		b.Must(err)
	}
	cancel(s.Bookings[1])
	second := b.checkout(s.Bookings[0])
	if first == second {
		t.Error("the page is still that of all")
	}
	b.stripe.Pay(t, first, stripetest.Good)
	b.settle()
	b.wantSeries(s, booking.Confirmed, booking.Cancelled, booking.Confirmed)
	b.wantRefunds()

	s = b.series(30, "bob", "cut", "wash")
	cancel(s.Bookings[0])
	s = b.wantSeries(s, booking.Cancelled, booking.Pending)
	b.Clock.Advance(31 * time.Minute)
	b.lapse()
	b.wantSeries(s, booking.Cancelled)
}

// The payment comes first, then the approval, both for all of the series, which waits until its first date begins.
func TestSeriesIsPaidThenApproved(t *testing.T) {
	b := newVisits(t)
	b.Alter("cut", func(e *catalog.EventType) { e.RequiresApproval = true })
	s := b.series(20, "eva", "cut")
	b.stripe.Pay(t, b.checkout(s.Bookings[0]), stripetest.Good)
	b.settle()
	s = b.wantSeries(s, booking.Pending)
	for i, k := range s.Bookings {
		if *k.PendingReason != booking.ForApproval || k.ExpiresAt != s.Bookings[0].Start {
			t.Errorf("booking %d waits for %s until %s", i, *k.PendingReason, k.ExpiresAt)
		}
	}
	_, err := b.Confirm(t.Context(), b.API, s.Bookings[1].ID.String())
	b.Must(err)
	b.wantSeries(s, booking.Confirmed)

	s = b.series(22, "bob", "cut")
	b.stripe.Pay(t, b.checkout(s.Bookings[0]), stripetest.Good)
	b.settle()
	_, err = b.Decline(t.Context(), b.API, s.Bookings[2].ID.String(), "")
	b.Must(err)
	b.settle()
	b.wantSeries(s, booking.Cancelled)
	b.wantRefunds(4500)
}

// Money that takes days holds all of the series; if it never arrives, all of it lapses.
func TestDelayedPaymentHoldsTheSeries(t *testing.T) {
	for _, well := range []bool{true, false} {
		b := newVisits(t)
		s := b.series(24*10, "eva", "cut")
		session := b.checkout(s.Bookings[0])
		b.stripe.PayLater(t, session)
		b.settle()
		b.Clock.Advance(3 * 24 * time.Hour)
		b.lapse()
		b.wantSeries(s, booking.Pending)
		b.stripe.Arrive(session, well)
		b.Must(b.Payment.ReconcilePayments(t.Context(), b.Payment.Share().Buckets)) // the event is lost
		b.work()
		b.lapse()
		if well {
			b.wantSeries(s, booking.Confirmed)
		} else {
			b.wantSeries(s, booking.Cancelled)
		}
	}
}

// Of a series of visits the first visit is paid, with the deposits of its services.
func TestSeriesOfVisitsIsPaidByItsFirst(t *testing.T) {
	b := newVisits(t)
	s := b.series(3, "eva", "cut", "colour", "wash")
	v := booking.Visit{ID: s.Bookings[0].Visit.ID}
	session := b.checkoutVisit(v)
	if got := b.stripe.Field(session, "amount_total"); got != int64(6500) {
		t.Errorf("the page is of %v", got)
	}
	b.stripe.Pay(t, session, stripetest.Good)
	b.settle()
	s = b.wantSeries(s, booking.Confirmed)
	if len(s.Bookings) != 9 || s.Bookings[3].Payment != nil || s.Bookings[4].Payment != nil {
		t.Errorf("%d bookings, of the second date %+v, %+v", len(s.Bookings), s.Bookings[3].Payment, s.Bookings[4].Payment)
	}
	b.wantPayment(s.Bookings[1], "paid", 0)
}

// No card is saved for a series, so that what has a fee isn't booked as one; who comes in pays at the counter.
// One card is saved for all dates of a series, and says so; each date costs its own fee.
func TestSeriesSavesOneCard(t *testing.T) {
	b := newVisits(t)
	b.peels()
	s := b.series(3, "eva", "mask")
	for i, k := range s.Bookings {
		if p := k.Payment; k.Status != booking.Pending || p == nil || p.Kind != booking.ForCard || p.Amount != 0 {
			t.Errorf("booking %d is %s: %+v", i, k.Status, p)
		}
	}
	session := b.checkout(s.Bookings[1])
	wording := "Your card is saved. If you do not come and have not cancelled in time, you agree that Salon Ana charges it " +
		"EUR 10.00. If you cancel later than 24 hours before the start, you agree that Salon Ana charges it EUR 5.00. " +
		"This holds for each of your 3 appointments."
	if mode, shown := b.stripe.Field(session, "mode"), b.stripe.Field(session, "_wording"); mode != "setup" || shown != wording {
		t.Errorf("%v: %v", mode, shown)
	}
	b.stripe.Pay(t, session, stripetest.Good)
	b.settle()
	s = b.wantSeries(s, booking.Confirmed)
	for i, k := range s.Bookings {
		c, err := b.Payment.CardConsent(t.Context(), b.Owner, k.ID.String())
		b.Must(err)
		if k.Payment != nil || c == nil || c.Wording != wording {
			t.Errorf("booking %d: %+v, the card is %+v", i, k.Payment, c)
		}
	}
	b.Clock.Advance(7 * time.Hour)
	b.mark(s.Bookings[0])
	b.Clock.Advance(6*24*time.Hour + 19*time.Hour)
	_, err := b.Cancel(t.Context(), b.Owner, s.Bookings[1].ID.String(), app.CancelInput{ChargeLateFee: true})
	b.Must(err)
	b.settle()
	b.wantFee(s.Bookings[0], "succeeded")
	late, err := b.Booking(t.Context(), b.Owner, s.Bookings[1].ID.String())
	b.Must(err)
	if x := late.Cancellation; x == nil || x.Fee == nil || x.Fee.Amount != 500 || x.Fee.Status != "succeeded" {
		t.Errorf("cancelled late: %+v", x)
	}
}

// A later date that is paid ahead keeps the card that was saved with the first; what is paid on site has no link.
func TestLaterDateIsPaidAheadBesideItsFee(t *testing.T) {
	b := newVisits(t)
	each := func(e *catalog.EventType) { e.NoShowFee, e.SeriesPayment = eur(2000), catalog.SeriesPayEach }
	b.Alter("cut", each)
	s := b.series(3, "eva", "cut")
	b.stripe.Pay(t, b.checkout(s.Bookings[0]), stripetest.Good)
	b.settle()
	s = b.wantSeries(s, booking.Confirmed)
	session := b.checkout(s.Bookings[1])
	if sum, shown := b.stripe.Field(session, "amount_total"), b.stripe.Field(session, "_wording"); sum != int64(4500) || shown != nil && shown != "" {
		t.Errorf("the later date's page is of %v: %v", sum, shown)
	}
	b.stripe.Pay(t, session, stripetest.Good)
	b.settle()
	s = b.wantSeries(s, booking.Confirmed)
	if k := s.Bookings[1]; k.Payment == nil || k.Payment.Status != "paid" || k.Payment.Amount != 4500 {
		t.Errorf("paid ahead: %+v", k.Payment)
	}
	b.Clock.Advance(7*24*time.Hour + 7*time.Hour)
	b.mark(s.Bookings[1])
	b.settle()
	b.wantFee(s.Bookings[1], "succeeded")
	b.offer("onsite", func(e *catalog.EventType) { each(e); e.Payment = catalog.PayOnSite })
	s = b.series(24*14+5, "bob", "onsite")
	b.stripe.Pay(t, b.checkout(s.Bookings[0]), stripetest.Good)
	b.settle()
	for i, k := range b.wantSeries(s, booking.Confirmed).Bookings {
		if k.PayLink != nil {
			t.Errorf("booking %d has a link: %+v", i, k.PayLink)
		}
	}
}

// What the first date costs is paid with the card that is saved for all; without that one nobody gets the others.
func TestSeriesPaysAndSavesItsCard(t *testing.T) {
	b := newVisits(t)
	b.Alter("cut", func(e *catalog.EventType) { e.NoShowFee = eur(2000) })
	s := b.series(3, "eva", "cut")
	session := b.checkout(s.Bookings[2])
	if mode, sum := b.stripe.Field(session, "mode"), b.stripe.Field(session, "amount_total"); mode != "payment" || sum != int64(4500) {
		t.Errorf("%v of %v", mode, sum)
	}
	b.stripe.Pay(t, session, stripetest.Good)
	b.settle()
	s = b.wantSeries(s, booking.Confirmed)
	for i, k := range s.Bookings {
		c, err := b.Payment.CardConsent(t.Context(), b.Owner, k.ID.String())
		b.Must(err)
		if c == nil || (k.Payment != nil) != (i == 0) || i > 0 && (k.Due == nil || k.Due.Amount != 4500) {
			t.Errorf("booking %d: %+v, due %+v, the card is %+v", i, k.Payment, k.Due, c)
		}
	}
	b.Clock.Advance(7*24*time.Hour + 7*time.Hour)
	b.mark(s.Bookings[1])
	b.settle()
	b.wantFee(s.Bookings[1], "succeeded")

	lapsing := b.series(24*14+5, "bob", "cut")
	_, err := b.Cancel(t.Context(), b.API, lapsing.Bookings[0].ID.String(), app.CancelInput{})
	b.Must(err)
	if w := b.get("/booking/" + token(lapsing.Bookings[1]) + "/pay"); strings.Contains(w.Header().Get("Location"), "checkout") {
		t.Errorf("without the first date, a card is enough: %d to %s", w.Code, w.Header().Get("Location"))
	}
	b.Clock.Advance(31 * time.Minute)
	b.lapse()
	b.wantSeries(lapsing, booking.Cancelled)
	late := b.series(24*14+7, "cem", "cut")
	session = b.checkout(late.Bookings[1])
	_, err = b.Cancel(t.Context(), b.API, late.Bookings[0].ID.String(), app.CancelInput{})
	b.Must(err)
	b.stripe.Pay(t, session, stripetest.Good) // before the page is closed
	b.tell()
	b.settle()
	b.wantRefunds(4500)
	if k := b.Again(late.Bookings[1]); k.Status != booking.Pending {
		t.Errorf("the price of the first date goes back, yet the second is %s", k.Status)
	}
	b.Clock.Advance(31 * time.Minute)
	b.lapse()
	b.wantSeries(late, booking.Cancelled)
	walkIn, err := b.BookSeries(t.Context(), b.Owner, booking.SeriesInput{Repeat: booking.SeriesRepeat{Every: 1, Unit: booking.SeriesWeek, Count: 3},
		Start: apptest.Hours(24*14 + 4), EventType: "cut", Invitee: booking.Invitee{Name: "Walk-in"}})
	b.Must(err)
	b.wantSeries(walkIn, booking.Confirmed)
}

// The invitee of a series gets one mail that asks for the payment of its first date, and one once it is confirmed; the team
// hears of it then.
func TestSeriesPaymentMails(t *testing.T) {
	b := newVisits(t)
	s := b.series(3, "eva", "cut")
	told := func(what string, invitee, team int) {
		t.Helper()
		of := map[bool]int{}
		all, err := b.Store.Mails(b.Workspace.ID, post.Filter{Limit: 100})
		b.Must(err)
		for _, m := range all {
			if m.Kind != catalog.MailReminder {
				of[m.Facts.For == post.ToInvitee]++
			}
		}
		if of[true] != invitee || of[false] != team {
			t.Errorf("%s: the invitee has %d mails, the team %d", what, of[true], of[false])
		}
	}
	b.wantMail("eva", "payment_due", "Pay €45", s.Bookings[0].ManageURL+"/pay")
	told("booked", 1, 0)
	b.stripe.Pay(t, b.checkout(s.Bookings[0]), stripetest.Good)
	b.settle()
	b.wantMail("eva", "confirmed")
	told("paid", 2, 1)
	b.Alter("cut", func(e *catalog.EventType) { e.SeriesPayment = catalog.SeriesPayAll })
	all := b.series(5, "bob", "cut")
	b.wantMail("bob", "payment_due", "Pay €135", "€45", "Together", all.Bookings[0].ManageURL+"/pay")
	b.stripe.Pay(t, b.checkout(all.Bookings[0]), stripetest.Good)
	b.settle()
	b.wantMail("bob", "confirmed", "Together", "€135")
	b.Alter("colour", func(e *catalog.EventType) { e.SeriesPayment = catalog.SeriesPayAll })
	b.series(30, "cem", "colour", "wash")
	b.wantMail("cem", "payment_due", "Pay €60", "€300: €60 paid online, €240 on site")
}
