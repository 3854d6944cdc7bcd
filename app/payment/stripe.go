package payment

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/stripe/stripe-go/v85"

	"daybook/app/catalog"
	"daybook/app/money"
)

// Stripe is app.PaymentProvider. It keeps no key: each call brings its own.
type Stripe struct{ backends *stripe.Backends }

var _ Provider = (*Stripe)(nil)

// callTimeout bounds one request to Stripe.
const callTimeout = 30 * time.Second

// New makes a Stripe. base is the address of a stand-in for tests; "" is Stripe's own.
func New(base string) *Stripe {
	c := &stripe.BackendConfig{
		EnableTelemetry:   stripe.Bool(false),
		HTTPClient:        &http.Client{Timeout: callTimeout, Transport: http.DefaultTransport.(*http.Transport).Clone()},
		LeveledLogger:     &stripe.LeveledLogger{Level: stripe.LevelNull}, // the loop says what went wrong
		MaxNetworkRetries: stripe.Int64(0),                                // and tries again
	}
	if base != "" {
		c.URL = stripe.String(strings.TrimSuffix(base, "/"))
	}
	return &Stripe{stripe.NewBackendsWithConfig(c)}
}

func (s *Stripe) client(key string) *stripe.Client {
	return stripe.NewClient(key, stripe.WithBackends(s.backends))
}

// Account implements app.PaymentProvider. A restricted key that may not see the account is a key that works.
func (s *Stripe) Account(ctx context.Context, key string) (ProviderAccount, error) {
	balance, err := s.client(key).V1Balance.Retrieve(ctx, nil)
	if err != nil && !forbidden(err) {
		return ProviderAccount{}, providerError(key, err)
	}
	a := ProviderAccount{Live: strings.Contains(key, "_live_")}
	if err == nil {
		a.Live = balance.Livemode
	}
	account, err := s.client(key).V1Accounts.Retrieve(ctx, nil)
	if err != nil {
		if forbidden(err) {
			return a, nil
		}
		return a, providerError(key, err)
	}
	a.ID = account.ID
	return a, nil
}

func forbidden(err error) bool {
	var e *stripe.Error
	return errors.As(err, &e) && e.HTTPStatusCode == http.StatusForbidden
}

// providerError makes of an error of Stripe's what the Service understands. Its message never holds the key.
func providerError(key string, err error) error {
	var e *stripe.Error
	if !errors.As(err, &e) {
		return &ProviderError{Fault: ProviderDown, Message: "Stripe could not be reached"}
	}
	told := &ProviderError{Code: string(e.Code), Message: strings.ReplaceAll(e.Msg, key, "…")}
	if told.Message == "" {
		told.Message = "Stripe answered " + http.StatusText(e.HTTPStatusCode)
	}
	if len(told.Message) > 300 {
		told.Message = told.Message[:300]
	}
	switch status := e.HTTPStatusCode; {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		told.Fault = ProviderDenied
	case e.Code == stripe.ErrorCodeLockTimeout, e.Code == stripe.ErrorCodeIdempotencyKeyInUse, e.Code == stripe.ErrorCodeRateLimit:
		told.Fault = ProviderDown
	case status == http.StatusBadRequest, status == http.StatusNotFound, status == http.StatusPaymentRequired:
		told.Fault = ProviderRefused
	}
	return told
}

// The metadata by which what was made at Stripe is known again.
const (
	metaWorkspace = "daybook_workspace"
	metaBooking   = "daybook_booking"
	metaPayment   = "daybook_payment"
	metaCheckout  = "daybook_checkout"
	metaCharge    = "daybook_charge"
	metaRefund    = "daybook_refund"
)

// stripeAmount is an amount as Stripe counts it.
func stripeAmount(m catalog.Money) int64 { return money.AtStripe(m.Amount, m.Currency) }

// ourAmount is the opposite of stripeAmount. Stripe writes currencies in small letters.
func ourAmount(amount int64, currency string) int64 {
	return money.FromStripe(amount, strings.ToUpper(currency))
}

func lower(currency string) *string { return stripe.String(strings.ToLower(currency)) }
