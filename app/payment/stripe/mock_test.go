package stripe_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"daybook/app/apptest/outside"
	"daybook/app/money"
	"daybook/app/payment"
	"daybook/app/payment/stripe"
	"daybook/app/when"
)

// TestStripeTakesOurParameters sends every request that Daybook makes to stripe-mock, which checks it against Stripe's
// own OpenAPI document. It knows no state: what it answers are fixtures.
func TestStripeTakesOurParameters(t *testing.T) {
	s := stripe.New(startMock(t))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	const key = "sk_test_123456789"
	account, err := s.Account(ctx, key)
	if err != nil || account.ID == "" {
		t.Fatal(account, err)
	}
	for _, r := range []payment.CheckoutRequest{
		{ID: 1, Booking: 2, Payment: 3, Workspace: 4, Money: money.Money{Amount: 4500, Currency: "EUR"}, Title: "Haircut"},
		{ID: 2, Booking: 2, Payment: 3, Workspace: 4, Money: money.Money{Amount: 4500, Currency: "JPY"}, Title: "Haircut", SaveCard: true, Wording: "If you do not come …", Locale: "de-AT"},
		{ID: 3, Booking: 2, Workspace: 4, Money: money.Money{Currency: "KWD"}, Title: "Haircut", SaveCard: true, Wording: "If you do not come …", Locale: "xx"},
	} {
		r.Email, r.SuccessURL, r.CancelURL, r.ExpiresAt = "eva@mail.example", "https://book.example/booking/x/paid", "https://book.example/booking/x", when.At(time.Now().Add(time.Hour))
		if c, err := s.OpenCheckout(ctx, key, r); err != nil || c.Session == "" {
			t.Errorf("%+v: %+v %v", r, c, err)
		}
	}
	if _, err := s.Checkout(ctx, key, "cs_test_1"); err != nil {
		t.Error(err)
	}
	if _, err := s.ExpireCheckout(ctx, key, "cs_test_1"); err != nil {
		t.Error(err)
	}
	charge := payment.ChargeRequest{Key: "bk_1/no-show/1", Booking: 1, Payment: 2, Workspace: 3, Money: money.Money{Amount: 2500, Currency: "EUR"}, Customer: "cus_1", Title: "No-show fee"}
	for _, source := range []string{"seti_1", "pi_1"} {
		charge.Source = source
		_, err := s.Charge(ctx, key, charge)
		if told, ok := err.(*payment.ProviderError); err != nil && (!ok || told.Code != "" || !strings.Contains(told.Message, "saved card")) { // the fixture has no card
			t.Error(source, err)
		}
	}
	if err := s.ChargeSaved(ctx, key, charge, "cus_1", "pm_1"); err != nil {
		t.Error(err)
	}
	if _, err := s.ChargeOf(ctx, key, "pi_1"); err != nil {
		t.Error(err)
	}
	if _, err := s.DisputeOf(ctx, key, "pi_1"); err != nil {
		t.Error(err)
	}
	refund := payment.RefundRequest{Key: 9, Booking: 1, Payment: 2, Intent: "pi_1", Money: money.Money{Amount: 100, Currency: "EUR"}}
	if err := s.Refund(ctx, key, refund); err != nil {
		t.Error(err)
	}
	if _, err := s.Refunded(ctx, key, refund); err != nil {
		t.Error(err)
	}
	if err := s.Events(ctx, key, when.At(time.Now().Add(-time.Hour)), func(payment.ProviderEvent) error { return nil }); err != nil {
		t.Error(err)
	}
	bad := payment.CheckoutRequest{ID: 5, Email: "eva@mail.example", ExpiresAt: when.At(time.Now().Add(time.Hour)), Money: money.Money{Amount: 1, Currency: "EUR"}}
	if _, err := s.OpenCheckout(ctx, "", bad); err == nil {
		t.Error("the mock takes anything")
	}
}

const mockModule = "github.com/stripe/stripe-mock@v0.203.0"

// TestNeeds has .ci/run install what the tests of this package use, before it runs them.
func TestNeeds(t *testing.T) { buildMock(t) }

// buildMock builds stripe-mock from the module proxy.
func buildMock(t *testing.T) (bin string) {
	t.Helper()
	bin = t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "install", mockModule)
	build.Env = append(os.Environ(), "GOBIN="+bin, "GOFLAGS=", "CGO_ENABLED=0")
	build.Dir = bin // outside this module
	if out, err := build.CombinedOutput(); err != nil {
		outside.Needs(t, "stripe", fmt.Errorf("go install %s: %w: %s", mockModule, err, out))
	}
	return bin
}

// startMock builds stripe-mock from the module proxy and starts it.
func startMock(t *testing.T) string {
	t.Helper()
	bin := buildMock(t)
	addr, other := outside.Address(t), outside.Address(t)
	mock := exec.Command(filepath.Join(bin, "stripe-mock"), "-http-addr", addr, "-https-addr", other)
	if err := mock.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { mock.Process.Kill(); mock.Wait() }) //nolint:errcheck // it is over
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if c, err := net.Dial("tcp", addr); err == nil {
			c.Close()
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("stripe-mock does not listen")
		}
	}
	return "http://" + addr
}
