package app

import (
	"daybook/app/catalog"
)

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

// setDue makes a new booking wait for what is to be paid. Where only a card is to be saved the amount is zero.
func (b *Booking) setDue(e *catalog.EventType) {
	b.NeedsPay, b.Payment = true, &Payment{Status: "unpaid"}
	switch {
	case e.PaysOnline():
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
