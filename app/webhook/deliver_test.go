package webhook_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/app/webhook"

	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"

	stripe "github.com/stripe/stripe-go/v85/webhook"

	"daybook/app"
)

func TestDeliveryIsVerifiedByPublicLibraries(t *testing.T) {
	b := newBed(t)
	r := newReceiver(t, nil)
	e := b.endpoint(r.URL + "/hook")
	b.run()
	k := b.mustBook()
	got := r.wait(t, 1)[0]

	if err := stripe.ValidatePayload(got.body, got.header.Get("X-Service-Signature"), e.Secret); err != nil {
		t.Error("stripe:", err)
	}
	if err := stripe.ValidatePayload(got.body, got.header.Get("X-Service-Signature"), e.Secret+"x"); err == nil {
		t.Error("stripe took a wrong secret")
	}
	verifier, err := standard.NewWebhook(e.Secret)
	if err != nil {
		t.Fatal(err)
	}
	if err := verifier.Verify(got.body, got.header); err != nil {
		t.Error("standard webhooks:", err)
	}
	if err := verifier.Verify(append(got.body, ' '), got.header); err == nil {
		t.Error("standard webhooks took another body")
	}

	id, kind, booking := eventOf(t, got.body)
	if kind != "booking.created" || booking != k.ID.String() || got.header.Get("Webhook-Id") != id {
		t.Errorf("told %s of %s, webhook-id %s, want booking.created of %s", kind, booking, got.header.Get("Webhook-Id"), k.ID)
	}
	if got.header.Get("Content-Type") != "application/json" || got.header.Get("User-Agent") != "Daybook/test" {
		t.Error("headers:", got.header)
	}
	events, err := b.Store.EventsAfter(b.API.Workspace, 0, 10)
	if err != nil || len(events) != 1 || !bytes.Equal(events[0].Body, got.body) {
		t.Errorf("the body is not the event's: %v", err)
	}
	d := b.until("delivered", in(webhook.DeliveryDelivered, 1))
	if d.ResponseStatus == nil || *d.ResponseStatus != 200 || d.Error != nil || d.NextAttemptAt != 0 || d.DurationMS == nil {
		t.Errorf("log: %+v", d)
	}
}

func TestNewEventLeavesWithin100ms(t *testing.T) {
	b := newBed(t)
	r := newReceiver(t, nil)
	b.endpoint(r.URL)
	b.run()
	b.mustBook()
	r.wait(t, 1) // connected, prepared
	best := time.Hour
	for n := 2; n < 7; n++ { // the machine is shared: the best of five
		b.mustBook()
		committed := time.Now()
		best = min(best, r.wait(t, n)[n-1].at.Sub(committed))
	}
	if best > 100*time.Millisecond {
		t.Errorf("the event left %v after the commit", best)
	}
}

// To one endpoint the next event of a booking waits for the first try of the one before, not for its retries, and no other
// booking waits for it.
func TestEventsOfABookingAreFirstTriedInOrder(t *testing.T) {
	b := newBed(t)
	var slow string
	answered := make(chan struct{})
	answer := sync.OnceFunc(func() { close(answered) })
	r := newReceiver(t, nil)
	t.Cleanup(answer)
	r.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		_, kind, booking := eventOf(t, body)
		r.mu.Lock()
		r.got = append(r.got, received{time.Now(), req.Header, body})
		n := len(r.got)
		r.mu.Unlock()
		if booking == slow && kind == "booking.created" {
			if n <= 2 {
				<-answered
			}
			http.Error(w, "later", http.StatusServiceUnavailable)
		}
	})
	b.endpoint(r.URL)
	k := b.mustBook()
	slow = k.ID.String()
	_, err := b.Cancel(t.Context(), b.API, slow, app.CancelInput{})
	b.Must(err)
	b.mustBook()
	b.run(func(o *webhook.Options) { o.Retry = []time.Duration{time.Hour} })
	r.wait(t, 2)
	for range 20 { // time for the third, which must not come
		time.Sleep(10 * time.Millisecond)
		if got := r.all(); len(got) > 2 {
			_, kind, _ := eventOf(t, got[2].body)
			t.Fatalf("%s came before the first try of what was before it had ended", kind)
		}
	}
	answer()
	if _, kind, booking := eventOf(t, r.wait(t, 3)[2].body); kind != "booking.cancelled" || booking != slow {
		t.Errorf("told %s of %s at last", kind, booking)
	}
}

func TestOtherProcessesCommitsAreNoticed(t *testing.T) {
	b := newBed(t)
	r := newReceiver(t, nil)
	b.endpoint(r.URL)
	b.run()
	other := openBed(t, b.Place)
	other.mustBook()
	r.wait(t, 1)
}

func TestRotationWithOverlapSignsTwice(t *testing.T) {
	b := newBed(t)
	r := newReceiver(t, nil)
	e := b.endpoint(r.URL)
	rotated, err := b.Webhook.RotateSecret(t.Context(), b.API, e.ID.String(), time.Hour)
	if err != nil || rotated.Secret == e.Secret || rotated.Endpoint.ID != e.Endpoint.ID {
		t.Fatal(rotated, err)
	}
	b.run()
	b.mustBook()
	got := r.wait(t, 1)[0]
	for _, secret := range []string{e.Secret, rotated.Secret} {
		if err := stripe.ValidatePayload(got.body, got.header.Get("X-Service-Signature"), secret); err != nil {
			t.Error(err)
		}
		verifier, _ := standard.NewWebhook(secret)
		if err := verifier.Verify(got.body, got.header); err != nil {
			t.Error(err)
		}
	}
	b.Clock.Advance(2 * time.Hour)
	b.mustBook()
	got = r.wait(t, 2)[1]
	if n := strings.Count(got.header.Get("X-Service-Signature"), "v1="); n != 1 || strings.Contains(got.header.Get("Webhook-Signature"), " ") {
		t.Errorf("%d signatures after the overlap: %v", n, got.header)
	}
}

func TestEventsGoToWhoWantsThem(t *testing.T) {
	b := newBed(t)
	created, cancelled, disabled, deleted := newReceiver(t, nil), newReceiver(t, nil), newReceiver(t, nil), newReceiver(t, nil)
	b.endpoint(created.URL, "booking.created")
	b.endpoint(cancelled.URL, "booking.cancelled", "booking.no_show")
	off, gone := b.endpoint(disabled.URL), b.endpoint(deleted.URL)
	b.mustBook() // before anything is disabled
	if _, err := b.Webhook.DisableEndpoint(t.Context(), b.API, off.ID.String()); err != nil {
		t.Fatal(err)
	}
	if err := b.Webhook.DeleteEndpoint(t.Context(), b.API, gone.ID.String()); err != nil {
		t.Fatal(err)
	}
	k := b.mustBook()
	if _, err := b.Cancel(t.Context(), b.API, k.ID.String(), app.CancelInput{}); err != nil {
		t.Fatal(err)
	}
	b.run()
	apptest.Eventually(t, "the queue is empty", func() bool { return len(b.deliveries("pending")) == 0 })
	if c, x, d, g := len(created.all()), len(cancelled.all()), len(disabled.all()), len(deleted.all()); c != 2 || x != 1 || d != 0 || g != 0 {
		t.Errorf("told %d, %d, %d, %d times; want 2, 1, 0, 0", c, x, d, g)
	}
	if failed := b.deliveries("failed"); len(failed) != 2 {
		t.Errorf("%d given up, want the two of the disabled and the deleted endpoint", len(failed))
	}
	if n := len(b.deliveries("")); n != 5 {
		t.Errorf("%d deliveries, want 5", n)
	}
}

func TestHugeAnswerIsNotRead(t *testing.T) {
	b := newBed(t)
	var wrote int
	ended := make(chan bool)
	r := newReceiver(t, func(w http.ResponseWriter, _ *http.Request) {
		defer close(ended)
		for line := bytes.Repeat([]byte("x"), 32<<10); wrote < 256<<20; wrote += len(line) {
			if _, err := w.Write(line); err != nil {
				return
			}
		}
	})
	b.endpoint(r.URL)
	b.run()
	b.mustBook()
	d := b.until("delivered", in(webhook.DeliveryDelivered, 1))
	if <-ended; wrote > 32<<20 {
		t.Errorf("%d bytes were taken", wrote)
	}
	if d, err := b.Store.Delivery(b.API.Workspace, d.ID); err != nil || len(d.Response) != 1<<10 {
		t.Errorf("%d bytes were kept (%v), want 1 KB", len(d.Response), err)
	}
}
