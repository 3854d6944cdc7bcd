package payment_test

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/app/payment"
	"daybook/app/payment/stripe"
	"daybook/app/payment/stripetest"
	"daybook/app/report"
)

// deposit takes a fifth of the price online: 9 of 45 euros.
func deposit(e *catalog.EventType) {
	e.Payment, e.Deposit = catalog.PayOnSite, &catalog.Deposit{Percent: 20}
}

// lateFee charges 20 euros for cancelling within two hours of the start.
func lateFee(e *catalog.EventType) {
	e.Payment, e.CancellationNoticeMinutes, e.LateCancellationFee = catalog.PayOnSite, 120, eur(2000)
}

// guest is the invitee of the booking.
func (b *bed) guest(k booking.Booking) app.Actor {
	return app.Actor{Kind: booking.ByInvitee, Workspace: b.Workspace.ID, Booking: k.ID}
}

// tax sets how the salon taxes.
func (b *bed) tax(x money.Tax) {
	b.T.Helper()
	_, err := b.Shop.UpdateWorkspace(b.T.Context(), b.Owner, func(w *catalog.Workspace) { w.Tax = &x })
	b.Must(err)
}

func minorUnits(m *money.Money) int64 {
	if m == nil {
		return -1
	}
	return m.Amount
}

func TestDepositIsPaidOnlineAndTheRestOnSite(t *testing.T) {
	b := newBed(t)
	b.tax(money.Tax{Mode: money.TaxIncluded, Rate: 19000})
	b.offer("cut", deposit)
	k := b.book("cut", 3, "eva")
	if p := k.Payment; k.Status != booking.Pending || p == nil || p.Kind != booking.ForDeposit || p.Amount != 900 || p.URL == "" {
		t.Fatalf("booked: %s %+v", k.Status, p)
	}
	session := b.checkout(k)
	if got := b.stripe.Field(session, "amount_total"); got != int64(900) {
		t.Errorf("the payment page asks for %v", got)
	}
	b.stripe.Pay(t, session, stripetest.Good)
	b.settle()
	k = b.want(k, booking.Confirmed)
	b.wantEvents("payment.succeeded deposit succeeded", "booking.created")
	if minorUnits(k.Deposit) != 900 || minorUnits(k.Paid) != 900 || minorUnits(k.Due) != 3600 {
		t.Errorf("deposit %v, paid %v, due %v", k.Deposit, k.Paid, k.Due)
	}
	_, err := b.Counter.Record(t.Context(), b.Owner, k.ID.String(), counter.Input{Amount: 3601, Method: booking.ByCash})
	b.Refused(err, fault.BadRequest, "overpaid")
	k, err = b.Counter.Record(t.Context(), b.Owner, k.ID.String(), counter.Input{Amount: 3600, Method: booking.ByCash})
	b.Must(err)
	if minorUnits(k.Paid) != 4500 || minorUnits(k.Due) != 0 || k.Payments[0].Receipt == nil {
		t.Fatalf("paid %v, due %v, %+v", k.Paid, k.Due, k.Payments)
	}
	r, err := b.Counter.Receipt(t.Context(), b.Owner, k.Payments[0].Receipt.String())
	b.Must(err)
	// 36 euros contain 5.75 of tax.
	if r.Total != 3600 || minorUnits(r.Deposit) != 900 || len(r.Taxes) != 1 || r.Taxes[0].Tax != 575 || r.Taxes[0].Gross != 3600 {
		t.Errorf("receipt: %+v, deposit %v", r, r.Deposit)
	}
	a, err := b.Report.Analytics(t.Context(), b.Owner, report.AnalyticsInput{})
	b.Must(err)
	if len(a.Revenue) != 1 || a.Revenue[0] != *eur(4500) || len(a.Value) != 1 || a.Value[0] != *eur(4500) {
		t.Errorf("revenue %v, value %v", a.Revenue, a.Value)
	}
	_, err = b.Payment.Refund(t.Context(), b.Owner, k.ID.String(), nil)
	b.Must(err)
	b.settle()
	b.wantPayment(k, "refunded", 900)
	if k = b.Again(k); minorUnits(k.Paid) != 3600 || minorUnits(k.Due) != 0 {
		t.Errorf("after the refund paid %v, due %v", k.Paid, k.Due)
	}
}

// With tax on top, the deposit is charged as it stands and the tax of the rest is paid on site.
func TestDepositWithTaxOnTop(t *testing.T) {
	b := newBed(t)
	b.tax(money.Tax{Mode: money.TaxAdded, Rate: 10000})
	b.offer("cut", deposit)
	k := b.paid("cut", 3, "eva", stripetest.Good)
	if minorUnits(k.Paid) != 900 || minorUnits(k.Due) != 3960 {
		t.Errorf("paid %v, due %v", k.Paid, k.Due)
	}
}

func TestDepositGoesBackByTheRulesOfRefunds(t *testing.T) {
	for _, c := range []struct {
		rule   catalog.RefundRule
		notice int
		guest  bool
		want   string
	}{
		{catalog.RefundWithinNotice, 60, true, "refunded"}, {catalog.RefundNever, 0, true, "paid"},
		{catalog.RefundAlways, 0, true, "refunded"}, {catalog.RefundNever, 0, false, "refunded"},
	} {
		b := newBed(t)
		b.offer("cut", func(e *catalog.EventType) {
			deposit(e)
			e.RefundOnCancel, e.CancellationNoticeMinutes = c.rule, c.notice
		})
		k := b.paid("cut", 3, "eva", stripetest.Good)
		who := b.API
		if c.guest {
			who = b.guest(k)
		}
		_, err := b.Cancel(t.Context(), who, k.ID.String(), app.CancelInput{})
		b.Must(err)
		b.settle()
		if got := b.Again(k).Payment.Status; got != c.want {
			t.Errorf("%+v: the deposit is %s", c, got)
		}
	}
}

func TestNoDepositWithoutStripe(t *testing.T) {
	b := newBed(t)
	b.Must(b.Payment.DisconnectPayments(t.Context(), app.Operator(b.Workspace.ID)))
	b.offer("cut", func(e *catalog.EventType) { deposit(e); lateFee(e) })
	k := b.book("cut", 3, "eva")
	if k.Status != booking.Confirmed || k.Payment != nil || k.Deposit != nil || k.LateFee != nil || minorUnits(k.Due) != 4500 {
		t.Errorf("%s %+v, deposit %v, fee %v, due %v", k.Status, k.Payment, k.Deposit, k.LateFee, k.Due)
	}
}

func TestLateCancellationFee(t *testing.T) {
	for card, want := range map[stripetest.Card]string{stripetest.Good: "succeeded", stripetest.Declined: "failed",
		stripetest.Authenticate: "requires_action"} {
		b := newBed(t)
		b.offer("cut", lateFee)
		k := b.book("cut", 3, "eva")
		session := b.checkout(k)
		wording := "Your card is saved. If you cancel later than 2 hours before the start, you agree that Salon Ana charges it EUR 20.00."
		if got := b.stripe.Field(session, "_wording"); got != wording || b.stripe.Field(session, "mode") != "setup" {
			t.Errorf("the payment page says %v", got)
		}
		b.stripe.Pay(t, session, card)
		b.settle()
		k = b.want(k, booking.Confirmed)
		if minorUnits(k.LateFee) != 2000 || k.FreeCancel != k.Start.Add(-2*time.Hour) || k.Payment != nil {
			t.Errorf("fee %v, free until %s, %+v", k.LateFee, k.FreeCancel, k.Payment)
		}
		b.Alter("cut", func(e *catalog.EventType) { // touches no booking
			e.LateCancellationFee, e.CancellationNoticeMinutes = eur(9900), 24*60
		})
		b.Clock.Advance(62 * time.Minute)
		guest := b.guest(k)
		_, err := b.Cancel(t.Context(), guest, k.ID.String(), app.CancelInput{})
		b.Refused(err, fault.Conflict, "late_fee")
		_, err = b.Cancel(t.Context(), guest, k.ID.String(), app.CancelInput{Agreed: eur(1)})
		b.Refused(err, fault.Conflict, "late_fee")
		k, err = b.Cancel(t.Context(), guest, k.ID.String(), app.CancelInput{Agreed: eur(2000)})
		b.Must(err)
		if f := k.Cancellation.Fee; f == nil || f.Status != "pending" || f.Amount != 2000 {
			t.Fatalf("cancelled: %+v", k.Cancellation)
		}
		for range 2 { // once more changes nothing
			_, err = b.Cancel(t.Context(), guest, k.ID.String(), app.CancelInput{Agreed: eur(2000)})
			b.Must(err)
			b.settle()
		}
		k = b.want(k, booking.Cancelled)
		if f := k.Cancellation.Fee; f.Status != want {
			t.Fatalf("%s: the fee is %+v", card, f)
		}
		if keys := b.stripe.Keys("POST /v1/payment_intents"); len(keys) != 1 || keys[0] != k.ID.String()+"/late-cancellation/1" {
			t.Errorf("asked under the keys %v", keys)
		}
		if want != "succeeded" { // the invitee pays by themselves
			if k.Cancellation.Fee.URL != k.ManageURL+"/pay" {
				t.Fatalf("link %q", k.Cancellation.Fee.URL)
			}
			b.stripe.Pay(t, b.checkout(k), stripetest.Good)
			b.settle()
		}
		if f := b.Again(k).Cancellation.Fee; f.Status != "succeeded" || f.URL != "" {
			t.Errorf("%s: the fee is %+v", card, f)
		}
		b.wantEvents("booking.created", "booking.cancelled", "payment.succeeded late_cancellation_fee succeeded")
		_, err = b.MarkNoShow(t.Context(), b.Owner, k.ID.String()) // never both
		b.Refused(err, fault.Conflict, "wrong_state")
		_, err = b.Payment.RefundFee(t.Context(), b.Owner, k.ID.String(), nil)
		b.Must(err)
		b.settle()
		if f := b.Again(k).Cancellation.Fee; f.Status != "refunded" {
			t.Errorf("given back: %+v", f)
		}
	}
}

func TestLateFeeIsForTheBusinessToDecide(t *testing.T) {
	b := newBed(t)
	b.offer("cut", func(e *catalog.EventType) { lateFee(e); fee(e) })
	b.offer("plain", func(e *catalog.EventType) { e.Payment = catalog.PayOnSite })
	charge := app.CancelInput{ChargeLateFee: true}
	cancel := func(k booking.Booking, in app.CancelInput) (booking.Booking, error) {
		return b.Cancel(t.Context(), b.API, k.ID.String(), in)
	}
	_, err := cancel(b.book("plain", 8, "bob"), charge)
	b.Refused(err, fault.BadRequest, "invalid")
	early, free := b.paid("cut", 3, "eva", stripetest.Good), b.paid("cut", 4, "ina", stripetest.Good)
	_, err = cancel(early, charge)
	b.Refused(err, fault.BadRequest, "invalid") // it is free until two hours before
	k := b.paid("cut", 5, "uli", stripetest.Good)
	b.Clock.Advance(10 * time.Hour)
	_, err = b.MarkNoShow(t.Context(), b.API, k.ID.String())
	b.Must(err)
	_, err = cancel(k, charge)
	b.Refused(err, fault.Conflict, "wrong_state")
	_, err = b.UndoMark(t.Context(), b.Owner, k.ID.String(), app.NoShowMark)
	b.Must(err)
	free, err = cancel(free, app.CancelInput{})
	b.Must(err)
	early, err = cancel(early, charge)
	b.Must(err)
	b.settle()
	if f := b.Again(early).Cancellation.Fee; f == nil || f.Status != "succeeded" || f.Amount != 2000 {
		t.Errorf("charged: %+v", f)
	}
	if f := b.Again(free).Cancellation.Fee; f != nil {
		t.Errorf("not to be charged: %+v", f)
	}
	if n := len(b.stripe.Intents("succeeded")); n != 1 {
		t.Errorf("%d charges", n)
	}
}

// TestContestDeposits has 64 clients at two servers book one place, round after round, because whoever has it pays too
// late; a third process, which gives the money back, is killed by signal 9 in the middle of a refund. In the end one
// booking stands with one deposit, and all other money is back.
func TestContestDeposits(t *testing.T) {
	const clients, rounds = 64, 4
	b := newBed(t)
	b.offer("cut", deposit)
	other := &bed{Salon: b.Another(), stripe: b.stripe, log: b.log}
	other.doors()
	beds := []*bed{b, other}
	atOnce := func(do func(at *bed, i int)) {
		start := make(chan struct{})
		var all sync.WaitGroup
		for i := range clients {
			all.Go(func() {
				<-start
				do(beds[i%2], i)
			})
		}
		close(start)
		all.Wait()
	}
	var held []booking.Booking
	for round := range rounds {
		var mu sync.Mutex
		var won []booking.Booking
		atOnce(func(at *bed, i int) {
			k, err := at.Book(t.Context(), at.API, apptest.Input("cut", apptest.Hours(6), fmt.Sprintf("p%d-%d", round, i)))
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				won = append(won, k)
			} else if e := fault.As(err); e == nil || e.Reason != "slot_taken" {
				t.Error(err)
			}
		})
		if len(won) != 1 {
			t.Fatalf("round %d: %d have the place", round, len(won))
		}
		held = append(held, won[0])
		b.stripe.Pay(t, b.checkout(won[0]), stripetest.Good)
		if round < rounds-1 { // nobody heard of the payment in time
			b.Clock.Advance(31 * time.Minute)
			b.lapse()
			b.want(won[0], booking.Cancelled)
		}
	}
	b.stripe.Fail(func(method, path string) stripetest.Fault {
		if method+" "+path == "POST /v1/refunds" {
			return stripetest.Held
		}
		return stripetest.None
	})
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^$")
	child.Env = append(os.Environ(), "PAYMENT_CHILD="+b.Place, "PAYMENT_STRIPE="+b.stripe.URL,
		"PAYMENT_NOW="+strconv.FormatInt(b.Clock.Now().UnixMilli(), 10))
	child.Stderr = os.Stderr
	b.Must(child.Start())
	events := len(b.stripe.Events())
	atOnce(func(at *bed, i int) { // Stripe's events in any order, and people who come back
		at.stripe.Send(t, at.hook, "/api/stripe/salon", (events-1+i)%events)
		at.get("/booking/" + token(held[i%len(held)]) + "/paid")
	})
	b.stripe.Reached(t, "POST /v1/refunds")
	b.Must(child.Process.Kill())
	child.Wait() //nolint:errcheck // it was killed
	b.stripe.Fail(nil)
	b.Payment.SetProvider(stripe.New(b.stripe.URL))
	b.Clock.Advance(10 * time.Minute)
	// PostgreSQL keeps the row that the killed process had locked until it notices that nobody is there any more.
	apptest.Eventually(t, "all other money is back", func() bool {
		b.settle()
		b.tell()
		b.settle()
		return len(b.stripe.Refunds()) >= rounds-1
	})
	stands := 0
	for _, k := range held {
		all, err := b.Payment.BookingPayments(t.Context(), b.Owner, k.ID.String())
		b.Must(err)
		if len(all) != 1 || all[0].Kind != payment.PaysDeposit || all[0].Status != booking.PaymentPaid || all[0].Amount != 900 {
			t.Errorf("payments %+v", all)
			continue
		}
		switch k = b.Again(k); {
		case k.Status == booking.Confirmed && all[0].RefundedAmount == 0:
			stands++
		case k.Status != booking.Cancelled || all[0].RefundedAmount != 900:
			t.Errorf("%s with %d of its deposit back", k.Status, all[0].RefundedAmount)
		}
	}
	if refunds := b.stripe.Refunds(); stands != 1 || len(refunds) != rounds-1 || len(b.stripe.Intents("succeeded")) != rounds {
		t.Errorf("%d bookings stand, refunds %v; told\n%s", stands, refunds, strings.Join(b.events(), "\n"))
	}
}
