package payment_test

import (
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/payment/stripetest"
	"daybook/app/when"
)

// held is a booking whose invitee has saved a card and whose start is over.
func (b *bed) held(slug string, card stripetest.Card) booking.Booking {
	b.T.Helper()
	k := b.paid(slug, 3, "eva", card)
	b.Clock.Advance(4 * time.Hour)
	b.work()
	return k
}

func (b *bed) mark(k booking.Booking) booking.Booking {
	b.T.Helper()
	k, err := b.MarkNoShow(b.T.Context(), b.API, k.ID.String())
	b.Must(err)
	return k
}

func TestFeeWaitsForTheCard(t *testing.T) {
	b := newBed(t)
	b.offer("fee", feeOnly)
	k := b.book("fee", 3, "eva")
	if k.Status != booking.Pending || k.Payment == nil || k.Payment.Amount != 0 || k.Payment.URL == "" {
		t.Fatalf("booked: %s %+v", k.Status, k.Payment)
	}
	session := b.checkout(k)
	wording := "Your card is saved. If you do not come and have not cancelled in time, you agree that Salon Ana charges it EUR 25.00."
	if mode, shown := b.stripe.Field(session, "mode"), b.stripe.Field(session, "_wording"); mode != "setup" || shown != wording {
		t.Errorf("%v: %v", mode, shown)
	}
	b.stripe.Pay(t, session, stripetest.Good)
	b.settle()
	k = b.want(k, booking.Confirmed)
	if k.Payment != nil {
		t.Errorf("nothing is paid online, yet %+v", k.Payment)
	}
	b.wantEvents("booking.created")
	c, err := b.Payment.CardConsent(t.Context(), b.Owner, k.ID.String())
	b.Must(err)
	if c == nil || c.Fee != *eur(2500) || c.Wording != wording || c.ConsentAt != when.At(apptest.Monday) {
		t.Errorf("consent: %+v", c)
	}
}

func TestNoShowIsChargedOnce(t *testing.T) {
	for slug, with := range map[string]func(*catalog.EventType){"both": fee, "fee": feeOnly} {
		b := newBed(t)
		b.offer(slug, with)
		k := b.held(slug, stripetest.Good)
		before := b.events()
		k = b.mark(k)
		if f := k.NoShow.Fee; f == nil || f.Status != "pending" || f.Amount != 2500 || f.Currency != "EUR" {
			t.Fatalf("%s: fee %+v", slug, f)
		}
		b.settle()
		b.tell()
		b.settle()
		b.wantFee(k, "succeeded")
		b.wantEvents(append(before, "booking.no_show", "payment.succeeded no_show_fee succeeded")...)
		if n := len(b.stripe.Intents("succeeded")); n != len(before) {
			t.Errorf("%s: %d payments at Stripe", slug, n)
		}
		all, _ := b.Store.EventsAfter(b.Workspace.ID, 0, 100)
		if body := string(all[len(before)].Body); !strings.Contains(body, `"fee":{"status":"pending","amount":2500,"currency":"EUR"}}}`) {
			t.Error(body)
		}

		b.Clock.Advance(time.Hour)
		_, err := b.UndoMark(t.Context(), b.Owner, k.ID.String(), app.NoShowMark)
		b.Must(err)
		b.settle()
		b.wantRefunds(2500)
		k = b.mark(k) // another attempt
		b.settle()
		b.wantFee(k, "succeeded")
		b.wantRefunds(2500)
		b.wantEvents(append(before, "booking.no_show", "payment.succeeded no_show_fee succeeded", "payment.refunded no_show_fee refunded",
			"booking.no_show", "payment.succeeded no_show_fee succeeded")...)
		_, err = b.Payment.RefundFee(t.Context(), b.Owner, k.ID.String(), nil)
		b.Must(err)
		b.settle()
		b.wantFee(k, "refunded")
		b.want(k, booking.NoShow)
	}
}

func TestFeeThatFailsNeverStopsTheMarking(t *testing.T) {
	for card, want := range map[stripetest.Card]string{stripetest.Declined: "failed", stripetest.Authenticate: "requires_action"} {
		b := newBed(t)
		b.offer("fee", feeOnly)
		k := b.mark(b.held("fee", card))
		b.settle()
		b.wantFee(k, want)
		k = b.want(k, booking.NoShow)
		if k.NoShow.Fee.URL != k.ManageURL+"/pay" {
			t.Errorf("link %q", k.NoShow.Fee.URL)
		}
		b.settle()
		if n := b.stripe.Requests("POST /v1/payment_intents"); n != 1 {
			t.Errorf("charged %d times", n)
		}
		session := b.checkout(k) // the owner has sent the link
		if got := b.stripe.Field(session, "amount_total"); got != int64(2500) {
			t.Errorf("asks for %v", got)
		}
		b.stripe.Pay(t, session, stripetest.Good)
		b.settle()
		b.wantFee(k, "succeeded")
		if k = b.Again(k); k.NoShow.Fee.URL != "" {
			t.Error("still has a link")
		}
		b.wantEvents("booking.created", "booking.no_show", "payment.succeeded no_show_fee succeeded")
		_, err := b.UndoMark(t.Context(), b.Owner, k.ID.String(), app.NoShowMark)
		b.Must(err)
		b.settle()
		b.wantRefunds(2500)
	}
}

func TestFeePaidAfterItWasTakenBackGoesBack(t *testing.T) {
	b := newBed(t)
	b.offer("fee", feeOnly)
	k := b.mark(b.held("fee", stripetest.Declined))
	b.settle()
	session := b.checkout(k)
	b.stripe.Pay(t, session, stripetest.Good)
	_, err := b.UndoMark(t.Context(), b.Owner, k.ID.String(), app.NoShowMark)
	b.Must(err)
	b.settle()
	b.settle()
	b.wantRefunds(2500)
	b.want(k, booking.Confirmed)
}

func TestFeeTakenBackBeforeItIsCharged(t *testing.T) {
	b := newBed(t)
	b.offer("fee", feeOnly)
	k := b.mark(b.held("fee", stripetest.Good))
	_, err := b.UndoMark(t.Context(), b.Owner, k.ID.String(), app.NoShowMark)
	b.Must(err)
	b.settle()
	if n := b.stripe.Requests("POST /v1/payment_intents"); n != 0 {
		t.Errorf("charged %d times", n)
	}
	b.wantEvents("booking.created", "booking.no_show")
}

func TestSlowFee(t *testing.T) {
	b := newBed(t)
	b.offer("fee", feeOnly)
	k := b.mark(b.held("fee", stripetest.Slow))
	b.settle()
	b.wantFee(k, "pending")
	b.stripe.Clear(b.stripe.Intents("processing")[0])
	b.settle()
	b.wantFee(k, "succeeded")
}

func TestNoCardNoFee(t *testing.T) {
	b := newBed(t)
	b.Must(b.Payment.DisconnectPayments(t.Context(), app.Operator(b.Workspace.ID)))
	b.offer("fee", feeOnly)
	k := b.book("fee", 3, "eva")
	b.Clock.Advance(4 * time.Hour)
	if k = b.mark(k); k.NoShow.Fee != nil {
		t.Errorf("fee %+v", k.NoShow.Fee)
	}
}
