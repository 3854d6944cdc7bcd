package payment_test

import (
	"context"
	"errors"
	"net/url"
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
	"daybook/app/payment"
	"daybook/app/payment/stripe"
	"daybook/app/payment/stripetest"
	"daybook/app/subjects"
	"daybook/store"
	"daybook/store/enginetest"
)

// errCrash ends a life between two steps.
var errCrash = errors.New("crash")

// mortal is a provider whose process dies before or after one of its calls.
type mortal struct {
	payment.Provider
	before, after string
}

func (m *mortal) step(name string, do func() error) error {
	if m.before == name {
		return errCrash
	}
	if err := do(); err != nil {
		return err
	}
	if m.after == name {
		return errCrash
	}
	return nil
}

func (m *mortal) Charge(ctx context.Context, key string, r payment.ChargeRequest) (res payment.ChargeResult, err error) {
	err = m.step("charge", func() (err error) { res, err = m.Provider.Charge(ctx, key, r); return err })
	return res, err
}

func (m *mortal) Refund(ctx context.Context, key string, r payment.RefundRequest) error {
	return m.step("refund", func() error { return m.Provider.Refund(ctx, key, r) })
}

func (m *mortal) ChargeOf(ctx context.Context, key, intent string) (res payment.ChargeResult, err error) {
	err = m.step("look", func() (err error) { res, err = m.Provider.ChargeOf(ctx, key, intent); return err })
	return res, err
}

func (m *mortal) ExpireCheckout(ctx context.Context, key, session string) (res payment.CheckoutResult, err error) {
	err = m.step("expire", func() (err error) { res, err = m.Provider.ExpireCheckout(ctx, key, session); return err })
	return res, err
}

// dying does the due jobs in a process that dies at that step, "claim" being before any; it wants it to die there.
func (b *bed) dying(before, after string) {
	b.T.Helper()
	jobs, err := b.Payment.ClaimPaymentJobs(b.T.Context(), 10, time.Minute)
	b.Must(err)
	if len(jobs) == 0 {
		b.T.Fatal("nothing to do")
	}
	if before == "claimed" {
		return
	}
	b.Payment.SetProvider(&mortal{stripe.New(b.stripe.URL), before, after})
	for _, j := range jobs {
		if err := b.Payment.RunPaymentJob(b.T.Context(), j); !errors.Is(err, errCrash) {
			b.T.Fatalf("did not die: %v", err)
		}
	}
}

// steps are the points of a charge and of a refund at which the process dies; "settled" is behind them all.
var steps = []struct{ before, after string }{{"claimed", ""}, {"charge", ""}, {"", "charge"}, {"refund", ""}, {"", "refund"}, {"look", ""}, {"", "look"}}

func TestCrashDuringACharge(t *testing.T) {
	for _, s := range steps[:3] {
		for _, forgotten := range []bool{false, true} {
			b := newBed(t)
			b.offer("fee", feeOnly)
			k := b.mark(b.held("fee", stripetest.Good))
			b.dying(s.before, s.after)
			b.crash()
			if forgotten { // so long that Stripe has forgotten the idempotency key
				b.stripe.ForgetKeys()
				b.Clock.Advance(48 * time.Hour)
			}
			b.settle()
			b.tell()
			b.settle()
			b.wantFee(k, "succeeded")
			if n := len(b.stripe.Intents("succeeded")); n != 1 {
				t.Errorf("%+v, forgotten %v: charged %d times", s, forgotten, n)
			}
			b.wantEvents("booking.created", "booking.no_show", "payment.succeeded no_show_fee succeeded")
		}
	}
}

// The answer gets lost again and again, and so does every event, until at last one arrives.
func TestAnswersOfAChargeGetLost(t *testing.T) {
	for _, f := range []stripetest.Fault{stripetest.Lose, stripetest.Drop, stripetest.Break, stripetest.Busy} {
		b := newBed(t)
		b.offer("fee", feeOnly)
		k := b.mark(b.held("fee", stripetest.Good))
		left := 3
		b.stripe.Fail(func(method, _ string) stripetest.Fault {
			if method == "POST" && left > 0 {
				left--
				return f
			}
			return stripetest.None
		})
		for range 6 {
			b.work()
			b.Clock.Advance(time.Minute)
		}
		b.wantFee(k, "succeeded")
		if n := len(b.stripe.Intents("succeeded")); n != 1 {
			t.Errorf("fault %d: charged %d times", f, n)
		}
		if keys := b.stripe.Keys("POST /v1/payment_intents"); len(keys) != 1 || keys[0] != k.ID.String()+"/no-show/1" {
			t.Errorf("fault %d: asked under the keys %v", f, keys)
		}
	}
}

func TestCrashDuringARefund(t *testing.T) {
	for _, s := range append(slices.Clone(steps[:1]), steps[3:]...) {
		for _, forgotten := range []bool{false, true} {
			b := newBed(t)
			b.offer("cut", nil)
			k := b.paid("cut", 3, "eva", stripetest.Good)
			_, err := b.Cancel(t.Context(), b.API, k.ID.String(), app.CancelInput{})
			b.Must(err)
			b.dying(s.before, s.after)
			b.crash()
			if forgotten {
				b.stripe.ForgetKeys()
				b.Clock.Advance(48 * time.Hour)
			}
			b.settle()
			b.tell()
			b.settle()
			b.wantPayment(k, "refunded", 4500)
			b.wantRefunds(4500)
			if keys := b.stripe.Keys("POST /v1/refunds"); len(keys) != 1 || !strings.HasPrefix(keys[0], "pj_") {
				t.Errorf("%+v: asked under the keys %v", s, keys)
			}
			b.wantEvents("payment.succeeded booking succeeded", "booking.created", "booking.cancelled", "payment.refunded booking refunded")
		}
	}
}

func TestCrashWhileClosingAPage(t *testing.T) {
	for _, s := range []struct{ before, after string }{{"expire", ""}, {"", "expire"}} {
		b := newBed(t)
		b.offer("cut", nil)
		k := b.book("cut", 3, "eva")
		session := b.checkout(k)
		b.Clock.Advance(31 * time.Minute)
		b.work() // looks
		b.lapse()
		b.dying(s.before, s.after)
		b.crash()
		b.settle()
		if got := b.stripe.Field(session, "status"); got != "expired" {
			t.Errorf("the page is %v", got)
		}
	}
}

// A claim that was lost to another saves nothing.
func TestSlowWorkerSettlesNothing(t *testing.T) {
	b := newBed(t)
	b.offer("fee", feeOnly)
	k := b.mark(b.held("fee", stripetest.Good))
	slow, err := b.Payment.ClaimPaymentJobs(t.Context(), 10, time.Minute)
	b.Must(err)
	b.Clock.Advance(2 * time.Minute)
	b.settle()
	n := len(b.events())
	for _, j := range slow {
		b.Must(b.Payment.RunPaymentJob(t.Context(), j))
	}
	b.settle()
	if len(b.events()) != n || len(b.stripe.Intents("succeeded")) != 1 {
		t.Errorf("told %v, charged %d times", b.events(), len(b.stripe.Intents("succeeded")))
	}
	b.wantFee(k, "succeeded")
}

// Two processes work on one database at once.
func TestContestTwoLoops(t *testing.T) {
	b := newBed(t)
	b.offer("fee", feeOnly)
	var marked []booking.Booking
	for i := range 6 {
		k := b.book("fee", 3+i, "eva")
		b.stripe.Pay(t, b.checkout(k), stripetest.Good)
		marked = append(marked, k)
	}
	b.settle()
	b.Clock.Advance(12 * time.Hour)
	for _, k := range marked {
		b.mark(k)
	}
	other := b.Another()
	other.Payment.SetProvider(stripe.New(b.stripe.URL))
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error)
	for _, s := range []*subjects.Set{b.Set, other.Set} {
		l := payment.NewLoop(s.Payment, payment.LoopOptions{Poll: 5 * time.Millisecond})
		s.OnCommit(l.Wake)
		go func() { ended <- l.Run(ctx) }()
	}
	for _, k := range marked {
		apptest.Eventually(t, "it holds", func() bool { n := b.Again(k).NoShow; return n.Fee.Status == "succeeded" })
	}
	stop()
	for range 2 {
		b.Must(<-ended)
	}
	if n := b.stripe.Requests("POST /v1/payment_intents"); n != len(marked) {
		t.Errorf("%d charges were asked for", n)
	}
}

// TestKilled kills a process by signal 9 while it waits for Stripe's answer to a charge or a refund, after Stripe has
// done the work and before it has, and has another one take over.
func TestKilled(t *testing.T) {
	for what, request := range map[string]string{"fee": "POST /v1/payment_intents", "late fee": "POST /v1/payment_intents",
		"refund": "POST /v1/refunds"} {
		for _, f := range []stripetest.Fault{stripetest.Held, stripetest.Stuck} {
			b := newBed(t)
			b.offer("cut", func(e *catalog.EventType) {
				fee(e)
				e.CancellationNoticeMinutes, e.LateCancellationFee = 60, eur(2000)
			})
			k := b.held("cut", stripetest.Good)
			switch what {
			case "refund":
				_, err := b.Payment.Refund(t.Context(), b.Owner, k.ID.String(), nil)
				b.Must(err)
			case "late fee":
				no := false
				_, err := b.Cancel(t.Context(), b.API, k.ID.String(), app.CancelInput{Refund: &no, ChargeLateFee: true})
				b.Must(err)
			default:
				b.mark(k)
			}
			b.stripe.Fail(func(method, path string) stripetest.Fault {
				if method+" "+path == request {
					return f
				}
				return stripetest.None
			})
			b.Close()
			child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^$")
			child.Env = append(os.Environ(), "PAYMENT_CHILD="+b.Place, "PAYMENT_STRIPE="+b.stripe.URL, "PAYMENT_NOW="+strconv.FormatInt(b.Clock.Now().UnixMilli(), 10))
			child.Stderr = os.Stderr
			b.Must(child.Start())
			b.stripe.Reached(t, request)
			b.Must(child.Process.Kill())
			child.Wait() //nolint:errcheck // it was killed
			b.stripe.Fail(nil)
			b.open()
			b.Clock.Advance(10 * time.Minute)
			b.settle()
			b.tell()
			b.settle()
			if request == "POST /v1/refunds" {
				b.wantPayment(k, "refunded", 4500)
				b.wantRefunds(4500)
				continue
			}
			if what == "late fee" {
				if paid := b.Again(k).Cancellation.Fee; paid == nil || paid.Status != "succeeded" {
					t.Errorf("fault %d: the fee is %+v", f, paid)
				}
			} else {
				b.wantFee(k, "succeeded")
			}
			if n := len(b.stripe.Intents("succeeded")); n != 2 { // the price and the fee
				t.Errorf("%s, fault %d: %d payments", what, f, n)
			}
		}
	}
}

func TestMain(m *testing.M) {
	if place := os.Getenv("PAYMENT_CHILD"); place != "" {
		child(place)
		return
	}
	os.Exit(m.Run())
}

// child is the process that is killed: the loop on the database.
func child(place string) {
	db, err := enginetest.Connect(context.Background(), place)
	if err != nil {
		panic(err)
	}
	ms, _ := strconv.ParseInt(os.Getenv("PAYMENT_NOW"), 10, 64)
	s := subjects.New(subjects.Config{Config: app.Config{Store: store.New(db), Clock: func() time.Time { return time.UnixMilli(ms) }, BaseURL: &url.URL{Scheme: "https", Host: "book.example"}}})
	s.Payment.SetProvider(stripe.New(os.Getenv("PAYMENT_STRIPE")))
	if _, err := s.Upkeep.TakeOver(context.Background()); err != nil {
		panic(err)
	}
	if err := payment.NewLoop(s.Payment, payment.LoopOptions{}).Run(context.Background()); err != nil {
		panic(err)
	}
}
