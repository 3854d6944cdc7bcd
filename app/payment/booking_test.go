package payment_test

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/app/payment"
	"daybook/app/payment/stripe"
	"daybook/app/payment/stripetest"
	"daybook/app/webhook"
	"daybook/app/when"
	"daybook/app/work"
)

func TestPaidBookingIsConfirmed(t *testing.T) {
	b := newBed(t)
	b.offer("cut", nil)
	k := b.book("cut", 3, "eva")
	if k.Status != booking.Pending || *k.PendingReason != booking.ForPayment || k.ExpiresAt != when.At(apptest.Monday.Add(30*time.Minute)) {
		t.Fatalf("booked: %+v", k)
	}
	if p := k.Payment; p == nil || p.Status != "unpaid" || p.Amount != 4500 || p.Currency != "EUR" || p.URL != k.ManageURL+"/pay" {
		t.Fatalf("payment: %+v", p)
	}
	session := b.checkout(k)
	if again := b.checkout(k); again != session || b.stripe.Requests("POST /v1/checkout/sessions") != 1 {
		t.Errorf("opened twice: %s, %s", session, again)
	}
	if got := b.stripe.Field(session, "cancel_url"); got != k.ManageURL {
		t.Errorf("cancel_url %v", got)
	}
	b.wantEvents()
	b.stripe.Pay(t, session, stripetest.Good)
	b.tell()
	k = b.want(k, booking.Confirmed)
	b.wantPayment(k, "paid", 0)
	if k.Payment.URL != "" || k.ExpiresAt != 0 || k.PendingReason != nil {
		t.Errorf("after the payment: %+v", k)
	}
	b.wantEvents("payment.succeeded booking succeeded", "booking.created")
	all, _ := b.Store.EventsAfter(b.Workspace.ID, 0, 10)
	if got := string(all[0].Body); !strings.Contains(got, `"data":{"id":"pay_`) ||
		!strings.HasSuffix(got, `","bookingId":"`+k.ID.String()+`","kind":"booking","for":"price","amount":4500,"currency":"EUR","status":"succeeded","refundedAmount":0,"invitee":{"name":"eva","email":"eva@mail.example"}}}`) {
		t.Error(got)
	}

	b.tell() // every event once more
	b.settle()
	b.Clock.Advance(24 * time.Hour)
	b.settle()
	b.wantEvents("payment.succeeded booking succeeded", "booking.created")
	b.wantRefunds()
	if to := b.get("/booking/" + token(k) + "/pay").Header().Get("Location"); to != k.ManageURL {
		t.Errorf("paid already, forwarded to %s", to)
	}
}

// The invitee who comes back from Stripe sees the booking confirmed, whatever became of the event.
func TestComingBackLooks(t *testing.T) {
	b := newBed(t)
	b.offer("cut", nil)
	k := b.book("cut", 3, "eva")
	session := b.checkout(k)
	back := strings.TrimPrefix(b.stripe.Field(session, "success_url").(string), "https://book.example")
	b.get(back)
	b.want(k, booking.Pending)
	b.stripe.Pay(t, session, stripetest.Good)
	if to := b.get(back).Header().Get("Location"); to != k.ManageURL+"?new=1" { // the page of a new booking, which may lead on
		t.Errorf("forwarded to %s", to)
	}
	b.want(k, booking.Confirmed)
	b.settle()
	b.wantEvents("payment.succeeded booking succeeded", "booking.created")
}

func TestFreeAndOnSiteAreUntouched(t *testing.T) {
	b := newBed(t)
	b.offer("free", func(e *catalog.EventType) { e.Price = nil })
	b.offer("site", func(e *catalog.EventType) { e.Payment = catalog.PayOnSite })
	for i, slug := range []string{"free", "site"} {
		if k := b.book(slug, 3+i, "eva"); k.Status != booking.Confirmed || k.Payment != nil {
			t.Errorf("%s: %s %+v", slug, k.Status, k.Payment)
		}
	}
	b.Must(b.Payment.DisconnectPayments(t.Context(), app.Operator(b.Workspace.ID)))
	b.offer("cut", fee)
	if k := b.book("cut", 6, "eva"); k.Status != booking.Confirmed || k.Payment != nil {
		t.Errorf("disconnected: %s %+v", k.Status, k.Payment)
	}
	if n := b.stripe.Requests("POST /v1/checkout/sessions"); n != 0 {
		t.Errorf("%d payment pages", n)
	}
}

func TestUnpaidLapsesAndItsPageIsClosed(t *testing.T) {
	b := newBed(t)
	b.offer("cut", nil)
	k := b.book("cut", 3, "eva")
	session := b.checkout(k)
	b.Clock.Advance(31 * time.Minute)
	b.lapse()
	k = b.want(k, booking.Cancelled)
	b.wantPayment(k, "unpaid", 0)
	b.work()
	if got := b.stripe.Field(session, "status"); got != "expired" {
		t.Errorf("the payment page is %v", got)
	}
	b.settle()
	b.wantEvents()
	b.book("cut", 3, "bob")
}

func (b *bed) lapse() {
	b.T.Helper()
	_, err := b.Lapse(b.T.Context(), 100)
	b.Must(err)
}

// late is a booking that was paid before its page could be closed, but told after it had lapsed.
func (b *bed) late(slug string) booking.Booking {
	b.T.Helper()
	k := b.book(slug, 3, "eva")
	b.stripe.Pay(b.T, b.checkout(k), stripetest.Good)
	b.Clock.Advance(31 * time.Minute)
	b.lapse()
	return b.want(k, booking.Cancelled)
}

func TestPaidAfterTheLapseTakesTheTimeAgain(t *testing.T) {
	b := newBed(t)
	b.offer("cut", nil)
	k := b.late("cut")
	b.tell()
	k = b.want(k, booking.Confirmed)
	if k.Cancellation != nil {
		t.Error("still has a cancellation")
	}
	b.settle()
	b.wantEvents("payment.succeeded booking succeeded", "booking.created")
	b.wantRefunds()
}

// A booking that comes back into a session which others have made meanwhile ends as theirs do.
func TestPaidAfterTheLapseJoinsTheSession(t *testing.T) {
	b := newBed(t)
	b.offer("yoga", func(e *catalog.EventType) { e.Seats = 3 })
	k := b.late("yoga")
	b.Alter("yoga", func(e *catalog.EventType) { e.DurationMinutes, e.BufferAfterMinutes = 90, 15 })
	other := b.book("yoga", 3, "bob")
	b.tell()
	if k = b.want(k, booking.Confirmed); !reflect.DeepEqual(k.Taken, other.Taken) {
		t.Errorf("comes back as %+v into %+v", k.Taken, other.Taken)
	}
}

func TestPaidAfterTheLapseGoesBackWhenTheTimeIsTaken(t *testing.T) {
	b := newBed(t)
	b.offer("cut", nil)
	k := b.late("cut")
	other := b.book("cut", 3, "bob")
	b.tell()
	b.want(k, booking.Cancelled)
	b.settle()
	b.wantPayment(k, "refunded", 4500)
	b.wantRefunds(4500)
	b.want(other, booking.Pending)
	b.wantEvents("payment.succeeded booking succeeded", "payment.refunded booking refunded")
}

// Even the job that was to close the page finds the payment, should no event ever come.
func TestPaidAfterTheLapseIsFoundWithoutEvents(t *testing.T) {
	b := newBed(t)
	b.offer("cut", func(e *catalog.EventType) { e.RequiresApproval = true })
	k := b.late("cut")
	b.work()
	if k = b.want(k, booking.Pending); *k.PendingReason != booking.ForApproval {
		t.Errorf("waits for %s", *k.PendingReason)
	}
	b.wantEvents("payment.succeeded booking succeeded")
}

func TestCancelledWhileUnpaidGoesBack(t *testing.T) {
	b := newBed(t)
	b.offer("cut", nil)
	k := b.book("cut", 3, "eva")
	b.stripe.Pay(t, b.checkout(k), stripetest.Good)
	_, err := b.Cancel(t.Context(), b.API, k.ID.String(), app.CancelInput{})
	b.Must(err)
	b.settle()
	b.want(k, booking.Cancelled)
	b.wantPayment(k, "refunded", 4500)
	b.wantEvents("payment.succeeded booking succeeded", "payment.refunded booking refunded")
}

func TestPaymentComesBeforeApproval(t *testing.T) {
	b := newBed(t)
	b.offer("cut", func(e *catalog.EventType) { e.RequiresApproval = true })
	k := b.book("cut", 30, "eva")
	if _, err := b.Confirm(t.Context(), b.API, k.ID.String()); fault.As(err) == nil || fault.As(err).Reason != "payment_due" {
		t.Fatal(err)
	}
	b.stripe.Pay(t, b.checkout(k), stripetest.Good)
	b.settle()
	k = b.want(k, booking.Pending)
	if *k.PendingReason != booking.ForApproval || k.ExpiresAt != k.Start {
		t.Fatalf("waits for %s until %s", *k.PendingReason, k.ExpiresAt)
	}
	b.wantEvents("payment.succeeded booking succeeded")
	_, err := b.Confirm(t.Context(), b.API, k.ID.String())
	b.Must(err)
	b.wantEvents("payment.succeeded booking succeeded", "booking.created")

	k = b.book("cut", 40, "bob")
	b.stripe.Pay(t, b.checkout(k), stripetest.Good)
	b.settle()
	_, err = b.Decline(t.Context(), b.API, k.ID.String(), "")
	b.Must(err)
	b.settle()
	b.wantPayment(k, "refunded", 4500)

	k = b.book("cut", 40, "cyd")
	b.stripe.Pay(t, b.checkout(k), stripetest.Good)
	b.settle()
	b.Clock.Advance(49 * time.Hour)
	b.lapse()
	b.settle()
	b.want(k, booking.Cancelled)
	b.wantPayment(k, "refunded", 4500)
}

func TestDelayedPaymentHoldsTheTime(t *testing.T) {
	for _, well := range []bool{true, false} {
		b := newBed(t)
		b.offer("cut", nil)
		k := b.book("cut", 24*10, "eva")
		session := b.checkout(k)
		b.stripe.PayLater(t, session)
		b.settle()
		b.wantPayment(k, "processing", 0)
		b.Clock.Advance(3 * 24 * time.Hour)
		b.lapse()
		k = b.want(k, booking.Pending)
		if k.Payment.URL != "" {
			t.Error("could be paid again")
		}
		b.stripe.Arrive(session, well)
		b.settle()
		b.lapse()
		if well {
			b.want(k, booking.Confirmed)
			b.wantEvents("payment.succeeded booking succeeded", "booking.created")
		} else {
			b.want(k, booking.Cancelled)
			b.wantEvents()
		}
	}
}

// A payment that fails is told to endpoints that ask for it.
func TestFailedPaymentIsTold(t *testing.T) {
	b := newBed(t)
	e, err := b.Webhook.CreateEndpoint(t.Context(), b.Owner, webhook.EndpointInput{URL: "https://93.184.216.34/hook", Events: []string{"payment.failed"}})
	b.Must(err)
	b.offer("cut", nil)
	session := b.checkout(b.book("cut", 24*10, "eva"))
	b.stripe.PayLater(t, session)
	b.settle()
	b.stripe.Arrive(session, false)
	b.settle()
	b.settle()
	sent, err := b.Webhook.Deliveries(t.Context(), b.Owner, webhook.ListDeliveriesInput{Endpoint: e.ID.String()})
	b.Must(err)
	if len(sent.Data) != 1 {
		t.Fatalf("%d events", len(sent.Data))
	}
	body, err := b.Webhook.EventBody(t.Context(), b.Owner, sent.Data[0].EventID)
	b.Must(err)
	if !strings.Contains(string(body), `"event":"payment.failed"`) || !strings.Contains(string(body), `"status":"failed"`) {
		t.Errorf("%s", body)
	}
}

// Whatever the order of the events, and however often they come, the outcome is the same.
func TestEventsInAnyOrder(t *testing.T) {
	for _, well := range []bool{true, false} {
		b := newBed(t)
		b.offer("cut", nil)
		k := b.book("cut", 24*10, "eva")
		session := b.checkout(k)
		b.stripe.PayLater(t, session)
		b.stripe.Arrive(session, well)
		n := len(b.stripe.Events())
		for i := n - 1; i >= 0; i-- {
			b.stripe.Send(t, b.hook, "/api/stripe/salon", i, i)
		}
		b.settle()
		if well {
			b.want(k, booking.Confirmed)
			b.wantEvents("payment.succeeded booking succeeded", "booking.created")
		} else {
			b.wantPayment(k, "failed", 0)
			b.stripe.Pay(t, b.checkout(k), stripetest.Good) // there is still time
			b.settle()
			b.want(k, booking.Confirmed)
		}
	}
}

func TestPaidTwiceGoesBackOnce(t *testing.T) {
	b := newBed(t)
	b.offer("cut", nil)
	k := b.book("cut", 3, "eva")
	first := b.checkout(k)
	b.Clock.Advance(29*time.Minute + 30*time.Second)
	b.Must(b.Store.Write(t.Context(), func(tx app.Tx) error { // as if it were about to close
		open, err := tx.(payment.Tx).CheckoutsOf(k.ID)
		if err != nil {
			return err
		}
		open[0].State = payment.CheckoutExpired
		return tx.(payment.Tx).UpdateCheckout(&open[0])
	}))
	second := b.checkout(k)
	if first == second {
		t.Fatal("no second page")
	}
	b.stripe.Pay(t, first, stripetest.Good)
	b.stripe.Pay(t, second, stripetest.Good)
	b.settle()
	b.tell()
	b.settle()
	b.want(k, booking.Confirmed)
	b.wantPayment(k, "paid", 0)
	b.wantRefunds(4500)
	b.wantEvents("payment.succeeded booking succeeded", "booking.created", "payment.succeeded booking succeeded", "payment.refunded booking refunded")
}

// refuses is a provider that refuses to open a page, after meanwhile.
type refuses struct {
	payment.Provider
	meanwhile func()
}

func (r refuses) OpenCheckout(context.Context, string, payment.CheckoutRequest) (payment.CheckoutResult, error) {
	r.meanwhile()
	return payment.CheckoutResult{}, &payment.ProviderError{Fault: payment.ProviderRefused}
}

// A page that one call has opened is not forgotten because another call for it was refused.
func TestAnOpenedPageIsKept(t *testing.T) {
	b := newBed(t)
	b.offer("cut", nil)
	k := b.book("cut", 3, "eva")
	var opened string
	b.Payment.SetProvider(refuses{stripe.New(b.stripe.URL), func() {
		b.Payment.SetProvider(stripe.New(b.stripe.URL))
		opened = b.checkout(k)
	}})
	if _, err := b.Payment.CheckoutURL(t.Context(), token(k)); !fault.Is(err, fault.Conflict) {
		t.Errorf("the call that was refused: %v", err)
	}
	if again := b.checkout(k); again != opened {
		t.Errorf("the page %s was opened, and now it is %s", opened, again)
	}
	b.stripe.Pay(t, opened, stripetest.Good) // its event is lost
	b.Must(b.Payment.ReconcilePayments(t.Context(), work.AllBuckets))
	b.settle()
	b.want(k, booking.Confirmed)
}

func TestPriceIsFixedWhenBooked(t *testing.T) {
	b := newBed(t)
	b.offer("cut", nil)
	k := b.book("cut", 3, "eva")
	b.Must(b.Store.Write(t.Context(), func(tx app.Tx) error {
		setup, err := tx.Setup(b.Workspace.ID)
		if err != nil {
			return err
		}
		e := setup.EventTypes[0]
		e.Price, e.Payment = eur(9900), catalog.PayOnSite
		return tx.UpdateEventType(&e)
	}))
	if got := b.stripe.Field(b.checkout(k), "amount_total"); got != int64(4500) {
		t.Errorf("asked for %v", got)
	}
}

func TestCurrencies(t *testing.T) {
	b := newBed(t)
	for i, c := range []struct {
		currency       string
		amount, charge int64
	}{{"EUR", 4500, 4500}, {"JPY", 4500, 4500}, {"KWD", 4510, 4510}, {"UGX", 4500, 450000}, {"ISK", 450000, 450000}, {"HUF", 450050, 450050}} {
		slug := strings.ToLower(c.currency)
		b.offer(slug, func(e *catalog.EventType) { e.Price = &money.Money{Amount: c.amount, Currency: c.currency} })
		k := b.book(slug, 3+i, "eva")
		session := b.checkout(k)
		if got, currency := b.stripe.Field(session, "amount_total"), b.stripe.Field(session, "currency"); got != c.charge || currency != slug {
			t.Errorf("%s: asked for %v %v", c.currency, got, currency)
		}
		b.stripe.Pay(t, session, stripetest.Good)
		b.settle()
		half := c.amount / 2 / 100 * 100
		_, err := b.Payment.Refund(t.Context(), b.Owner, k.ID.String(), &half)
		b.Must(err)
		b.settle()
		b.wantPayment(k, "partially_refunded", half)
	}
}

func TestProviderOutOfReach(t *testing.T) {
	b := newBed(t)
	b.offer("cut", nil)
	k := b.book("cut", 3, "eva")
	for _, f := range []stripetest.Fault{stripetest.Drop, stripetest.Break, stripetest.Busy, stripetest.Lose} {
		b.stripe.Fail(func(string, string) stripetest.Fault { return f })
		if w := b.get("/booking/" + token(k) + "/pay"); w.Code != 503 || strings.Contains(w.Body.String(), "sk_") {
			t.Errorf("fault %d: %d %s", f, w.Code, w.Body)
		}
	}
	b.stripe.Fail(nil)
	session := b.checkout(k)
	if b.stripe.Session(t, 0) != session {
		t.Error("a second page was made after an answer was lost")
	}
	b.stripe.Pay(t, session, stripetest.Good)
	b.settle()
	b.want(k, booking.Confirmed)
	if w := b.get("/booking/nonsense/pay"); w.Code != 404 {
		t.Errorf("unknown link: %d", w.Code)
	}
}

func TestReconciliation(t *testing.T) {
	b := newBed(t)
	b.offer("cut", nil)
	paid, refunded := b.book("cut", 3, "eva"), b.paid("cut", 4, "bob", stripetest.Good)
	b.stripe.Pay(t, b.checkout(paid), stripetest.Good)
	b.stripe.RefundByHand(t, b.stripe.Intents("succeeded")[0], 1000)
	b.Clock.Advance(10 * time.Minute)
	b.Must(b.Payment.ReconcilePayments(t.Context(), work.AllBuckets)) // no event arrived
	b.work()
	b.want(paid, booking.Confirmed)
	b.wantPayment(refunded, "partially_refunded", 1000)
	n := len(b.events())
	b.Must(b.Payment.ReconcilePayments(t.Context(), work.AllBuckets))
	b.settle()
	if len(b.events()) != n {
		t.Errorf("told again: %v", b.events())
	}
}

// What was paid online stays in its currency: an event type that is priced in another one is refused.
func TestPaidOnlineKeepsItsCurrency(t *testing.T) {
	b := newBed(t)
	b.offer("cut", nil)
	b.offer("dollars", func(e *catalog.EventType) { e.Price = &money.Money{Amount: 5000, Currency: "USD"} })
	k := b.book("cut", 3, "eva")
	b.stripe.Pay(t, b.checkout(k), stripetest.Good)
	b.settle()
	b.want(k, booking.Confirmed)
	slug := "dollars"
	_, err := b.Edit(t.Context(), b.API, k.ID.String(), booking.EditInput{EventType: &slug}, "")
	if e := fault.As(err); e == nil || e.Field != "eventType" || !strings.Contains(e.Error(), "paid online in EUR") {
		t.Errorf("%v", err)
	}
	if now := b.Again(k); now.EventType != "cut" || *now.Price != *eur(4500) {
		t.Errorf("%s for %v", now.EventType, now.Price)
	}
}

// Who walks in has no address for a link: what others pay online they pay at the counter.
func TestWalkInsPayAtTheCounter(t *testing.T) {
	b := newBed(t)
	b.Offer("cut", 60, func(e *catalog.EventType) {
		e.Price, e.Payment = &money.Money{Amount: 3000, Currency: "EUR"}, catalog.PayOnline
	})
	got, err := b.Book(t.Context(), b.Owner, booking.BookInput{EventType: "cut", Start: apptest.At("1T09")})
	b.Must(err)
	if got.Status != booking.Confirmed || got.Payment != nil || got.Price == nil {
		t.Errorf("%s, %+v", got.Status, got.Payment)
	}
	got, err = b.Book(t.Context(), b.Owner, apptest.Input("cut", "1T11", "Bo"))
	if err != nil || got.Status != booking.Pending || got.Payment == nil {
		t.Errorf("who has an address: %s, %v", got.Status, err)
	}
	v, err := b.BookVisit(t.Context(), b.Owner, booking.VisitInput{Start: apptest.At("1T13"),
		Items: []booking.VisitItem{{EventType: "cut"}, {EventType: "cut"}}})
	b.Must(err)
	if v.Items[0].Status != booking.Confirmed || v.Items[1].Status != booking.Confirmed {
		t.Errorf("a visit: %s, %s", v.Items[0].Status, v.Items[1].Status)
	}
}
