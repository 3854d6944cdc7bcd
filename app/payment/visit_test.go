package payment_test

import (
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	post "daybook/app/mail"
	"daybook/app/money"
	"daybook/app/payment"
	"daybook/app/payment/stripetest"
)

// newVisits offers a cut, paid at once, a colour with a deposit of 20 euros of 100, and a wash that costs nothing.
func newVisits(t testing.TB) *bed {
	b := newBed(t)
	b.offer("cut", nil)
	b.offer("colour", func(e *catalog.EventType) {
		e.Price, e.Payment, e.Deposit = eur(10000), catalog.PayOnSite, &catalog.Deposit{Percent: 20}
	})
	b.offer("wash", func(e *catalog.EventType) { e.Price, e.Payment = nil, catalog.PayOnSite })
	return b
}

// visit books these services one after the other, so many hours after Monday.
func (b *bed) visit(hour int, person string, services ...string) booking.Visit {
	b.T.Helper()
	in := booking.VisitInput{Start: apptest.Hours(hour), Invitee: apptest.Input("", "", person).Invitee}
	for _, s := range services {
		in.Items = append(in.Items, booking.VisitItem{EventType: s})
	}
	v, err := b.BookVisit(b.T.Context(), b.API, in)
	b.Must(err)
	return v
}

// checkoutVisit opens the payment page of a visit, and answers its session.
func (b *bed) checkoutVisit(v booking.Visit) string {
	b.T.Helper()
	w := b.get(strings.TrimPrefix(b.nowVisit(v).ManageURL, "https://book.example") + "/pay")
	to := w.Header().Get("Location")
	if w.Code != http.StatusSeeOther || !strings.HasPrefix(to, "https://checkout.stripe.test/") {
		b.T.Fatalf("pay: %d to %q: %s", w.Code, to, w.Body)
	}
	return strings.TrimPrefix(to, "https://checkout.stripe.test/")
}

func (b *bed) nowVisit(v booking.Visit) booking.Visit {
	b.T.Helper()
	v, err := b.Visit(b.T.Context(), b.API, v.ID.String())
	b.Must(err)
	return v
}

// wantVisit wants these states of the bookings of a visit.
func (b *bed) wantVisit(v booking.Visit, want ...booking.Status) booking.Visit {
	b.T.Helper()
	v = b.nowVisit(v)
	for i, s := range want {
		if v.Items[i].Status != s {
			b.T.Fatalf("booking %d is %s, want %s", i, v.Items[i].Status, s)
		}
	}
	return v
}

// wantLast wants that the history of these bookings ends with an action each.
func (b *bed) wantLast(v booking.Visit, want ...booking.Action) {
	b.T.Helper()
	for i, action := range want {
		all, err := b.History(b.T.Context(), b.Owner, v.Items[i].ID.String())
		b.Must(err)
		if last := all[len(all)-1].Action; last != action {
			b.T.Errorf("booking %d: the last is %s, want %s", i, last, action)
		}
	}
}

// paidVisit is a cut, a colour and a wash that have been paid.
func (b *bed) paidVisit() booking.Visit {
	b.T.Helper()
	v := b.visit(3, "eva", "cut", "colour", "wash")
	b.stripe.Pay(b.T, b.checkoutVisit(v), stripetest.Good)
	b.settle()
	return b.wantVisit(v, booking.Confirmed, booking.Confirmed, booking.Confirmed)
}

// A visit waits as one, is paid by one payment on the sum of its prices and deposits, and is confirmed as one; each of
// its bookings is refunded by itself.
func TestVisitIsPaidAtOnce(t *testing.T) {
	b := newVisits(t)
	v := b.visit(3, "eva", "cut", "colour", "wash")
	for i := range v.Items {
		k := &v.Items[i]
		if k.Status != booking.Pending || k.PendingReason == nil || *k.PendingReason != booking.ForPayment ||
			k.ExpiresAt != k.CreatedAt.Add(app.PaymentHold) {
			t.Errorf("booking %d is %s until %s", i, k.Status, k.ExpiresAt)
		}
	}
	if p := v.Payment; p == nil || p.Amount != 6500 || p.Kind != booking.ForDeposit || p.Status != "unpaid" || p.URL != v.ManageURL+"/pay" {
		t.Fatalf("to be paid is %+v", p)
	}
	session := b.checkoutVisit(v)
	if again := b.checkoutVisit(v); again != session || b.stripe.Field(session, "amount_total") != int64(6500) {
		t.Errorf("the page %s is of %v, then %s", session, b.stripe.Field(session, "amount_total"), again)
	}
	if back := b.stripe.Field(session, "success_url"); back != v.ManageURL+"/paid" {
		t.Errorf("leads back to %v", back)
	}
	b.stripe.Pay(t, session, stripetest.Good)
	n := len(b.stripe.Events())
	for i := n - 1; i >= 0; i-- { // in any order, each twice
		b.stripe.Send(t, b.hook, "/api/stripe/salon", i, i)
	}
	b.settle()
	v = b.wantVisit(v, booking.Confirmed, booking.Confirmed, booking.Confirmed)
	if p := v.Payment; p.Status != "paid" || p.Amount != 6500 || p.URL != "" || v.Items[0].Payment.Amount != 4500 ||
		v.Items[1].Payment.Amount != 2000 || v.Items[2].Payment != nil || v.Items[1].Due.Amount != 8000 {
		t.Errorf("paid is %+v: %+v, %+v, %+v", p, v.Items[0].Payment, v.Items[1].Payment, v.Items[2].Payment)
	}
	b.wantEvents("payment.succeeded booking succeeded", "booking.created", "payment.succeeded deposit succeeded",
		"booking.created", "booking.created")
	b.wantLast(v, booking.ActPaid, booking.ActPaid, booking.ActWaitOver) // nothing was paid for the wash
	if got := b.get(strings.TrimPrefix(v.ManageURL, "https://book.example") + "/pay").Header().Get("Location"); got != v.ManageURL {
		t.Errorf("paid twice at %s", got)
	}

	_, err := b.Cancel(t.Context(), b.API, v.Items[0].ID.String(), app.CancelInput{})
	b.Must(err)
	b.settle()
	b.wantPayment(v.Items[0], "refunded", 4500)
	b.wantPayment(v.Items[1], "paid", 0)
	b.wantRefunds(4500)
	some := int64(500)
	_, err = b.Payment.Refund(t.Context(), b.Owner, v.Items[1].ID.String(), &some)
	b.Must(err)
	b.settle()
	b.settle()
	b.wantPayment(v.Items[0], "refunded", 4500)
	b.wantPayment(v.Items[1], "partially_refunded", 500)
	b.stripe.RefundByHand(t, b.stripe.Intents("succeeded")[0], 1000)
	b.settle()
	b.wantPayment(v.Items[0], "refunded", 4500)
	b.wantPayment(v.Items[1], "partially_refunded", 1500)
	_, err = b.CancelVisit(t.Context(), b.API, v.ID.String(), app.CancelInput{})
	b.Must(err)
	b.settle()
	b.wantRefunds(4500, 500, 1000, 500)
	b.wantPayment(v.Items[1], "refunded", 2000)
	if p := b.nowVisit(v).Payment; p.Status != "refunded" || p.RefundedAmount != 6500 {
		t.Errorf("refunded is %+v", p)
	}
	if _, err := b.Payment.Refund(t.Context(), b.Owner, v.Items[0].ID.String(), nil); fault.As(err) == nil {
		t.Error("refunded again")
	}
}

// What is refunded at Stripe without saying for which booking counts for the first that have something left.
func TestVisitRefundedAtStripe(t *testing.T) {
	b := newVisits(t)
	v := b.paidVisit()
	b.stripe.RefundByHand(t, b.stripe.Intents("succeeded")[0], 5000)
	b.settle()
	b.wantPayment(v.Items[0], "refunded", 4500)
	b.wantPayment(v.Items[1], "partially_refunded", 500)
	b.settle()
	b.wantEvents("payment.succeeded booking succeeded", "booking.created", "payment.succeeded deposit succeeded",
		"booking.created", "booking.created", "payment.refunded booking refunded", "payment.refunded deposit partially_refunded")
}

// Each booking follows the refund rule of its service when the customer cancels.
func TestVisitIsRefundedByEachRule(t *testing.T) {
	b := newVisits(t)
	b.Alter("cut", func(e *catalog.EventType) { e.RefundOnCancel = catalog.RefundNever })
	v := b.paidVisit()
	_, actor, err := b.VisitByToken(t.Context(), v.ManageURL[strings.LastIndexByte(v.ManageURL, '/')+1:])
	b.Must(err)
	_, err = b.CancelVisit(t.Context(), actor, v.ID.String(), app.CancelInput{})
	b.Must(err)
	b.settle()
	b.wantVisit(v, booking.Cancelled, booking.Cancelled, booking.Cancelled)
	b.wantPayment(v.Items[0], "paid", 0)
	b.wantPayment(v.Items[1], "refunded", 2000)
	b.wantRefunds(2000)
}

func TestUnpaidVisitLapsesAsOne(t *testing.T) {
	b := newVisits(t)
	v := b.visit(3, "eva", "wash", "cut", "colour")
	session := b.checkoutVisit(v)
	b.Clock.Advance(31 * time.Minute)
	b.lapse()
	b.wantVisit(v, booking.Cancelled, booking.Cancelled, booking.Cancelled)
	b.settle()
	if got := b.stripe.Field(session, "status"); got != "expired" {
		t.Errorf("the page is %v", got)
	}
	b.wantEvents()
	b.visit(3, "bob", "wash", "cut", "colour")
}

// A payment that arrives after the lapse takes all of the visit again, or goes back as a whole.
func TestVisitPaidAfterTheLapse(t *testing.T) {
	for _, taken := range []bool{false, true} {
		b := newVisits(t)
		for _, slug := range []string{"cut", "colour", "wash"} {
			b.Alter(slug, func(e *catalog.EventType) { e.BufferBeforeMinutes, e.BufferAfterMinutes = 10, 10 })
		}
		v := b.visit(3, "eva", "wash", "cut", "colour")
		b.stripe.Pay(t, b.checkoutVisit(v), stripetest.Good)
		b.Clock.Advance(31 * time.Minute)
		b.lapse()
		b.wantVisit(v, booking.Cancelled, booking.Cancelled, booking.Cancelled)
		if taken { // the last of the three
			b.book("wash", 5, "bob")
		}
		b.tell()
		b.settle()
		b.tell()
		if taken {
			b.wantVisit(v, booking.Cancelled, booking.Cancelled, booking.Cancelled)
			b.wantPayment(v.Items[1], "refunded", 4500)
			b.wantPayment(v.Items[2], "refunded", 2000)
			b.wantRefunds(4500, 2000)
			continue
		}
		b.wantVisit(v, booking.Confirmed, booking.Confirmed, booking.Confirmed)
		b.wantRefunds()
		b.wantEvents("booking.created", "payment.succeeded booking succeeded", "booking.created",
			"payment.succeeded deposit succeeded", "booking.created")
	}
}

// Of a visit that waits, one is cancelled alone: the rest is paid, or goes on where nothing is left to pay. Who pays the
// old page gets that part back.
func TestPartOfAWaitingVisitIsCancelled(t *testing.T) {
	b := newVisits(t)
	v := b.visit(3, "eva", "cut", "colour", "wash")
	first := b.checkoutVisit(v)
	cancel := func(i int) {
		t.Helper()
		_, err := b.Cancel(t.Context(), b.API, v.Items[i].ID.String(), app.CancelInput{})
		b.Must(err)
	}
	cancel(0)
	second := b.checkoutVisit(v)
	if first == second || b.stripe.Field(second, "amount_total") != int64(2000) {
		t.Fatalf("the page %s is of %v", second, b.stripe.Field(second, "amount_total"))
	}
	b.stripe.Pay(t, first, stripetest.Good)
	b.settle()
	b.wantVisit(v, booking.Cancelled, booking.Confirmed, booking.Confirmed)
	b.wantPayment(v.Items[1], "paid", 0)
	b.wantRefunds(4500)
	b.stripe.Pay(t, second, stripetest.Good)
	b.settle()
	b.wantRefunds(4500, 2000) // paid twice

	v = b.visit(9, "bob", "wash", "cut")
	cancel(1)
	v = b.wantVisit(v, booking.Confirmed, booking.Cancelled)
	b.wantLast(v, booking.ActWaitOver, booking.ActCancelled)
	v = b.visit(12, "cyd", "wash", "cut")
	cancel(0)
	b.wantVisit(v, booking.Cancelled, booking.Pending)
	b.stripe.Pay(t, b.checkoutVisit(v), stripetest.Good)
	b.settle()
	b.wantVisit(v, booking.Cancelled, booking.Confirmed)
	v = b.visit(15, "dan", "wash", "cut")
	_, err := b.CancelVisit(t.Context(), b.API, v.ID.String(), app.CancelInput{})
	b.Must(err)
	b.wantVisit(v, booking.Cancelled, booking.Cancelled)
}

// The payment comes first, then the approval, both for all of the visit.
func TestVisitIsPaidThenApproved(t *testing.T) {
	b := newVisits(t)
	b.Alter("wash", func(e *catalog.EventType) { e.RequiresApproval = true })
	v := b.visit(30, "eva", "cut", "wash")
	if _, err := b.Confirm(t.Context(), b.API, v.Items[1].ID.String()); fault.As(err) == nil || fault.As(err).Reason != "payment_due" {
		t.Fatal(err)
	}
	b.stripe.Pay(t, b.checkoutVisit(v), stripetest.Good)
	b.settle()
	v = b.wantVisit(v, booking.Pending, booking.Pending)
	if *v.Items[0].PendingReason != booking.ForApproval || *v.Items[1].PendingReason != booking.ForApproval {
		t.Fatalf("waits for %s and %s", *v.Items[0].PendingReason, *v.Items[1].PendingReason)
	}
	_, err := b.Decline(t.Context(), b.API, v.Items[1].ID.String(), "")
	b.Must(err)
	b.settle()
	b.wantVisit(v, booking.Cancelled, booking.Cancelled)
	b.wantPayment(v.Items[0], "refunded", 4500)
}

// Money that takes days holds all of the visit; if it never arrives, all of it lapses.
func TestDelayedPaymentHoldsTheVisit(t *testing.T) {
	for _, well := range []bool{true, false} {
		for _, missed := range []bool{true, false} {
			b := newVisits(t)
			v := b.visit(24*10, "eva", "cut", "colour", "wash")
			session := b.checkoutVisit(v)
			b.stripe.PayLater(t, session)
			b.settle()
			b.Clock.Advance(3 * 24 * time.Hour)
			b.lapse()
			v = b.wantVisit(v, booking.Pending, booking.Pending, booking.Pending)
			if v.Payment.Status != "processing" || v.Payment.URL != "" {
				t.Errorf("the payment is %+v", v.Payment)
			}
			b.stripe.Arrive(session, well)
			if missed { // the events are lost, and looked for at night
				b.Must(b.Payment.ReconcilePayments(t.Context(), b.Payment.Share().Buckets))
				b.work()
			} else {
				b.settle()
			}
			b.lapse()
			if well {
				b.wantVisit(v, booking.Confirmed, booking.Confirmed, booking.Confirmed)
			} else {
				b.wantVisit(v, booking.Cancelled, booking.Cancelled, booking.Cancelled)
			}
		}
	}
}

// Events that come at once, and lapses meanwhile, leave all of a visit confirmed or none, and the money where it belongs.
func TestContestVisitPaid(t *testing.T) {
	for range 3 {
		b := newVisits(t)
		v := b.visit(3, "eva", "cut", "colour", "wash")
		b.stripe.Pay(t, b.checkoutVisit(v), stripetest.Good)
		b.Clock.Advance(31 * time.Minute)
		event := b.stripe.Event(-1)
		done := make(chan int)
		for range 12 {
			go func() { done <- b.post("/api/stripe/salon", event, stripetest.Sign(event, time.Now())).Code }()
		}
		for range 4 {
			go func() {
				_, err := b.Lapse(t.Context(), 100)
				if err != nil {
					t.Error(err)
				}
				done <- 200
			}()
		}
		for range 16 {
			if code := <-done; code != 200 {
				t.Error(code)
			}
		}
		b.settle()
		b.wantVisit(v, booking.Confirmed, booking.Confirmed, booking.Confirmed)
		b.wantRefunds()
		if n := len(slices.DeleteFunc(b.events(), func(e string) bool { return e != "booking.created" })); n != 3 {
			t.Errorf("told %v", b.events())
		}
	}
}

// TestKilledVisit kills a process by signal 9 while it waits for Stripe's answer to the refund of one booking of a visit,
// and has another one take over: each part goes back once.
func TestKilledVisit(t *testing.T) {
	for _, f := range []stripetest.Fault{stripetest.Held, stripetest.Stuck} {
		b := newVisits(t)
		v := b.paidVisit()
		_, err := b.CancelVisit(t.Context(), b.API, v.ID.String(), app.CancelInput{})
		b.Must(err)
		b.stripe.Fail(func(method, path string) stripetest.Fault {
			if method+" "+path == "POST /v1/refunds" {
				return f
			}
			return stripetest.None
		})
		b.Close()
		child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^$")
		child.Env = append(os.Environ(), "PAYMENT_CHILD="+b.Place, "PAYMENT_STRIPE="+b.stripe.URL, "PAYMENT_NOW="+strconv.FormatInt(b.Clock.Now().UnixMilli(), 10))
		child.Stderr = os.Stderr
		b.Must(child.Start())
		b.stripe.Reached(t, "POST /v1/refunds")
		b.stripe.Reached(t, "POST /v1/refunds")
		b.Must(child.Process.Kill())
		child.Wait() //nolint:errcheck // it was killed
		b.stripe.Fail(nil)
		b.open()
		b.Clock.Advance(10 * time.Minute)
		b.settle()
		b.tell()
		b.settle()
		b.wantPayment(v.Items[0], "refunded", 4500)
		b.wantPayment(v.Items[1], "refunded", 2000)
		if got := b.stripe.Refunds(); !slices.Equal(slices.Sorted(slices.Values(got)), []int64{2000, 4500}) {
			t.Errorf("fault %d: refunded %v", f, got)
		}
	}
}

// A process that dies before it has saved that a visit was paid leaves all of it to the next.
func TestCrashWhileAVisitIsPaid(t *testing.T) {
	b := newVisits(t)
	v := b.visit(3, "eva", "cut", "colour", "wash")
	b.stripe.Pay(t, b.checkoutVisit(v), stripetest.Good)
	b.Clock.Advance(29*time.Minute + 30*time.Second)
	jobs, err := b.Payment.ClaimPaymentJobs(t.Context(), 10, time.Minute)
	b.Must(err)
	if len(jobs) != 1 || jobs[0].Action != payment.DoLook {
		t.Fatalf("to do is %+v", jobs)
	}
	b.crash()
	b.wantVisit(v, booking.Pending, booking.Pending, booking.Pending)
	b.lapse()
	b.work()
	b.wantVisit(v, booking.Confirmed, booking.Confirmed, booking.Confirmed)
	b.tell()
	b.wantRefunds()
}

func TestVisitPaidTogetherOnly(t *testing.T) {
	b := newVisits(t)
	b.offer("dear", func(e *catalog.EventType) { e.Price = &money.Money{Amount: 4500, Currency: "CHF"} })
	b.offer("late", func(e *catalog.EventType) {
		e.Price, e.LateCancellationFee = nil, &money.Money{Amount: 1000, Currency: "CHF"}
	})
	for _, services := range [][]string{{"cut", "dear"}, {"cut", "late"}} {
		in := booking.VisitInput{Start: apptest.Hours(3), Invitee: apptest.Input("", "", "eva").Invitee}
		for _, s := range services {
			in.Items = append(in.Items, booking.VisitItem{EventType: s})
		}
		if _, err := b.BookVisit(t.Context(), b.API, in); !fault.Is(err, fault.BadRequest) || fault.As(err).Field != "items" {
			t.Errorf("%v: %v", services, err)
		}
	}
}

// The customer gets one mail to pay for the visit, and one when it is paid; the team hears of nothing before.
func TestVisitPaymentMails(t *testing.T) {
	b := newVisits(t)
	v := b.visit(3, "eva", "wash", "cut", "colour")
	b.wantMail("eva", "payment_due", "Pay €65", v.ManageURL+"/pay", "€145: €65 paid online, €80 on site")
	if got := b.mails("eva"); len(got) != 1 {
		t.Errorf("%d mails: %q", len(got), got)
	}
	if got := b.mails("ana"); len(got) != 0 {
		t.Errorf("the team was told %q", got)
	}
	b.stripe.Pay(t, b.checkoutVisit(v), stripetest.Good)
	b.settle()
	b.wantMail("eva", "confirmed", "€145: €65 paid online, €80 on site", v.ManageURL)
	if got := b.mails("eva"); len(got) != 2 || strings.Contains(got[0], "/pay") {
		t.Errorf("%d mails: %q", len(got), got)
	}
	news := func() (n int) {
		all, err := b.Store.Mails(b.Workspace.ID, post.Filter{Limit: 100})
		b.Must(err)
		for _, m := range all {
			if m.Facts.For != post.ToInvitee {
				n++
			}
		}
		return n
	}
	if n := news(); n != 1 {
		t.Errorf("the team got %d mails", n)
	}
	_, err := b.Payment.Refund(t.Context(), b.Owner, v.Items[1].ID.String(), nil)
	b.Must(err)
	b.settle()
	b.wantMail("eva", "refunded", "€45 goes back to you")

	v = b.visit(9, "fin", "wash", "cut")
	b.Clock.Advance(31 * time.Minute)
	b.lapse()
	b.settle()
	b.wantMail("fin", "lapsed")
	if n := news(); n != 1 {
		t.Errorf("after a visit that lapsed unpaid the team has %d mails", n)
	}
}

// Whoever ends several bookings of a waiting visit by one order is not told in between that the rest is confirmed.
func TestWaitingVisitEndsByOneOrder(t *testing.T) {
	b := newVisits(t)
	v := b.visit(3, "eva", "wash", "cut")
	cancel := func(i int) {
		t.Helper()
		_, err := b.Cancel(t.Context(), b.API, v.Items[i].ID.String(), app.CancelInput{Ending: v.Items[0].Visit.Bookings})
		b.Must(err)
	}
	cancel(1)
	b.wantVisit(v, booking.Pending, booking.Cancelled)
	cancel(0)
	b.wantVisit(v, booking.Cancelled, booking.Cancelled)
	if kinds := b.events(); slices.Contains(kinds, "booking.created") {
		t.Errorf("told %v", kinds)
	}
}

// A visit is paid by one page: the others that were opened are closed then.
func TestOnePaymentPageOfAVisitIsPaid(t *testing.T) {
	b := newVisits(t)
	v := b.visit(3, "eva", "cut", "wash")
	first, second := b.checkoutVisit(v), b.checkout(v.Items[0])
	if first == second {
		t.Fatalf("both pages are %s", first)
	}
	b.stripe.Pay(t, first, stripetest.Good)
	b.settle()
	b.wantVisit(v, booking.Confirmed, booking.Confirmed)
	if got := b.stripe.Field(second, "status"); got != "expired" {
		t.Errorf("the other page is %v", got)
	}
	b.wantRefunds()
}
