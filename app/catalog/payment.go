package catalog

import "daybook/app/money"

// RefundRule says when a cancellation by the invitee refunds what was paid.
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

// SeriesPayment says which dates of a series are paid online, where anything is.
type SeriesPayment string

const (
	SeriesPayFirst SeriesPayment = "first" // the others are due on site
	SeriesPayAll   SeriesPayment = "all"   // at once
	SeriesPayEach  SeriesPayment = "each"  // the first, and each other one by a link if its invitee likes; else it is due on site
)

// SeriesPayments lists all values of SeriesPayment.
var SeriesPayments = []SeriesPayment{SeriesPayFirst, SeriesPayAll, SeriesPayEach}

// WaitsForPayment reports whether a new booking of the event type waits for a payment, or for a card for its fees.
// It is false if the workspace has no account at the payment provider.
func (s *Setup) WaitsForPayment(e *EventType) bool {
	return s.TakesCards && e.PaysAhead() || s.AsksForFee(e)
}

// AsksForFee reports whether the invitee must agree to a fee, which is possible only on the booking page.
func (s *Setup) AsksForFee(e *EventType) bool { return s.TakesCards && e.TakesFee() }

// PaysOnline reports whether the whole price is paid online.
func (e *EventType) PaysOnline() bool { return e.Price != nil && e.Payment == PayOnline }

// Taxed returns how the event type is taxed now. For nil, a deleted event type, it returns the workspace's rate.
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

// CantCharge returns a sentence for the owner about prices and fees that the event type announces but can't charge
// while no Stripe account is connected; "" if there are none.
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
