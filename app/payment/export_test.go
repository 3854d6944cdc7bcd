package payment

import (
	"context"
)

// ChargeSaved and DisputeOf are requests that stripe-mock's fixtures never lead to.
func (s *Stripe) ChargeSaved(ctx context.Context, key string, r ChargeRequest, customer, method string) error {
	_, err := s.chargeCard(ctx, key, &r, customer, method)
	return err
}

func (s *Stripe) DisputeOf(ctx context.Context, key, intent string) (string, error) {
	return s.dispute(ctx, key, intent)
}
