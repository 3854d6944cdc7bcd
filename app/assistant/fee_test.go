package assistant_test

import (
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/money"
	"daybook/app/payment"
	"daybook/app/payment/stripe"
	"daybook/app/payment/stripetest"
)

// A service with a fee is asked for here as long as nothing can be charged; then the person books it on the page, where
// they agree to the fee, and nobody is mailed.
func TestAFeeIsAgreedToOnThePage(t *testing.T) {
	w := newWorld(t)
	w.Alter("cut", func(e *catalog.EventType) { e.NoShowFee = &money.Money{Amount: 500, Currency: "EUR"} })
	w.wants(w.asks("198.51.100.1", "cut", "1T09", "eva"), "")
	standIn := stripetest.New(t)
	standIn.Now = w.Clock.Now
	w.Payment.SetProvider(stripe.New(standIn.URL))
	_, err := w.Payment.ConnectPayments(t.Context(), app.Operator(w.Workspace.ID), payment.Keys{SecretKey: stripetest.Key, SigningSecret: stripetest.SigningSecret})
	w.Must(err)
	mailed := len(w.mails())
	got := w.wants(w.asks("198.51.100.2", "cut", "2T09", "ida"), "page_only")
	if !strings.Contains(got.text, "book.example.com/salon/cut") || len(w.mails()) != mailed {
		t.Errorf("%s, %d mails more", got.text, len(w.mails())-mailed)
	}
	w.wants(w.asks("198.51.100.2", "long", "2T10", "ida"), "")
}
