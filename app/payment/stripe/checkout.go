package stripe

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/stripe/stripe-go/v85"

	"daybook/app/money"
	"daybook/app/payment"
)

// OpenCheckout implements payment.Provider.
func (s *Client) OpenCheckout(ctx context.Context, key string,
	r payment.CheckoutRequest) (payment.CheckoutResult, error) {
	p := checkoutParams(&r)
	p.SetIdempotencyKey(r.ID.String())
	session, err := s.client(key).V1CheckoutSessions.Create(ctx, p)
	if err != nil {
		return payment.CheckoutResult{}, providerError(key, err)
	}
	return resultOf(session), nil
}

func checkoutParams(r *payment.CheckoutRequest) *stripe.CheckoutSessionCreateParams {
	meta, reference := map[string]string{metaWorkspace: r.Workspace.String(), metaCheckout: r.ID.String()}, r.ID.String()
	if r.Booking != 0 {
		reference = r.Booking.String()
		meta[metaBooking] = reference
	}
	if r.Payment != 0 {
		meta[metaPayment] = r.Payment.String()
	}
	p := &stripe.CheckoutSessionCreateParams{
		ClientReferenceID: stripe.String(reference), CustomerCreation: stripe.String("always"),
		SuccessURL: stripe.String(r.SuccessURL), CancelURL: stripe.String(r.CancelURL),
		ExpiresAt: stripe.Int64(int64(r.ExpiresAt) / 1000), Locale: stripe.String(checkoutLocale(r.Locale)), Metadata: meta,
	}
	if r.Email != "" {
		p.CustomerEmail = stripe.String(r.Email)
	}
	if r.Wording != "" {
		p.CustomText = &stripe.CheckoutSessionCreateCustomTextParams{
			Submit: &stripe.CheckoutSessionCreateCustomTextSubmitParams{Message: stripe.String(r.Wording)},
		}
	}
	if r.SaveCard { // a fee is charged in the invitee's absence, which only works with cards
		p.PaymentMethodTypes = stripe.StringSlice([]string{"card"})
	}
	if r.Money.Amount == 0 {
		p.Mode = stripe.String("setup")
		p.SetupIntentData = &stripe.CheckoutSessionCreateSetupIntentDataParams{Metadata: meta}
		return p
	}
	p.Mode = stripe.String("payment")
	p.LineItems = lineItems(r)
	p.PaymentIntentData = &stripe.CheckoutSessionCreatePaymentIntentDataParams{
		Description: stripe.String(shortened(r.Title)), Metadata: meta,
	}
	if r.SaveCard {
		p.PaymentIntentData.SetupFutureUsage = stripe.String("off_session")
	}
	return p
}

// mostDescribed is how many characters of a description Stripe takes: it was seen to refuse 500.
const mostDescribed = 499

// shortened returns the beginning of a text that is too long for a description.
func shortened(text string) string {
	if all := []rune(text); len(all) > mostDescribed {
		return string(all[:mostDescribed-1]) + "…"
	}
	return text
}

// lineItems returns what the page lists: what is paid, of a visit for each of its bookings.
func lineItems(r *payment.CheckoutRequest) (all []*stripe.CheckoutSessionCreateLineItemParams) {
	shares := r.Shares
	if len(shares) == 0 {
		shares = []payment.CheckoutShare{{Amount: r.Money.Amount, Title: r.Title}}
	}
	for _, share := range shares {
		if share.Amount == 0 {
			continue
		}
		due := money.Money{Amount: share.Amount, Currency: r.Money.Currency}
		all = append(all, &stripe.CheckoutSessionCreateLineItemParams{
			Quantity: stripe.Int64(1),
			PriceData: &stripe.CheckoutSessionCreateLineItemPriceDataParams{
				Currency: lower(due.Currency), UnitAmount: stripe.Int64(stripeAmount(due)),
				ProductData: &stripe.CheckoutSessionCreateLineItemPriceDataProductDataParams{Name: stripe.String(share.Title)},
			},
		})
	}
	return all
}

// checkoutLocales are the languages of Stripe's payment page.
var checkoutLocales = strings.Fields(`bg cs da de el en en-GB es es-419 et fi fil fr fr-CA hr hu id it ja ko lt lv ms
	mt nb nl pl pt pt-BR ro ru sk sl sv th tr vi zh zh-HK zh-TW`)

func checkoutLocale(locale string) string {
	language, _, _ := strings.Cut(locale, "-")
	for _, known := range []string{locale, language} {
		if slices.Contains(checkoutLocales, known) {
			return known
		}
	}
	return "auto"
}

// Checkout implements payment.Provider.
func (s *Client) Checkout(ctx context.Context, key, session string) (payment.CheckoutResult, error) {
	p := &stripe.CheckoutSessionRetrieveParams{Expand: stripe.StringSlice([]string{"payment_intent"})}
	c, err := s.client(key).V1CheckoutSessions.Retrieve(ctx, session, p)
	if err != nil {
		return payment.CheckoutResult{}, providerError(key, err)
	}
	return resultOf(c), nil
}

// ExpireCheckout implements payment.Provider. Stripe refuses to close a page that is closed: then it returns its state.
func (s *Client) ExpireCheckout(ctx context.Context, key, session string) (payment.CheckoutResult, error) {
	p := &stripe.CheckoutSessionExpireParams{}
	p.SetIdempotencyKey(session + "/expire")
	c, err := s.client(key).V1CheckoutSessions.Expire(ctx, session, p)
	var e *stripe.Error
	if errors.As(err, &e) && e.HTTPStatusCode == http.StatusBadRequest {
		return s.Checkout(ctx, key, session)
	}
	if err != nil {
		return payment.CheckoutResult{}, providerError(key, err)
	}
	return resultOf(c), nil
}

func resultOf(c *stripe.CheckoutSession) payment.CheckoutResult {
	r := payment.CheckoutResult{Session: c.ID, Stage: stageOf(string(c.Status), string(c.PaymentStatus), string(c.Mode)),
		Currency: strings.ToUpper(string(c.Currency))}
	r.Checkout, _ = payment.ParseCheckoutID(c.Metadata[metaCheckout])
	r.Amount = ourAmount(c.AmountTotal, r.Currency)
	if r.Stage == payment.CheckoutOpen {
		r.URL = c.URL
	}
	if c.Customer != nil {
		r.Customer = c.Customer.ID
	}
	switch {
	case c.PaymentIntent != nil:
		r.Intent = c.PaymentIntent.ID
		switch c.PaymentIntent.Status { // "" unless it was asked for
		case stripe.PaymentIntentStatusRequiresPaymentMethod, stripe.PaymentIntentStatusCanceled:
			r.Failed = r.Stage == payment.CheckoutProcessing
		}
	case c.SetupIntent != nil:
		r.Intent = c.SetupIntent.ID
	}
	return r
}

func stageOf(status, paid, mode string) payment.CheckoutStage {
	switch {
	case status == "expired":
		return payment.CheckoutExpired
	case status != "complete":
		return payment.CheckoutOpen
	case mode == "setup", paid == "paid", paid == "no_payment_required":
		return payment.CheckoutComplete
	}
	return payment.CheckoutProcessing
}
