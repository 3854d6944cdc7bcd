package app

// PaymentStatus is how far a payment has come; what went back is counted apart.
type PaymentStatus string

const (
	PaymentUnpaid     PaymentStatus = "unpaid"
	PaymentProcessing PaymentStatus = "processing" // the invitee has done their part, the money is on its way
	PaymentPaid       PaymentStatus = "paid"
	PaymentFailed     PaymentStatus = "failed"
	PaymentNeedsYou   PaymentStatus = "requires_action" // the card's holder must authenticate it
	PaymentVoid       PaymentStatus = "void"            // not wanted any more before it was paid
)

// PaymentStatuses are all states, by their stored code.
var PaymentStatuses = []PaymentStatus{PaymentUnpaid, PaymentProcessing, PaymentPaid, PaymentFailed, PaymentNeedsYou, PaymentVoid}

// wantsCard reports whether a new booking of the event type waits for a payment, or for a card that a no-show fee can
// be charged to. Without an account at the provider nothing does.
func (s *Setup) wantsCard(e *EventType) bool {
	return s.TakesCards && (e.paysOnline() || e.NoShowFee != nil)
}

func (e *EventType) paysOnline() bool { return e.Price != nil && e.Payment == PayOnline }

// setDue makes a new booking wait for what is to be paid. Where only a card is to be saved the amount is zero.
func (b *Booking) setDue(e *EventType) {
	b.NeedsPay, b.Payment = true, &Payment{Status: "unpaid"}
	switch {
	case e.paysOnline():
		b.Payment.Amount, b.Payment.Currency = e.Price.Amount, e.Price.Currency
	default:
		b.Payment.Currency = e.NoShowFee.Currency
	}
	b.Payment.Kind = b.Payment.kind()
}

// kind is what the payment is for: a price is never zero.
func (p *Payment) kind() PaymentFor {
	if p.Amount == 0 {
		return ForCard
	}
	return ForPrice
}

// CantCharge says what an event type announces that can't be charged while no Stripe account is connected, in a
// sentence for the owner; "" is nothing.
func (s *Setup) CantCharge(e *EventType) string {
	switch {
	case s.TakesCards:
		return ""
	case e.paysOnline() && e.NoShowFee != nil:
		return "Stripe is not connected. Until it is, the price is paid on site and no fee is charged."
	case e.paysOnline():
		return "Stripe is not connected. Until it is, the price is paid on site."
	case e.NoShowFee != nil:
		return "Stripe is not connected. Until it is, no fee is charged to those who do not come."
	}
	return ""
}
