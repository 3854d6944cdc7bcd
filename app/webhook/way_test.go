package webhook_test

import (
	"context"
	"crypto/x509"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/subjects"
	"daybook/app/webhook"
)

// A name that was public when the endpoint was registered and is not when it is dialled is refused.
func TestRebindingIsRefused(t *testing.T) {
	b := newBed(t)
	b.Set = subjects.New(subjects.Config{Config: app.Config{Store: b.Store, Clock: b.Clock.Now}, Webhook: webhook.Config{
		Resolve: func(context.Context, string) ([]netip.Addr, error) {
			return []netip.Addr{netip.MustParseAddr("93.184.216.34")}, nil
		},
	}})
	var asked atomic.Int64
	r := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer r.Close()
	_, port, _ := cutLast(r.URL, ":")
	b.endpoint("https://localhost:" + port)
	b.run(func(o *webhook.Options) { o.Allow = nil })
	b.mustBook()
	d := b.until("refused", in(webhook.DeliveryPending, 1))
	if d.Error == nil || !strings.HasPrefix(*d.Error, "refused: ") || !strings.Contains(*d.Error, "loopback") || !strings.Contains(*d.Error, "--webhook-allow") {
		t.Errorf("%v", *d.Error)
	}
	if asked.Load() != 0 {
		t.Error("it was asked")
	}
}

// What the operator no longer allows is refused too, and http:// only goes where it is allowed.
func TestAllowHoldsAtTheDial(t *testing.T) {
	b := newBed(t)
	r := newReceiver(t, nil)
	b.endpoint(r.URL)
	b.run(func(o *webhook.Options) { o.Allow = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")} })
	b.mustBook()
	if d := b.until("refused", in(webhook.DeliveryPending, 1)); !strings.HasPrefix(*d.Error, "refused: 127.0.0.1 is a loopback address") || len(r.all()) > 0 {
		t.Error(*d.Error)
	}
}

func TestTLSIsVerified(t *testing.T) {
	r := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer r.Close()
	known := x509.NewCertPool()
	known.AddCert(r.Certificate())
	for name, c := range map[string]struct {
		roots *x509.CertPool
		fits  func(webhook.Delivery) bool
	}{
		"known":   {known, in(webhook.DeliveryDelivered, 1)},
		"unknown": {nil, in(webhook.DeliveryPending, 1)},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBed(t)
			b.endpoint(r.URL)
			b.run(func(o *webhook.Options) { o.RootCAs = c.roots })
			b.mustBook()
			if d := b.until(name, c.fits); c.roots == nil && !strings.HasPrefix(*d.Error, "TLS: ") {
				t.Error(*d.Error)
			}
		})
	}
}

// An endpoint that hangs, with more waiting for it than it may have under way, delays nobody.
func TestHangingEndpointDelaysNobody(t *testing.T) {
	b := newBed(t)
	var hanging atomic.Int64
	bad := newReceiver(t, func(_ http.ResponseWriter, r *http.Request) {
		hanging.Add(1)
		<-r.Context().Done()
	})
	good := newReceiver(t, nil)
	b.endpoint(bad.URL)
	b.endpoint(good.URL)
	const most = 8
	b.run(func(o *webhook.Options) { o.PerEndpoint, o.Total = most, most+1; o.Grace = 1 })
	for range 5 * most {
		b.mustBook()
	}
	good.wait(t, 5*most)
	// The last of the requests that hang may still be on its way when the good endpoint has all of its own.
	apptest.Eventually(t, "requests hang", func() bool { return hanging.Load() >= most })
	if n := hanging.Load(); n != most {
		t.Errorf("%d requests hang, want %d", n, most)
	}
}
