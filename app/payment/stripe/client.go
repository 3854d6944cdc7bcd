package stripe

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/stripe/stripe-go/v85"

	"daybook/app/address"
	"daybook/app/money"
	"daybook/app/payment"
)

// Client is payment.Provider. It keeps no key: each call brings its own.
type Client struct{ backends *stripe.Backends }

var _ payment.Provider = (*Client)(nil)

// callTimeout bounds one request to Stripe.
const callTimeout = 30 * time.Second

// New makes a Client. base is the address of a stand-in for tests; "" is Stripe's own.
func New(base string) *Client {
	c := &stripe.BackendConfig{
		EnableTelemetry: stripe.Bool(false),
		HTTPClient: &http.Client{Timeout: callTimeout,
			Transport: address.Short{RoundTripper: address.Outward{
				RoundTripper: http.DefaultTransport.(*http.Transport).Clone()}, Most: maxResponse}},
		LeveledLogger:     &stripe.LeveledLogger{Level: stripe.LevelNull}, // the loop logs errors
		MaxNetworkRetries: stripe.Int64(0),                                // and retries
	}
	if base != "" {
		c.URL = stripe.String(strings.TrimSuffix(base, "/"))
	}
	return &Client{stripe.NewBackendsWithConfig(c)}
}

// maxResponse is the most bytes of an answer, which the library reads as a whole. A list of 100 events has some hundred
// thousand.
const maxResponse = 4 << 20

func (s *Client) client(key string) *stripe.Client {
	return stripe.NewClient(key, stripe.WithBackends(s.backends))
}

// Account implements payment.Provider. A restricted key that may not see the account is a key that works.
func (s *Client) Account(ctx context.Context, key string) (payment.ProviderAccount, error) {
	balance, err := s.client(key).V1Balance.Retrieve(ctx, nil)
	if err != nil && !forbidden(err) {
		return payment.ProviderAccount{}, providerError(key, err)
	}
	a := payment.ProviderAccount{Live: strings.Contains(key, "_live_")}
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

// providerError turns an error of Stripe's into a ProviderError. Its message never holds the key.
func providerError(key string, err error) error {
	var e *stripe.Error
	if !errors.As(err, &e) {
		return &payment.ProviderError{Fault: payment.ProviderDown, Message: "Stripe could not be reached"}
	}
	told := &payment.ProviderError{Code: string(e.Code), Message: strings.ReplaceAll(e.Msg, key, "…")}
	if told.Message == "" {
		told.Message = "Stripe answered " + http.StatusText(e.HTTPStatusCode)
	}
	if len(told.Message) > 300 {
		told.Message = told.Message[:300]
	}
	switch status := e.HTTPStatusCode; {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		told.Fault = payment.ProviderDenied
	case e.Code == stripe.ErrorCodeLockTimeout, e.Code == stripe.ErrorCodeIdempotencyKeyInUse,
		e.Code == stripe.ErrorCodeRateLimit:
		told.Fault = payment.ProviderDown
	case status == http.StatusBadRequest, status == http.StatusNotFound, status == http.StatusPaymentRequired:
		told.Fault = payment.ProviderRefused
	}
	return told
}

// The keys of the metadata by which objects at Stripe are found again.
const (
	metaWorkspace = "daybook_workspace"
	metaBooking   = "daybook_booking"
	metaPayment   = "daybook_payment"
	metaCheckout  = "daybook_checkout"
	metaCharge    = "daybook_charge"
	metaRefund    = "daybook_refund"
)

// stripeAmount returns an amount as Stripe counts it.
func stripeAmount(m money.Money) int64 { return money.AtStripe(m.Amount, m.Currency) }

// ourAmount returns the reverse of stripeAmount. Stripe writes currencies in lower case.
func ourAmount(amount int64, currency string) int64 {
	return money.FromStripe(amount, strings.ToUpper(currency))
}

func lower(currency string) *string { return stripe.String(strings.ToLower(currency)) }
