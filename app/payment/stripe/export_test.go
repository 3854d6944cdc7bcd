package stripe

import (
	"context"

	"daybook/app/payment"
)

// ChargeSaved and DisputeOf are requests that stripe-mock's fixtures never lead to.
func (s *Client) ChargeSaved(ctx context.Context, key string, r payment.ChargeRequest, customer, method string) error {
	_, err := s.chargeCard(ctx, key, &r, customer, method)
	return err
}

func (s *Client) DisputeOf(ctx context.Context, key, intent string) (string, error) {
	return s.dispute(ctx, key, intent)
}
