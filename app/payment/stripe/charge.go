package stripe

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/stripe/stripe-go/v85"

	"daybook/app/booking"
	"daybook/app/payment"
)

// Charge implements payment.Provider.
func (s *Client) Charge(ctx context.Context, key string, r payment.ChargeRequest) (payment.ChargeResult, error) {
	customer, method, err := s.card(ctx, key, &r)
	if err != nil {
		return payment.ChargeResult{}, err
	}
	return s.chargeCard(ctx, key, &r, customer, method)
}

func (s *Client) chargeCard(ctx context.Context, key string, r *payment.ChargeRequest, customer,
	method string) (payment.ChargeResult, error) {
	p := &stripe.PaymentIntentCreateParams{
		Amount: stripe.Int64(stripeAmount(r.Money)), Currency: lower(r.Money.Currency), Customer: stripe.String(customer),
		PaymentMethod:      stripe.String(method),
		PaymentMethodTypes: stripe.StringSlice([]string{"card"}), OffSession: stripe.Bool(true), Confirm: stripe.Bool(true),
		Description: stripe.String(r.Title),
		Metadata: map[string]string{
			metaWorkspace: r.Workspace.String(), metaBooking: r.Booking.String(), metaPayment: r.Payment.String(),
			metaCharge: r.Key,
		},
	}
	p.SetIdempotencyKey(r.Key)
	intent, err := s.client(key).V1PaymentIntents.Create(ctx, p)
	var e *stripe.Error
	if errors.As(err, &e) && e.HTTPStatusCode == http.StatusPaymentRequired && e.PaymentIntent != nil {
		if e.PaymentIntent.LastPaymentError == nil {
			e.PaymentIntent.LastPaymentError = e
		}
		return chargeOf(e.PaymentIntent), nil
	}
	if err != nil {
		return payment.ChargeResult{}, providerError(key, err)
	}
	return chargeOf(intent), nil
}

// card returns the customer and the card that was saved.
func (s *Client) card(ctx context.Context, key string, r *payment.ChargeRequest) (customer, method string, err error) {
	customer = r.Customer
	var c *stripe.Customer
	var m *stripe.PaymentMethod
	if strings.HasPrefix(r.Source, "seti_") {
		saved, err := s.client(key).V1SetupIntents.Retrieve(ctx, r.Source, nil)
		if err != nil {
			return "", "", providerError(key, err)
		}
		c, m = saved.Customer, saved.PaymentMethod
	} else {
		saved, err := s.client(key).V1PaymentIntents.Retrieve(ctx, r.Source, nil)
		if err != nil {
			return "", "", providerError(key, err)
		}
		c, m = saved.Customer, saved.PaymentMethod
	}
	if customer == "" && c != nil {
		customer = c.ID
	}
	if m == nil || customer == "" {
		return "", "", &payment.ProviderError{Fault: payment.ProviderRefused,
			Message: "the saved card is not at Stripe any more"}
	}
	return customer, m.ID, nil
}

// FindCharge implements payment.Provider.
func (s *Client) FindCharge(ctx context.Context, key string, r payment.ChargeRequest) (payment.ChargeResult, error) {
	customer, _, err := s.card(ctx, key, &r)
	if err != nil {
		return payment.ChargeResult{}, err
	}
	p := &stripe.PaymentIntentListParams{Customer: stripe.String(customer)}
	p.Limit = stripe.Int64(100)
	all := s.client(key).V1PaymentIntents.List(ctx, p)
	if err := all.Err(); err != nil {
		return payment.ChargeResult{}, providerError(key, err)
	}
	for intent, err := range all.All(ctx) {
		switch {
		case err != nil:
			return payment.ChargeResult{}, providerError(key, err)
		case intent.Metadata[metaCharge] == r.Key && intent.Status != stripe.PaymentIntentStatusRequiresConfirmation:
			return s.ChargeOf(ctx, key, intent.ID)
		}
	}
	return payment.ChargeResult{}, nil
}

// ChargeOf implements payment.Provider.
func (s *Client) ChargeOf(ctx context.Context, key, id string) (payment.ChargeResult, error) {
	p := &stripe.PaymentIntentRetrieveParams{Expand: stripe.StringSlice([]string{"latest_charge"})}
	intent, err := s.client(key).V1PaymentIntents.Retrieve(ctx, id, p)
	if err != nil {
		return payment.ChargeResult{}, providerError(key, err)
	}
	r := chargeOf(intent)
	c := intent.LatestCharge
	if c == nil {
		return r, nil
	}
	refunds, err := s.refunds(ctx, key, id)
	if err != nil {
		return r, err
	}
	for _, refund := range refunds {
		amount := ourAmount(refund.Amount, string(refund.Currency))
		switch refund.Status {
		case stripe.RefundStatusSucceeded:
			r.Refunded += amount
		case stripe.RefundStatusPending, stripe.RefundStatusRequiresAction:
			r.Refunding += amount
		default:
			continue
		}
		part := payment.RefundPart{Amount: amount, Done: refund.Status == stripe.RefundStatusSucceeded}
		part.Payment, _ = payment.ParseID(refund.Metadata[metaPayment])
		r.Refunds = append(r.Refunds, part)
	}
	if c.Disputed {
		r.Dispute, err = s.dispute(ctx, key, id)
	}
	return r, err
}

// dispute returns the state of the latest dispute of a payment.
func (s *Client) dispute(ctx context.Context, key, intent string) (string, error) {
	p := &stripe.DisputeListParams{PaymentIntent: stripe.String(intent)}
	all := s.client(key).V1Disputes.List(ctx, p)
	if err := all.Err(); err != nil {
		return "", providerError(key, err)
	}
	for dispute, err := range all.All(ctx) {
		if err != nil {
			return "", providerError(key, err)
		}
		return string(dispute.Status), nil
	}
	return "disputed", nil
}

// chargeOf reads a payment intent that was to be charged off session.
func chargeOf(i *stripe.PaymentIntent) payment.ChargeResult {
	r := payment.ChargeResult{Intent: i.ID, Status: booking.PaymentFailed}
	switch i.Status {
	case stripe.PaymentIntentStatusSucceeded:
		r.Status = booking.PaymentPaid
		return r
	case stripe.PaymentIntentStatusProcessing, stripe.PaymentIntentStatusRequiresCapture,
		stripe.PaymentIntentStatusRequiresConfirmation:
		r.Status = booking.PaymentProcessing
		return r
	case stripe.PaymentIntentStatusRequiresAction:
		r.Status = booking.PaymentNeedsYou
	}
	r.Error = "the card was declined"
	if e := i.LastPaymentError; e != nil {
		if e.Msg != "" {
			r.Error = e.Msg
		}
		if e.Code == stripe.ErrorCodeAuthenticationRequired || e.DeclineCode == "authentication_required" {
			r.Status = booking.PaymentNeedsYou
		}
	}
	return r
}
