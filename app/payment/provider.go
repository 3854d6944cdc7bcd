package payment

import (
	"context"
	"fmt"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/money"
	"daybook/app/when"
)

// Provider is what Daybook needs from a payment provider. Every method makes one or a few calls over the network, with
// the workspace's own key. A method that changes something is safe to repeat with the same arguments for at least a
// day. Errors are *ProviderError, and their messages never contain a key.
type Provider interface {
	// CheckKeys trims the keys and checks their form. Errors: bad_request (secretKey or signingSecret).
	CheckKeys(k *Keys) error
	// Account returns the account that the key belongs to.
	Account(ctx context.Context, key string) (ProviderAccount, error)
	// OpenCheckout makes a payment page for the request, or returns the one that it made before.
	OpenCheckout(ctx context.Context, key string, r CheckoutRequest) (CheckoutResult, error)
	// Checkout returns the state of a payment page.
	Checkout(ctx context.Context, key, session string) (CheckoutResult, error)
	// ExpireCheckout closes a payment page, and returns its state if it was closed before.
	ExpireCheckout(ctx context.Context, key, session string) (CheckoutResult, error)
	// Charge charges a saved card while its holder is absent. A decline is no error; it is in the result.
	Charge(ctx context.Context, key string, r ChargeRequest) (ChargeResult, error)
	// FindCharge returns the charge that an earlier call of Charge with that request made; Intent is "" if there is
	// none.
	FindCharge(ctx context.Context, key string, r ChargeRequest) (ChargeResult, error)
	// ChargeOf returns the state of a payment, with its refunds and disputes.
	ChargeOf(ctx context.Context, key, intent string) (ChargeResult, error)
	// Refund refunds an amount.
	Refund(ctx context.Context, key string, r RefundRequest) error
	// Refunded reports whether an earlier call of Refund with that request succeeded.
	Refunded(ctx context.Context, key string, r RefundRequest) (bool, error)
	// Events calls each for every event at the provider after since, the oldest first.
	Events(ctx context.Context, key string, since when.Instant, each func(ProviderEvent) error) error
}

// ProviderAccount is an account at the provider.
type ProviderAccount struct {
	ID   string
	Live bool
}

// CheckoutRequest describes a payment page. Without an amount the page only saves a card.
type CheckoutRequest struct {
	ID         CheckoutID          `json:"id"`               // of the request: the same id is the same page
	Booking    booking.BookingID   `json:"booking,omitzero"` // 0: of none
	Payment    booking.PaymentID   `json:"payment,omitzero"`
	Workspace  catalog.WorkspaceID `json:"workspace"`
	Money      money.Money         `json:"money"`
	Title      string              `json:"title"`
	Shares     []CheckoutShare     `json:"shares,omitempty"` // of a visit: what is paid for each of its bookings
	Email      string              `json:"email"`
	Locale     string              `json:"locale,omitempty"`
	SaveCard   bool                `json:"saveCard,omitempty"`
	Wording    string              `json:"wording,omitempty"` // shown beside the button
	SuccessURL string              `json:"successUrl"`
	CancelURL  string              `json:"cancelUrl"`
	ExpiresAt  when.Instant        `json:"expiresAt"`
}

// CheckoutResult is the state of a payment page.
type CheckoutResult struct {
	Session  string
	Checkout CheckoutID // of its request, as far as the provider knows
	Stage    CheckoutStage
	Failed   bool   // the money that was on its way did not arrive
	URL      string // where it is, while open
	Customer string
	Intent   string // the payment, or what saved the card
	Amount   int64
	Currency string
}

// ChargeRequest is a charge of a saved card.
type ChargeRequest struct {
	Key       string // names the attempt: the same key is the same charge
	Booking   booking.BookingID
	Payment   booking.PaymentID
	Workspace catalog.WorkspaceID
	Money     money.Money
	Customer  string
	Source    string // what saved the card
	Title     string
}

// ChargeResult is the state of a payment.
type ChargeResult struct {
	Intent    string
	Status    booking.PaymentStatus
	Error     string // of one that failed, in words for the owner
	Refunded  int64  // confirmed
	Refunding int64  // on its way
	Refunds   []RefundPart
	Dispute   string
}

// RefundRequest asks for the refund of an amount of a payment.
type RefundRequest struct {
	Key     JobID // the same key is the same refund
	Booking booking.BookingID
	Payment booking.PaymentID
	Intent  string
	Money   money.Money
}

// ProviderEvent is an event of the provider, about a checkout, a payment, or something that Daybook ignores.
type ProviderEvent struct {
	ID       string
	Kind     string
	Checkout *CheckoutResult
	Intent   string            // the payment that something happened to
	Payment  booking.PaymentID // our id of it, if the provider knows it
	Missed   bool              // it was found by asking, it did not arrive by itself
}

// ProviderFault is the kind of a ProviderError.
type ProviderFault int

const (
	ProviderDown    ProviderFault = iota // unreachable, busy or broken: try again
	ProviderDenied                       // the key does not work: try again once there is another
	ProviderRefused                      // it will never do that
)

// ProviderError says why the provider did not do something.
type ProviderError struct {
	Fault   ProviderFault
	Code    string
	Message string
}

func (e *ProviderError) Error() string {
	if e.Code == "" {
		return e.Message
	}
	return fmt.Sprintf("%s (%s)", e.Message, e.Code)
}
