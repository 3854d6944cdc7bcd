package payment_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/payment"
	"daybook/app/payment/stripe"
	"daybook/app/payment/stripetest"
	"daybook/app/record"
	"daybook/app/rooms"
	"daybook/store"
	"daybook/store/enginetest"
)

// bed is a workspace that is connected to the stand-in, with a clock that stands still until it is moved.
type bed struct {
	*rooms.Set
	t      testing.TB
	place  string
	store  *store.Store
	stripe *stripetest.Server
	ws     catalog.Workspace
	api    app.Actor
	owner  app.Actor
	hook   http.Handler
	log    *lockedBuffer
	close  func()

	mu  sync.Mutex
	now time.Time
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

// opening is a Monday, 08:00 in Berlin.
var opening = time.Date(2026, 11, 30, 7, 0, 0, 0, time.UTC)

var baseURL = &url.URL{Scheme: "https", Host: "book.example"}

func newBed(t testing.TB) *bed {
	t.Helper()
	b := &bed{t: t, place: enginetest.Place(t), now: opening, stripe: stripetest.New(t), log: &lockedBuffer{}}
	b.stripe.Now = b.clock
	b.open()
	t.Cleanup(func() { b.close(); b.noSecrets() })
	var err error
	b.ws, err = b.CreateWorkspace(t.Context(), app.Operator(0), app.WorkspaceInput{Slug: "salon", Name: "Salon Ana", TimeZone: "Europe/Berlin"})
	b.must(err)
	b.api, b.owner = app.Actor{Kind: record.ByAPI, Workspace: b.ws.ID}, app.Actor{Kind: record.ByOwner, Workspace: b.ws.ID}
	weekly := map[string][]string{}
	for _, day := range catalog.Weekdays {
		weekly[day] = []string{"00:00-24:00"}
	}
	b.must(b.store.Write(t.Context(), func(tx app.Tx) error {
		return tx.InsertHost(&catalog.Host{ID: 1, WorkspaceID: b.ws.ID, Name: "ana", Email: "ana@salon.example", TimeZone: "Europe/Berlin", Active: true, Hours: catalog.Hours{Weekly: weekly}})
	}))
	_, err = b.Payment.ConnectPayments(t.Context(), app.Operator(b.ws.ID), payment.Keys{SecretKey: stripetest.Key, SigningSecret: stripetest.SigningSecret})
	b.must(err)
	return b
}

// open begins a new process's life on the database.
func (b *bed) open() {
	b.t.Helper()
	db, err := enginetest.Connect(context.Background(), b.place)
	b.must(err)
	b.store = store.New(db)
	b.close = func() { db.Close() }
	log := slog.New(slog.NewTextHandler(b.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	b.Set = rooms.New(rooms.Config{Config: app.Config{Store: b.store, Clock: b.clock, BaseURL: baseURL, Logger: log}})
	b.Payment.TakePayments(stripe.New(b.stripe.URL))
	mux := http.NewServeMux()
	mux.Handle("/api/stripe/{workspace}", stripe.Hook(b.Payment, log))
	mux.Handle("/booking/{token}/pay", payment.Pay(b.Payment, log, nil))
	mux.Handle("/booking/{token}/paid", payment.Done(b.Payment, log, nil))
	b.hook = mux
}

// crash ends the process's life and begins another, after all leases.
func (b *bed) crash() {
	b.t.Helper()
	b.close()
	b.open()
	b.later(5 * time.Minute)
}

func (b *bed) clock() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.now
}

func (b *bed) later(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.now = b.now.Add(d)
}

func (b *bed) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

func eur(amount int64) *catalog.Money { return &catalog.Money{Amount: amount, Currency: "EUR"} }

// offer adds an event type of an hour for 45 euros, paid online, changed by with.
func (b *bed) offer(slug string, with func(*catalog.EventType)) {
	b.t.Helper()
	e := catalog.NewEventType()
	e.ID, e.WorkspaceID, e.Slug, e.Title, e.DurationMinutes, e.SlotStepMinutes = catalog.EventTypeID(time.Now().UnixNano()&0xffffffff), b.ws.ID, slug, strings.ToUpper(slug), 60, 60
	e.Price, e.Payment, e.MinimumNoticeMinutes = eur(4500), catalog.PayOnline, 0
	e.Hosts = []catalog.HostRef{{ID: 1}}
	if with != nil {
		with(&e)
	}
	b.must(b.store.Write(b.t.Context(), func(tx app.Tx) error { return tx.InsertEventType(&e) }))
}

func fee(e *catalog.EventType)     { e.NoShowFee = eur(2500) }
func feeOnly(e *catalog.EventType) { e.NoShowFee, e.Price = eur(2500), nil }

// book books an hour that begins so many hours after the opening.
func (b *bed) book(slug string, hour int, person string) record.Booking {
	b.t.Helper()
	k, err := b.Book(b.t.Context(), b.api, record.BookInput{
		EventType: slug, Start: opening.Add(time.Duration(hour) * time.Hour).Format(time.RFC3339), Invitee: record.Invitee{Name: person, Email: person + "@mail.example"},
	})
	b.must(err)
	return k
}

func (b *bed) booking(k record.Booking) record.Booking {
	b.t.Helper()
	k, err := b.Booking(b.t.Context(), b.api, k.ID.String())
	b.must(err)
	return k
}

// token is that of the invitee's link.
func token(k record.Booking) string { return k.ManageURL[strings.LastIndexByte(k.ManageURL, '/')+1:] }

// checkout opens the payment page of a booking as the invitee does, and answers its session.
func (b *bed) checkout(k record.Booking) string {
	b.t.Helper()
	w := b.get("/booking/" + token(k) + "/pay")
	to := w.Header().Get("Location")
	if w.Code != http.StatusSeeOther || !strings.HasPrefix(to, "https://checkout.stripe.test/") {
		b.t.Fatalf("pay: %d to %q: %s", w.Code, to, w.Body)
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
	b.t.Helper()
	for i := range b.stripe.Events() {
		b.stripe.Send(b.t, b.hook, "/api/stripe/salon", i)
	}
}

// work does all jobs that are due, as the loop does, and those that they lead to.
func (b *bed) work() {
	b.t.Helper()
	for range 100 {
		jobs, err := b.Payment.ClaimPaymentJobs(b.t.Context(), 10, time.Minute)
		b.must(err)
		if len(jobs) == 0 {
			return
		}
		for _, j := range jobs {
			b.must(b.Payment.RunPaymentJob(b.t.Context(), j))
		}
	}
	b.t.Fatal("the jobs never end")
}

// settle tells and works until nothing is left.
func (b *bed) settle() {
	b.t.Helper()
	b.work()
	b.tell()
	b.work()
}

// paid is a booking that has been paid for.
func (b *bed) paid(slug string, hour int, person string, card stripetest.Card) record.Booking {
	b.t.Helper()
	k := b.book(slug, hour, person)
	b.stripe.Pay(b.t, b.checkout(k), card)
	b.settle()
	return b.want(k, record.Confirmed)
}

// want wants the booking to have that state.
func (b *bed) want(k record.Booking, status record.Status) record.Booking {
	b.t.Helper()
	k = b.booking(k)
	if k.Status != status {
		b.t.Fatalf("the booking is %s, want %s", k.Status, status)
	}
	return k
}

// wantPayment wants the booking's payment to be shown like that.
func (b *bed) wantPayment(k record.Booking, status string, refunded int64) {
	b.t.Helper()
	if p := b.booking(k).Payment; p == nil || p.Status != status || p.RefundedAmount != refunded {
		b.t.Fatalf("the payment is %+v, want %s with %d refunded", p, status, refunded)
	}
}

func (b *bed) wantFee(k record.Booking, status string) {
	b.t.Helper()
	if n := b.booking(k).NoShow; n == nil || n.Fee == nil || n.Fee.Status != status {
		b.t.Fatalf("the fee is %+v, want %s", n, status)
	}
}

// events are the kinds of all events told so far, those of payments with status and refund.
func (b *bed) events() (kinds []string) {
	b.t.Helper()
	all, err := b.store.EventsAfter(b.ws.ID, 0, 1000)
	b.must(err)
	for _, e := range all {
		kind := string(e.Kind)
		if strings.HasPrefix(kind, "payment.") {
			var body struct{ Data record.PaymentEventData }
			b.must(json.Unmarshal(e.Body, &body))
			kind += " " + body.Data.Kind + " " + body.Data.Status
		}
		kinds = append(kinds, kind)
	}
	return kinds
}

func (b *bed) wantEvents(want ...string) {
	b.t.Helper()
	if got := b.events(); !slices.Equal(got, want) {
		b.t.Fatalf("told\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func (b *bed) wantRefunds(want ...int64) {
	b.t.Helper()
	if got := b.stripe.Refunds(); !slices.Equal(got, want) {
		b.t.Fatalf("Stripe refunded %v, want %v", got, want)
	}
}

// noSecrets wants no secret in the log.
func (b *bed) noSecrets() {
	b.t.Helper()
	for _, secret := range []string{stripetest.Key, stripetest.SigningSecret} {
		if strings.Contains(b.log.String(), secret) {
			b.t.Errorf("the log holds %s:\n%s", secret, b.log)
		}
	}
}
