package payment_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/money"
	"daybook/app/payment"
	"daybook/app/payment/stripe"
	"daybook/app/payment/stripetest"
	"daybook/app/subjects"
)

// bed is a salon that is connected to the stand-in for Stripe. Its only host is free around the clock.
type bed struct {
	*apptest.Salon
	stripe *stripetest.Server
	hook   http.Handler
	log    *lockedBuffer
}

type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

func newBed(t testing.TB) *bed {
	t.Helper()
	b := &bed{stripe: stripetest.New(t), log: &lockedBuffer{}}
	t.Cleanup(b.noSecrets)
	log := slog.New(slog.NewTextHandler(b.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	b.Salon = apptest.New(t, apptest.Options{
		Name: "Salon Ana", Hosts: []string{"ana"}, Hours: "00:00-24:00", With: func(c *subjects.Config) { c.Logger = log },
	})
	b.stripe.Now = b.Clock.Now
	b.doors()
	_, err := b.Payment.ConnectPayments(t.Context(), app.Operator(b.Workspace.ID), payment.Keys{SecretKey: stripetest.Key, SigningSecret: stripetest.SigningSecret})
	b.Must(err)
	return b
}

// doors are those of the server that runs now.
func (b *bed) doors() {
	b.Payment.SetProvider(stripe.New(b.stripe.URL))
	mux := http.NewServeMux()
	mux.Handle("/api/stripe/{workspace}", stripe.Hook(b.Payment, b.Config.Logger))
	mux.Handle("/booking/{token}/pay", payment.Pay(b.Payment, b.Config.Logger, nil))
	mux.Handle("/booking/{token}/paid", payment.Done(b.Payment, b.Config.Logger, nil))
	mux.Handle("/visit/{token}/pay", payment.PayVisit(b.Payment, b.Config.Logger, nil))
	mux.Handle("/visit/{token}/paid", payment.VisitDone(b.Payment, b.Config.Logger, nil))
	b.hook = mux
}

// crash ends the server's life and begins another's, after all leases.
func (b *bed) crash() {
	b.T.Helper()
	b.Close()
	b.open()
	b.Clock.Advance(5 * time.Minute)
}

func (b *bed) open() {
	b.T.Helper()
	b.Connect()
	b.doors()
}

func eur(amount int64) *money.Money { return &money.Money{Amount: amount, Currency: "EUR"} }

// offer adds an event type of an hour for 45 euros, paid online, changed by with.
func (b *bed) offer(slug string, with func(*catalog.EventType)) {
	b.T.Helper()
	b.Offer(slug, 60, func(e *catalog.EventType) {
		e.Price, e.Payment, e.MinimumNoticeMinutes = eur(4500), catalog.PayOnline, 0
		if with != nil {
			with(e)
		}
	})
}

func fee(e *catalog.EventType)     { e.NoShowFee = eur(2500) }
func feeOnly(e *catalog.EventType) { e.NoShowFee, e.Price = eur(2500), nil }

// book books an hour that begins so many hours after the apptest.Monday.
func (b *bed) book(slug string, hour int, person string) booking.Booking {
	b.T.Helper()
	return b.Booked(slug, apptest.Hours(hour), person)
}

// token is that of the invitee's link.
func token(k booking.Booking) string { return k.ManageURL[strings.LastIndexByte(k.ManageURL, '/')+1:] }

// checkout opens the payment page of a booking as the invitee does, and answers its session.
func (b *bed) checkout(k booking.Booking) string {
	b.T.Helper()
	w := b.get("/booking/" + token(k) + "/pay")
	to := w.Header().Get("Location")
	if w.Code != http.StatusSeeOther || !strings.HasPrefix(to, "https://checkout.stripe.test/") {
		b.T.Fatalf("pay: %d to %q: %s", w.Code, to, w.Body)
	}
	return strings.TrimPrefix(to, "https://checkout.stripe.test/")
}

func (b *bed) get(path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	b.hook.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w
}

// tell delivers all events of Stripe's that have not been yet.
func (b *bed) tell() {
	b.T.Helper()
	for i := range b.stripe.Events() {
		b.stripe.Send(b.T, b.hook, "/api/stripe/salon", i)
	}
}

// work does all jobs that are due, as the loop does, and those that they lead to.
func (b *bed) work() {
	b.T.Helper()
	for range 100 {
		jobs, err := b.Payment.ClaimPaymentJobs(b.T.Context(), 10, time.Minute)
		b.Must(err)
		if len(jobs) == 0 {
			return
		}
		for _, j := range jobs {
			b.Must(b.Payment.RunPaymentJob(b.T.Context(), j))
		}
	}
	b.T.Fatal("the jobs never end")
}

// settle tells and works until nothing is left.
func (b *bed) settle() {
	b.T.Helper()
	b.work()
	b.tell()
	b.work()
}

// paid is a booking that has been paid for.
func (b *bed) paid(slug string, hour int, person string, card stripetest.Card) booking.Booking {
	b.T.Helper()
	k := b.book(slug, hour, person)
	b.stripe.Pay(b.T, b.checkout(k), card)
	b.settle()
	return b.want(k, booking.Confirmed)
}

// want wants the booking to have that state.
func (b *bed) want(k booking.Booking, status booking.Status) booking.Booking {
	b.T.Helper()
	k = b.Again(k)
	if k.Status != status {
		b.T.Fatalf("the booking is %s, want %s", k.Status, status)
	}
	return k
}

// wantPayment wants the booking's payment to be shown like that.
func (b *bed) wantPayment(k booking.Booking, status string, refunded int64) {
	b.T.Helper()
	if p := b.Again(k).Payment; p == nil || p.Status != status || p.RefundedAmount != refunded {
		b.T.Fatalf("the payment is %+v, want %s with %d refunded", p, status, refunded)
	}
}

func (b *bed) wantFee(k booking.Booking, status string) {
	b.T.Helper()
	if n := b.Again(k).NoShow; n == nil || n.Fee == nil || n.Fee.Status != status {
		b.T.Fatalf("the fee is %+v, want %s", n, status)
	}
}

// events are the kinds of all events told so far, those of payments with status and refund.
func (b *bed) events() (kinds []string) {
	b.T.Helper()
	all, err := b.Store.EventsAfter(b.Workspace.ID, 0, 1000)
	b.Must(err)
	for _, e := range all {
		kind := string(e.Kind)
		if strings.HasPrefix(kind, "payment.") {
			var body struct{ Data booking.PaymentEventData }
			b.Must(json.Unmarshal(e.Body, &body))
			kind += " " + body.Data.Kind + " " + body.Data.Status
		}
		kinds = append(kinds, kind)
	}
	return kinds
}

func (b *bed) wantEvents(want ...string) {
	b.T.Helper()
	if got := b.events(); !slices.Equal(got, want) {
		b.T.Fatalf("told\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func (b *bed) wantRefunds(want ...int64) {
	b.T.Helper()
	if got := b.stripe.Refunds(); !slices.Equal(got, want) {
		b.T.Fatalf("Stripe refunded %v, want %v", got, want)
	}
}

// noSecrets wants no secret in the log.
func (b *bed) noSecrets() {
	b.T.Helper()
	for _, secret := range []string{stripetest.Key, stripetest.SigningSecret} {
		if strings.Contains(b.log.String(), secret) {
			b.T.Errorf("the log holds %s:\n%s", secret, b.log)
		}
	}
}
