package webhook_test

import (
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/app/fault"
	"daybook/app/webhook"
)

func TestFailuresAreRetriedAndGivenUp(t *testing.T) {
	b := newBed(t)
	var status atomic.Int64
	status.Store(500)
	r := newReceiver(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(int(status.Load())) })
	b.endpoint(r.URL)
	l, _ := b.run()
	b.mustBook()
	for n, pause := range []time.Duration{30 * time.Second, 5 * time.Minute, time.Hour} {
		d := b.until("a failure", in(webhook.DeliveryPending, n+1))
		wait := d.NextAttemptAt.Time().Sub(b.Clock.Now())
		if wait < pause*8/10-5*time.Second || wait > pause*12/10 {
			t.Errorf("after failure %d the pause is %v, want %v ±20 %%", n+1, wait, pause)
		}
		b.Clock.Advance(wait - 10*time.Second)
		l.Wake()
		time.Sleep(60 * time.Millisecond)
		if len(r.all()) != n+1 {
			t.Fatal("sent before it was due")
		}
		b.Clock.Advance(10 * time.Second)
		l.Wake()
	}
	d := b.until("given up", in(webhook.DeliveryFailed, 4))
	if d.NextAttemptAt != 0 || d.Error == nil || *d.Error != "the endpoint answered 500 Internal Server Error" {
		t.Errorf("log: %+v", d)
	}
	all := r.wait(t, 4)
	if len(all) != 4 || string(all[0].body) != string(all[3].body) {
		t.Errorf("%d attempts, or the body changed", len(all))
	}
	if a, z := all[0].header.Get("X-Service-Signature"), all[3].header.Get("X-Service-Signature"); a == z {
		t.Error("the signature is not fresh")
	}
	status.Store(204)
	if d, err := b.Webhook.Redeliver(t.Context(), b.API, d.ID.String()); err != nil || d.State != webhook.DeliveryPending {
		t.Fatal(d, err)
	}
	b.until("delivered", in(webhook.DeliveryDelivered, 5))
}

func TestWhatFails(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer http.HandlerFunc
		status int
		err    string
		least  time.Duration // until the next attempt
		state  webhook.DeliveryState
	}{
		{"a redirect", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/else", http.StatusFound) }, 302, "redirects are not followed", 24 * time.Second, webhook.DeliveryPending},
		{"a client's error", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) }, 404, "404 Not Found", 24 * time.Second, webhook.DeliveryPending},
		{"a dropped connection", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, 0, "closed without an answer", 24 * time.Second, webhook.DeliveryPending},
		{"a hanging one", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, 0, "no answer within 300ms", 24 * time.Second, webhook.DeliveryPending},
		{"asked to wait", after(429, "3600"), 429, "429", time.Hour, webhook.DeliveryPending},
		{"asked to wait less", after(503, "1"), 503, "503", 24 * time.Second, webhook.DeliveryPending},
		{"asked to wait for ever", after(503, "99999999999"), 503, "503", 24 * time.Hour, webhook.DeliveryPending},
		{"asked to wait until", func(w http.ResponseWriter, r *http.Request) {
			after(503, time.Now().Add(2*time.Hour).UTC().Format(http.TimeFormat))(w, r) // the cases before this one take time
		}, 503, "503", 119 * time.Minute, webhook.DeliveryPending},
		{"gone", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(410) }, 410, "410 Gone", 0, webhook.DeliveryFailed},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBed(t)
			r := newReceiver(t, c.answer)
			b.endpoint(r.URL)
			b.run(func(o *webhook.Options) {
				if c.name == "a hanging one" {
					o.Timeout = 300 * time.Millisecond
				}
			})
			b.mustBook()
			d := b.until("an attempt", func(d webhook.Delivery) bool { return d.Attempts == 1 })
			if d.State != c.state || d.Error == nil || !strings.Contains(*d.Error, c.err) {
				t.Errorf("%s, error %v, want %s and %q", d.State, d.Error, c.state, c.err)
			}
			if got := 0; d.ResponseStatus != nil {
				if got = *d.ResponseStatus; got != c.status {
					t.Errorf("status %d, want %d", got, c.status)
				}
			}
			if wait := d.NextAttemptAt.Time().Sub(b.Clock.Now()); c.least > 0 && (wait < c.least-5*time.Second || wait > max(c.least, 36*time.Second)+time.Minute) {
				t.Errorf("next attempt in %v, want %v", wait, c.least)
			}
			if n := len(r.all()); n != 1 {
				t.Errorf("%d requests", n)
			}
		})
	}
}

func after(status int, header string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", header)
		w.WriteHeader(status)
	}
}

func TestGoneDisablesAtOnce(t *testing.T) {
	b := newBed(t)
	r := newReceiver(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(410) })
	e := b.endpoint(r.URL)
	b.run()
	b.mustBook()
	d := b.until("given up", in(webhook.DeliveryFailed, 1))
	apptest.Eventually(t, "disabled", func() bool { return !b.enabled() })
	all, err := b.Webhook.Endpoints(t.Context(), b.API)
	if err != nil || all[0].DisabledReason != webhook.DisabledGone || all[0].LatestDelivery.ID != d.ID {
		t.Fatalf("%+v %v", all, err)
	}
	if b.mustBook(); len(b.deliveries("")) != 1 {
		t.Error("a disabled endpoint is still told")
	}
	if _, err := b.Webhook.Redeliver(t.Context(), b.API, d.ID.String()); fault.As(err) == nil || fault.As(err).Reason != "endpoint_disabled" {
		t.Error("redelivered to a disabled endpoint:", err)
	}
	if e, err := b.Webhook.EnableEndpoint(t.Context(), b.API, e.ID.String()); err != nil || !e.Enabled || e.DisabledReason != "" {
		t.Error(e, err)
	}
}

func TestFiveDaysOfFailureDisable(t *testing.T) {
	b := newBed(t)
	var status atomic.Int64
	r := newReceiver(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(int(status.Load())) })
	b.endpoint(r.URL)
	l, _ := b.run(func(o *webhook.Options) { o.Retry = []time.Duration{} })
	tell := func(code int) {
		status.Store(int64(code))
		n := len(b.deliveries(""))
		b.mustBook()
		l.Wake()
		apptest.Eventually(t, "told "+strconv.Itoa(code), func() bool {
			all := b.deliveries("")
			return len(all) == n+1 && all[0].Attempts == 1
		})
	}
	tell(500)
	b.Clock.Advance(4 * 24 * time.Hour)
	tell(200) // begins anew
	tell(500)
	b.Clock.Advance(4 * 24 * time.Hour)
	if tell(500); !b.enabled() {
		t.Fatal("disabled after four days")
	}
	b.Clock.Advance(25 * time.Hour)
	tell(500)
	apptest.Eventually(t, "disabled after five days of nothing but failure", func() bool { return !b.enabled() })
}

// enabled tells whether the only endpoint is. One that is to be disabled is so just after its outcome is saved.
func (b *bed) enabled() bool {
	b.T.Helper()
	all, err := b.Webhook.Endpoints(b.T.Context(), b.API)
	b.Must(err)
	return all[0].Enabled
}
