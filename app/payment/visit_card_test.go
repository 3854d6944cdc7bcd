package payment_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/payment/stripetest"
)

// peels adds two services whose fees a card is saved for: a peel that costs 20 euros to miss, and a mask that costs 10, and
// 5 to cancel late.
func (b *bed) peels() {
	b.offer("peel", func(e *catalog.EventType) { e.Price, e.Payment, e.NoShowFee = eur(9000), catalog.PayOnSite, eur(2000) })
	b.offer("mask", func(e *catalog.EventType) {
		e.Price, e.NoShowFee, e.LateCancellationFee, e.CancellationNoticeMinutes = nil, eur(1000), eur(500), 24*60
	})
}

// One page saves the card for the fees of all of a visit, and says what each costs; each is charged by itself.
func TestVisitSavesItsCard(t *testing.T) {
	b := newVisits(t)
	b.peels()
	v := b.visit(3, "eva", "wash", "peel", "mask")
	if p := v.Payment; p == nil || p.Kind != booking.ForCard || p.Amount != 0 || p.URL != v.ManageURL+"/pay" {
		t.Fatalf("to be paid is %+v", p)
	}
	b.wantMail("eva", "payment_due", "Save your card", v.ManageURL+"/pay", "nothing is charged now")
	session := b.checkoutVisit(v)
	wording := "Your card is saved. If you do not come and have not cancelled in time, you agree that Salon Ana charges it " +
		"EUR 20.00 (Peel), EUR 10.00 (Mask). If you cancel later than 24 hours before the start, you agree that Salon Ana charges " +
		"it EUR 5.00 (Mask)."
	if mode, shown := b.stripe.Field(session, "mode"), b.stripe.Field(session, "_wording"); mode != "setup" || shown != wording {
		t.Errorf("%v: %v", mode, shown)
	}
	b.stripe.Pay(t, session, stripetest.Good)
	b.settle()
	v = b.wantVisit(v, booking.Confirmed, booking.Confirmed, booking.Confirmed)
	if v.Payment != nil {
		t.Errorf("nothing is paid online, yet %+v", v.Payment)
	}
	for i, saved := range []bool{false, true, true} {
		c, err := b.Payment.CardConsent(t.Context(), b.Owner, v.Items[i].ID.String())
		b.Must(err)
		if (c != nil) != saved || saved && c.Wording != wording {
			t.Errorf("the card of %s is %+v", v.Items[i].EventType, c)
		}
	}
	b.Clock.Advance(7 * time.Hour)
	b.mark(v.Items[1])
	b.mark(v.Items[2])
	b.settle()
	b.wantFee(v.Items[1], "succeeded")
	b.wantFee(v.Items[2], "succeeded")
}

// However many fees and notices there are, and whatever the business is called, the payment page takes the consent.
func TestVisitsConsentFitsThePage(t *testing.T) {
	b := newVisits(t)
	_, err := b.Shop.UpdateWorkspace(t.Context(), b.Owner, func(w *catalog.Workspace) { w.Name = strings.Repeat("Salon ", 33) })
	b.Must(err)
	var services []string
	for i := range 6 {
		slug := "peel" + strconv.Itoa(i)
		services = append(services, slug)
		b.offer(slug, func(e *catalog.EventType) {
			e.Title, e.Price, e.NoShowFee, e.LateCancellationFee = strings.Repeat("Peeling ", 12), nil, eur(int64(1000+i)), eur(int64(500+i))
			e.DurationMinutes, e.CancellationNoticeMinutes = 30, 60*(i+2)
		})
	}
	v := b.visit(3, "eva", services...)
	shown, _ := b.stripe.Field(b.checkoutVisit(v), "_wording").(string)
	for _, want := range []string{"EUR 10.05", "EUR 5.05", "2 hours", "7 hours"} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q says nothing of %s", shown, want)
		}
	}
	if n := len([]rune(shown)); n > 1200 {
		t.Errorf("it has %d characters", n)
	}
}

// The business charges a late cancellation for the bookings of a visit that have a fee for it; where none has, it is told.
func TestVisitIsCancelledLate(t *testing.T) {
	b := newVisits(t)
	b.peels()
	v := b.visit(3, "eva", "wash", "mask")
	b.stripe.Pay(t, b.checkoutVisit(v), stripetest.Good)
	b.settle()
	v = b.wantVisit(v, booking.Confirmed, booking.Confirmed)
	v, err := b.CancelVisit(t.Context(), b.Owner, v.ID.String(), app.CancelInput{ChargeLateFee: true})
	b.Must(err)
	b.settle()
	v = b.wantVisit(v, booking.Cancelled, booking.Cancelled)
	if x := v.Items[1].Cancellation; v.Items[0].Cancellation.Fee != nil || x.Fee == nil || x.Fee.Amount != 500 || x.Fee.Status != "succeeded" {
		t.Errorf("charged: %+v and %+v", v.Items[0].Cancellation.Fee, x.Fee)
	}
	v = b.visit(6, "bob", "wash")
	if _, err := b.CancelVisit(t.Context(), b.Owner, v.ID.String(), app.CancelInput{ChargeLateFee: true}); !fault.Is(err, fault.BadRequest) {
		t.Errorf("nothing can be charged: %v", err)
	}
}

// What is paid for one service saves the card for the fee of another.
func TestVisitPaysAndSavesItsCard(t *testing.T) {
	b := newVisits(t)
	b.peels()
	v := b.visit(3, "eva", "cut", "peel")
	session := b.checkoutVisit(v)
	if mode, sum := b.stripe.Field(session, "mode"), b.stripe.Field(session, "amount_total"); mode != "payment" || sum != int64(4500) {
		t.Errorf("%v of %v", mode, sum)
	}
	b.stripe.Pay(t, session, stripetest.Good)
	b.settle()
	v = b.wantVisit(v, booking.Confirmed, booking.Confirmed)
	b.wantPayment(v.Items[0], "paid", 0)
	if v.Items[1].Payment != nil {
		t.Errorf("the peel is paid on site, yet %+v", v.Items[1].Payment)
	}
	b.Clock.Advance(6 * time.Hour)
	b.mark(v.Items[1])
	b.settle()
	b.wantFee(v.Items[1], "succeeded")

	// Without the service that has a fee, the rest needs no card; without the one that is paid, the card is still needed.
	v = b.visit(12, "bob", "wash", "peel")
	_, err := b.Cancel(t.Context(), b.API, v.Items[1].ID.String(), app.CancelInput{})
	b.Must(err)
	b.wantVisit(v, booking.Confirmed, booking.Cancelled)
	v = b.visit(18, "cyd", "cut", "peel")
	_, err = b.Cancel(t.Context(), b.API, v.Items[0].ID.String(), app.CancelInput{})
	b.Must(err)
	b.wantVisit(v, booking.Cancelled, booking.Pending)
	session = b.checkoutVisit(v)
	if mode := b.stripe.Field(session, "mode"); mode != "setup" {
		t.Errorf("the page is for a %v", mode)
	}
	b.Clock.Advance(31 * time.Minute)
	b.lapse()
	b.wantVisit(v, booking.Cancelled, booking.Cancelled)

	// A card that was saved after the lapse takes all of it again.
	v = b.visit(24, "dan", "peel", "wash", "mask")
	b.stripe.Pay(t, b.checkoutVisit(v), stripetest.Good)
	b.Clock.Advance(31 * time.Minute)
	b.lapse()
	b.wantVisit(v, booking.Cancelled, booking.Cancelled, booking.Cancelled)
	b.settle()
	b.tell()
	v = b.wantVisit(v, booking.Confirmed, booking.Confirmed, booking.Confirmed)
	if v.Payment != nil {
		t.Errorf("nothing is paid online, yet %+v", v.Payment)
	}
}

// A visit of one service has the way to what that one waits for, a card too.
func TestVisitOfOneServiceSavesItsCard(t *testing.T) {
	b := newVisits(t)
	b.offer("peel", func(e *catalog.EventType) {
		e.Price, e.Payment, e.NoShowFee = eur(5000), catalog.PayOnSite, eur(2000)
	})
	v := b.visit(3, "eva", "peel")
	if p := v.Payment; p == nil || p.URL != v.ManageURL+"/pay" {
		t.Fatalf("the visit says %+v", p)
	}
	b.stripe.Pay(t, b.checkoutVisit(v), stripetest.Good)
	b.settle()
	b.wantVisit(v, booking.Confirmed)
}
