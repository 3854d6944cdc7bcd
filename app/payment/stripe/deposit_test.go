package stripe_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
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
)

// beside answers as the stand-in does, and has stripe-mock look at each request first: one that it refuses fails the
// test. It keeps what was asked.
type beside struct {
	t       *testing.T
	standIn *stripetest.Server
	mock    string
	mu      sync.Mutex
	asked   int
	seen    strings.Builder
}

func (b *beside) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		b.t.Error(err)
	}
	// to sends the request to one of them.
	to := func(base, key string) (*http.Response, []byte, error) {
		q, err := http.NewRequestWithContext(r.Context(), r.Method, base+r.URL.RequestURI(), bytes.NewReader(body))
		if err != nil {
			return nil, nil, err
		}
		q.Header = r.Header.Clone()
		q.Header.Set("Authorization", "Bearer "+key)
		q.Header.Del("Accept-Encoding")
		res, err := http.DefaultClient.Do(q)
		if err != nil {
			return nil, nil, err
		}
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		return res, text, err
	}
	mocked, said, err := to(b.mock, "sk_test_123456789")
	b.mu.Lock()
	b.asked++
	fmt.Fprintf(&b.seen, "%s %s %s\n", r.Method, r.URL.RequestURI(), body)
	if err != nil || mocked.StatusCode != http.StatusOK {
		b.t.Errorf("stripe-mock refuses %s %s %s: %s, %v", r.Method, r.URL.RequestURI(), body, said, err)
	}
	b.mu.Unlock()
	res, text, err := to(b.standIn.URL, stripetest.Key)
	if err != nil {
		b.t.Error(err)
		return
	}
	w.Header().Set("Content-Type", res.Header.Get("Content-Type"))
	w.WriteHeader(res.StatusCode)
	w.Write(text) //nolint:errcheck // the client says what it misses
}

// TestStripeTakesDepositsAndFees has deposits and late cancellation fees paid, charged, declined, paid by hand and
// given back, in each language, and stripe-mock take every request of it.
func TestStripeTakesDepositsAndFees(t *testing.T) {
	b := &beside{t: t, standIn: stripetest.New(t), mock: startMock(t)}
	server := httptest.NewServer(b)
	t.Cleanup(server.Close)
	w := apptest.New(t, apptest.Options{Name: "Salon Ana", Hosts: []string{"ana"}, Hours: "00:00-24:00"})
	b.standIn.Now = w.Clock.Now
	w.Payment.SetProvider(stripe.New(server.URL))
	ctx := t.Context()
	_, err := w.Payment.ConnectPayments(ctx, app.Operator(w.Workspace.ID),
		payment.Keys{SecretKey: stripetest.Key, SigningSecret: stripetest.SigningSecret})
	w.Must(err)
	euros := func(n int64) *money.Money { return &money.Money{Amount: n * 100, Currency: "EUR"} }
	w.Offer("cut", 60, func(e *catalog.EventType) {
		e.Price, e.Payment, e.MinimumNoticeMinutes = euros(45), catalog.PayOnSite, 0
		e.Deposit, e.LateCancellationFee, e.CancellationNoticeMinutes = &catalog.Deposit{Percent: 20}, euros(20), 120
	})
	work := func() {
		for n := 1; n > 0; {
			jobs, err := w.Payment.ClaimPaymentJobs(ctx, 10, time.Minute)
			w.Must(err)
			for _, j := range jobs {
				w.Must(w.Payment.RunPaymentJob(ctx, j))
			}
			n = len(jobs)
		}
	}
	pay := func(k booking.Booking, card stripetest.Card) booking.Booking {
		t.Helper()
		token := k.ManageURL[strings.LastIndexByte(k.ManageURL, '/')+1:]
		page, err := w.Payment.CheckoutURL(ctx, token)
		w.Must(err)
		b.standIn.Pay(t, page[strings.LastIndexByte(page, '/')+1:], card)
		_, err = w.Payment.CheckoutDone(ctx, token)
		w.Must(err)
		work()
		return w.Again(k)
	}
	hour := 3
	book := func(locale string) booking.Booking {
		t.Helper()
		in := apptest.Input("cut", apptest.Hours(hour), "eva")
		in.Invitee.Locale, hour = locale, hour+1
		k, err := w.Book(ctx, app.Actor{Kind: booking.ByInvitee, Workspace: w.Workspace.ID}, in)
		w.Must(err)
		return k
	}
	cancel := func(k booking.Booking, in app.CancelInput) {
		t.Helper()
		_, err := w.Cancel(ctx, w.Owner, k.ID.String(), in)
		w.Must(err)
		work()
	}
	back := true
	for _, locale := range []string{"en", "de-AT", "fr", "es"} {
		if k := pay(book(locale), stripetest.Good); k.Status != booking.Confirmed || k.Paid.Amount != 900 {
			t.Errorf("%s: %s, paid %v", locale, k.Status, k.Paid)
		} else {
			cancel(k, app.CancelInput{Refund: &back}) // in time: the deposit goes back
		}
	}
	for _, card := range []stripetest.Card{stripetest.Good, stripetest.Declined, stripetest.Authenticate} {
		k := pay(book("de"), card)
		w.Clock.Advance(k.Start.Time().Sub(w.Clock.Now()) - time.Hour)
		hour += 3
		cancel(k, app.CancelInput{ChargeLateFee: true})
		if k = w.Again(k); card != stripetest.Good {
			k = pay(k, stripetest.Good)
		}
		if f := k.Cancellation.Fee; f == nil || f.Status != "succeeded" || f.Amount != 2000 {
			t.Errorf("%s: the fee is %+v", card, f)
		}
		_, err := w.Payment.RefundFee(ctx, w.Owner, k.ID.String(), nil)
		w.Must(err)
		work()
	}
	left := book("en") // never paid: its payment page is closed
	_, err = w.Payment.CheckoutURL(ctx, left.ManageURL[strings.LastIndexByte(left.ManageURL, '/')+1:])
	w.Must(err)
	cancel(left, app.CancelInput{})
	for _, want := range []string{"Deposit%3A", "Anzahlung%3A", "Acompte%3A", "Anticipo%3A", "Late+cancellation+fee", "Sp%C3%A4te+Absage%3A",
		"POST /v1/refunds", "POST /v1/checkout/sessions", "/expire", "off_session"} {
		if !strings.Contains(b.seen.String(), want) {
			t.Errorf("no request has %s", want)
		}
	}
	t.Logf("%d requests", b.asked)
}
