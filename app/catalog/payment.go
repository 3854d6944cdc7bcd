package catalog

import "daybook/app/money"

// RefundRule says when an invitee's own cancellation refunds what was paid.
type RefundRule string

const (
	RefundAlways       RefundRule = "always"
	RefundWithinNotice RefundRule = "within_notice"
	RefundNever        RefundRule = "never"
)

// PaymentMethod says where a price is paid.
type PaymentMethod string

const (
	PayOnSite PaymentMethod = "on_site"
	PayOnline PaymentMethod = "online"
)

// WantsCard reports whether a new booking of the event type waits for a payment, or for a card for its fees.
// Without an account at the payment provider none does.
func (s *Setup) WantsCard(e *EventType) bool { return s.TakesCards && e.PaysAhead() || s.AsksForFee(e) }

// AsksForFee reports whether the invitee must agree to a fee, which only the person can do, on the booking page.
func (s *Setup) AsksForFee(e *EventType) bool { return s.TakesCards && e.TakesFee() }

// PaysOnline reports whether there is a price that is paid online.
func (e *EventType) PaysOnline() bool { return e.Price != nil && e.Payment == PayOnline }

// Taxed returns how the event type is taxed now. One that is gone (nil) is taxed by the workspace's rate.
func (s *Setup) Taxed(e *EventType) money.Taxed {
	x := s.Workspace.Tax
	if x == nil {
		return money.Taxed{}
	}
	if e != nil && e.TaxRate != nil {
		return money.Taxed{Mode: x.Mode, Rate: *e.TaxRate}
	}
	return money.Taxed{Mode: x.Mode, Rate: x.Rate}
}

// CantCharge tells the owner, in a sentence, what the event type announces but can't charge while no Stripe account is
// connected; "" if nothing.
func (s *Setup) CantCharge(e *EventType) string {
	switch {
	case s.TakesCards:
		return ""
	case e.PaysAhead() && e.TakesFee():
		return "Stripe is not connected. Until it is, the price is paid on site and no fee is charged."
	case e.PaysAhead():
		return "Stripe is not connected. Until it is, the price is paid on site."
	case e.TakesFee():
		return "Stripe is not connected. Until it is, no fee is charged to those who do not come or cancel late."
	}
	return ""
}

// refundRules are the values of RefundOnCancel.
var refundRules = []RefundRule{RefundAlways, RefundWithinNotice, RefundNever}
