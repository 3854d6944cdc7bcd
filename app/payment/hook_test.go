package payment_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/payment"
	"daybook/app/payment/stripetest"
	"daybook/app/subjects"
	"daybook/app/vault"
	"daybook/app/when"
	"daybook/app/work"
)

// post sends a body to the hook with that signature.
func (b *bed) post(path string, body []byte, signature string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, path, bytes.NewReader(body))
	if signature != "" {
		r.Header.Set("Stripe-Signature", signature)
	}
	w := httptest.NewRecorder()
	b.hook.ServeHTTP(w, r)
	return w
}

func TestHookVerifies(t *testing.T) {
	b := newBed(t)
	b.offer("cut", nil)
	k := b.book("cut", 3, "eva")
	b.stripe.Pay(t, b.checkout(k), stripetest.Good)
	event := b.stripe.Event(-1)
	now := time.Now()
	other := append(bytes.Clone(event[:len(event)-1]), ` }`...)
	unknown := []byte(`{"id":"evt_unknown","object":"event","type":"customer.created","data":{"object":{"id":"cus_1"}}}`)
	odd := []byte(`{"id":"evt_odd","object":"event","type":"charge.refunded","data":{"object":{"id":"ch_1","payment_intent":"pi_nobodys"}}}`)
	huge := append([]byte(`{"id":"evt_huge","pad":"`), bytes.Repeat([]byte("x"), 1<<20)...)
	for _, c := range []struct {
		what, path      string
		body            []byte
		signature       string
		status          int
		reason, mention string
	}{
		{"unsigned", "salon", event, "", 400, "not_signed", ""},
		{"garbled", "salon", event, "t=now,v1=zz", 400, "not_signed", ""},
		{"another secret", "salon", event, strings.Replace(stripetest.Sign(event, now), "v1=", "v1=00", 1), 400, "wrong_signature", ""},
		{"another body", "salon", other, stripetest.Sign(event, now), 400, "wrong_signature", ""},
		{"old", "salon", event, stripetest.Sign(event, now.Add(-10*time.Minute)), 400, "signature_too_old", ""},
		{"no event", "salon", []byte(`[]`), stripetest.Sign([]byte(`[]`), now), 400, "invalid_event", ""},
		{"unknown workspace", "nobody", event, stripetest.Sign(event, now), 404, "", ""},
		{"huge", "salon", huge, stripetest.Sign(huge, now), 413, "", ""},
		{"unknown kind", "salon", unknown, stripetest.Sign(unknown, now), 200, "", ""},
		{"about nothing of ours", "salon", odd, stripetest.Sign(odd, now), 200, "", ""},
	} {
		w := b.post("/api/stripe/"+c.path, c.body, c.signature)
		var body struct {
			Error struct {
				Code, Message string
				Details       struct{ Reason string }
			}
		}
		if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil || w.Header().Get("Content-Type") != "application/json" {
			t.Errorf("%s: %q %v", c.what, w.Body, err)
		}
		if w.Code != c.status || body.Error.Details.Reason != c.reason || (w.Code == 200) == (body.Error.Message != "") {
			t.Errorf("%s: %d %s, want %d %s", c.what, w.Code, w.Body, c.status, c.reason)
		}
	}
	b.want(k, booking.Pending)
	if w := b.get("/api/stripe/salon"); w.Code != 405 || w.Header().Get("Allow") != "POST" {
		t.Errorf("GET: %d", w.Code)
	}
	if w := b.post("/api/stripe/"+b.Workspace.ID.String(), event, stripetest.Sign(event, now)); w.Code != 200 {
		t.Errorf("by the workspace's id: %d", w.Code)
	}
	b.want(k, booking.Confirmed)
	c, err := b.Payment.Connection(t.Context(), app.Operator(b.Workspace.ID), true)
	b.Must(err)
	if c.LastEvent != "checkout.session.completed" || c.LastEventAt != when.At(apptest.Monday) || !c.KeyWorks || c.Mode != "test" || c.WebhookURL != "https://book.example/api/stripe/salon" {
		t.Errorf("status: %+v", c)
	}
}

// An event of another workspace's Stripe account can't touch this one's bookings.
func TestEventsOfAnotherWorkspace(t *testing.T) {
	b := newBed(t)
	b.offer("cut", nil)
	other, err := b.Shop.CreateWorkspace(t.Context(), app.Operator(0), catalog.WorkspaceInput{Slug: "other", Name: "Other", TimeZone: "UTC"})
	b.Must(err)
	_, err = b.Payment.ConnectPayments(t.Context(), app.Operator(other.ID), payment.Keys{SecretKey: stripetest.Key, SigningSecret: stripetest.SigningSecret})
	b.Must(err)
	k := b.book("cut", 3, "eva")
	b.stripe.Pay(t, b.checkout(k), stripetest.Good)
	for i := range b.stripe.Events() {
		b.stripe.Send(t, b.hook, "/api/stripe/other", i)
	}
	b.work()
	b.want(k, booking.Pending)
}

func TestEventsAtOnce(t *testing.T) {
	b := newBed(t)
	b.offer("cut", nil)
	k := b.book("cut", 3, "eva")
	b.stripe.Pay(t, b.checkout(k), stripetest.Good)
	event := b.stripe.Event(-1)
	done := make(chan int)
	for range 16 {
		go func() { done <- b.post("/api/stripe/salon", event, stripetest.Sign(event, time.Now())).Code }()
	}
	for range 16 {
		if code := <-done; code != 200 {
			t.Error(code)
		}
	}
	b.wantEvents("payment.succeeded booking succeeded", "booking.created")
}

func TestConnecting(t *testing.T) {
	b := newBed(t)
	for _, c := range []struct{ secret, signing, field string }{
		{"pk_test_0123456789", stripetest.SigningSecret, "secretKey"},
		{"sk_test_wrong_0123456789", stripetest.SigningSecret, "secretKey"},
		{"nonsense", stripetest.SigningSecret, "secretKey"},
		{stripetest.Key, "nonsense", "signingSecret"},
	} {
		_, err := b.Payment.ConnectPayments(t.Context(), app.Operator(b.Workspace.ID), payment.Keys{SecretKey: c.secret, SigningSecret: c.signing})
		if e := fault.As(err); e == nil || e.Code != fault.BadRequest || e.Field != c.field || strings.Contains(e.Error(), c.secret) {
			t.Errorf("%s: %v", c.secret, err)
		}
	}
	plain, _, err := b.Upkeep.StoredSecrets(t.Context())
	if err != nil || plain != 3 { // the link key and the two of Stripe
		t.Errorf("%d secrets, %v", plain, err)
	}
	vault, err := vault.NewVault(bytes.Repeat([]byte{7}, 32))
	b.Must(err)
	sealing := b.Subjects(func(c *subjects.Config) { c.Vault = vault })
	n, err := sealing.Upkeep.SealSecrets(t.Context())
	if err != nil || n != 3 {
		t.Errorf("sealed %d, %v", n, err)
	}
	a, err := b.Store.PaymentAccount(b.Workspace.ID)
	b.Must(err)
	for _, stored := range []string{a.SecretKey, a.SigningSecret} {
		if !strings.HasPrefix(stored, "sealed:") || strings.Contains(stored, "stand_in") {
			t.Error("stored as", stored)
		}
	}
	if _, secret, err := sealing.Payment.SigningSecret(t.Context(), "salon"); err != nil || secret != stripetest.SigningSecret {
		t.Error(secret, err)
	}
}

// Who has hung up keeps no connection of the database busy, and is no trouble to be logged.
func TestPaymentReadsEndWithTheirRequest(t *testing.T) {
	b := newBed(t)
	b.offer("cut", nil)
	link := token(b.book("cut", 3, "eva"))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for what, read := range map[string]func() error{
		"secret":    func() error { _, _, err := b.Payment.SigningSecret(ended, "salon"); return err },
		"next job":  func() error { _, err := b.Payment.NextPaymentJob(ended); return err },
		"reconcile": func() error { return b.Payment.ReconcilePayments(ended, work.AllBuckets) },
		"done":      func() error { _, err := b.Payment.CheckoutDone(ended, link); return err },
	} {
		if err := read(); err != context.Canceled {
			t.Errorf("%s: %v", what, err)
		}
	}
	b.hook.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ended, "GET", "/booking/"+link+"/pay", nil))
	if log := b.log.String(); strings.Contains(log, "level=ERROR") {
		t.Error(log)
	}
}
