package stripe

import (
	"context"

	"github.com/stripe/stripe-go/v85"

	"daybook/app/payment"
)

// Refund implements payment.Provider.
func (s *Client) Refund(ctx context.Context, key string, r payment.RefundRequest) error {
	p := &stripe.RefundCreateParams{
		PaymentIntent: stripe.String(r.Intent), Amount: stripe.Int64(stripeAmount(r.Money)),
		Reason:   stripe.String("requested_by_customer"),
		Metadata: map[string]string{metaRefund: r.Key.String()},
	}
	if r.Booking != 0 {
		p.Metadata[metaBooking], p.Metadata[metaPayment] = r.Booking.String(), r.Payment.String()
	}
	p.SetIdempotencyKey(r.Key.String())
	if _, err := s.client(key).V1Refunds.Create(ctx, p); err != nil {
		return providerError(key, err)
	}
	return nil
}

// Refunded implements payment.Provider.
func (s *Client) Refunded(ctx context.Context, key string, r payment.RefundRequest) (bool, error) {
	all, err := s.refunds(ctx, key, r.Intent)
	for _, refund := range all {
		if refund.Metadata[metaRefund] == r.Key.String() {
			return true, nil
		}
	}
	return false, err
}

func (s *Client) refunds(ctx context.Context, key, intent string) (found []*stripe.Refund, err error) {
	p := &stripe.RefundListParams{PaymentIntent: stripe.String(intent)}
	p.Limit = stripe.Int64(100)
	all := s.client(key).V1Refunds.List(ctx, p)
	if err := all.Err(); err != nil {
		return nil, providerError(key, err)
	}
	for refund, err := range all.All(ctx) {
		if err != nil {
			return nil, providerError(key, err)
		}
		found = append(found, refund)
	}
	return found, nil
}
