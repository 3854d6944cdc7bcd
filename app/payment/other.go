package payment

import (
	"context"
	"time"

	"daybook/app/catalog"
	"daybook/app/id"
)

// Others takes an event of the provider about a payment page or a payment that isn't of a booking, and reports whether it is of
// something else that is sold. It may get an event more than once.
type Others func(ctx context.Context, ws catalog.WorkspaceID, e *ProviderEvent) (bool, error)

// SetOthers sets who takes those events. It must be called before the Service is used.
func (s *Service) SetOthers(o Others) { s.others = o }

// NewCheckoutID and NewRefundKey name a payment page and a refund of what isn't of a booking.
func NewCheckoutID(now time.Time) CheckoutID { return id.New[checkoutKind](now) }

// NewRefundKey names a refund, see NewCheckoutID.
func NewRefundKey(now time.Time) JobID { return id.New[paymentJobKind](now) }

// UnsignedCheckout returns the id at the start of a token made by catalog.Signed, see catalog.Unsigned.
func UnsignedCheckout(token string) (CheckoutID, bool) { return catalog.Unsigned[checkoutKind](token) }

// OpenPage opens a payment page of what isn't of a booking, or returns the one that the request has opened before. Errors:
// *ProviderError.
func (s *Service) OpenPage(ctx context.Context, r CheckoutRequest) (CheckoutResult, error) {
	key, err := s.providerKey(s.Reader(ctx), r.Workspace)
	if err != nil {
		return CheckoutResult{}, err
	}
	return s.provider.OpenCheckout(ctx, key, r)
}

// PageState returns what became of a payment page. Errors: *ProviderError.
func (s *Service) PageState(ctx context.Context, ws catalog.WorkspaceID, session string) (CheckoutResult, error) {
	key, err := s.providerKey(s.Reader(ctx), ws)
	if err != nil {
		return CheckoutResult{}, err
	}
	return s.provider.Checkout(ctx, key, session)
}

// ClosePage closes a payment page on which nobody has paid, and returns what became of it. Errors: *ProviderError.
func (s *Service) ClosePage(ctx context.Context, ws catalog.WorkspaceID, session string) (CheckoutResult, error) {
	key, err := s.providerKey(s.Reader(ctx), ws)
	if err != nil {
		return CheckoutResult{}, err
	}
	return s.provider.ExpireCheckout(ctx, key, session)
}

// PaymentState returns what became of a payment. Errors: *ProviderError.
func (s *Service) PaymentState(ctx context.Context, ws catalog.WorkspaceID, intent string) (ChargeResult, error) {
	key, err := s.providerKey(s.Reader(ctx), ws)
	if err != nil {
		return ChargeResult{}, err
	}
	return s.provider.ChargeOf(ctx, key, intent)
}

// PayBack refunds what isn't of a booking, unless the request has done so before. Errors: *ProviderError.
func (s *Service) PayBack(ctx context.Context, ws catalog.WorkspaceID, r RefundRequest) error {
	key, err := s.providerKey(s.Reader(ctx), ws)
	if err != nil {
		return err
	}
	if done, err := s.provider.Refunded(ctx, key, r); err != nil || done {
		return err
	}
	return s.provider.Refund(ctx, key, r)
}
