package stripe

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/stripe/stripe-go/v85"

	"daybook/app/payment"
	"daybook/app/when"
)

// EventKinds are the events that the webhook endpoint at Stripe should be subscribed to.
var EventKinds = []string{
	"checkout.session.completed", "checkout.session.async_payment_succeeded", "checkout.session.async_payment_failed",
	"checkout.session.expired",
	"payment_intent.succeeded", "payment_intent.payment_failed", "charge.refunded", "refund.created", "refund.updated",
	"refund.failed",
	"charge.dispute.created", "charge.dispute.updated", "charge.dispute.closed",
}

// object has the fields that the events' objects have in common, in all versions of Stripe's API.
type object struct {
	ID            string            `json:"id"`
	Status        string            `json:"status"`
	PaymentStatus string            `json:"payment_status"`
	Mode          string            `json:"mode"`
	PaymentIntent reference         `json:"payment_intent"`
	SetupIntent   reference         `json:"setup_intent"`
	Customer      reference         `json:"customer"`
	AmountTotal   int64             `json:"amount_total"`
	Currency      string            `json:"currency"`
	Metadata      map[string]string `json:"metadata"`
}

// reference is an id, or an object that has one.
type reference string

func (r *reference) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '{' {
		var o struct{ ID string }
		err := json.Unmarshal(text, &o)
		*r = reference(o.ID)
		return err
	}
	var id *string
	if err := json.Unmarshal(text, &id); err != nil || id == nil {
		return err
	}
	*r = reference(*id)
	return nil
}

// eventOf reads what concerns us of an event.
func eventOf(e *stripe.Event) (payment.ProviderEvent, error) {
	out := payment.ProviderEvent{ID: e.ID, Kind: string(e.Type)}
	if !slices.Contains(EventKinds, out.Kind) || e.Data == nil {
		return out, nil
	}
	var o object
	if err := json.Unmarshal(e.Data.Raw, &o); err != nil {
		return out, err
	}
	out.Payment, _ = payment.ParseID(o.Metadata[metaPayment])
	switch {
	case strings.HasPrefix(out.Kind, "checkout.session."):
		r := &payment.CheckoutResult{
			Session: o.ID, Stage: stageOf(o.Status, o.PaymentStatus, o.Mode),
			Failed:   strings.HasSuffix(out.Kind, ".async_payment_failed"),
			Customer: string(o.Customer), Intent: string(o.PaymentIntent), Currency: strings.ToUpper(o.Currency),
		}
		r.Amount = ourAmount(o.AmountTotal, r.Currency)
		r.Checkout, _ = payment.ParseCheckoutID(o.Metadata[metaCheckout])
		if r.Intent == "" {
			r.Intent = string(o.SetupIntent)
		}
		out.Checkout = r
	case strings.HasPrefix(out.Kind, "payment_intent."):
		out.Intent = o.ID
	default: // a charge, a refund, a dispute
		out.Intent = string(o.PaymentIntent)
	}
	return out, nil
}

// Events implements payment.Provider.
func (s *Client) Events(ctx context.Context, key string, since when.Instant,
	each func(payment.ProviderEvent) error) error {
	p := &stripe.EventListParams{CreatedRange: &stripe.RangeQueryParams{GreaterThanOrEqual: int64(since) / 1000},
		Types: stripe.StringSlice(EventKinds)}
	p.Limit = stripe.Int64(100)
	all := s.client(key).V1Events.List(ctx, p)
	if err := all.Err(); err != nil {
		return providerError(key, err)
	}
	var found []payment.ProviderEvent
	for e, err := range all.All(ctx) {
		if err != nil {
			return providerError(key, err)
		}
		event, err := eventOf(e)
		if err != nil {
			return err
		}
		found = append(found, event)
	}
	for _, e := range slices.Backward(found) { // Stripe lists the newest first
		if err := each(e); err != nil {
			return err
		}
	}
	return nil
}
