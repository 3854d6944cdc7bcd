package record

import "daybook/app/catalog"

// PaymentFor is what a booking's payment is for.
type PaymentFor string

const (
	ForPrice PaymentFor = "price"
	ForCard  PaymentFor = "card" // nothing is paid now: a card is saved for the no-show fee
)

// PaymentKinds are all kinds of payment.
var PaymentKinds = []PaymentFor{ForPrice, ForCard}

// PaymentStates are the words that a booking can show for how its payment stands.
var PaymentStates = []string{"unpaid", "processing", "paid", "refunded", "partially_refunded", "failed",
	"requires_action"}

// FeeStates are the words that a booking can show for how its no-show fee stands.
var FeeStates = []string{"pending", "succeeded", "failed", "requires_action", "refunded", "partially_refunded"}

// Payment is the state of an online payment, or of the card to be saved; it is nil if nothing is paid online.
type Payment struct {
	Kind           PaymentFor `json:"kind"`
	Status         string     `json:"status"` // one of PaymentStates
	Amount         int64      `json:"amount"`
	Currency       string     `json:"currency"`
	RefundedAmount int64      `json:"refundedAmount,omitempty"`
	URL            string     `json:"url,omitempty"` // where the invitee pays, while it is due
}

// Fee is the state of a no-show fee.
type Fee struct {
	Status   string `json:"status"` // one of FeeStates
	Amount   int64  `json:"amount"`
	Currency string `json:"currency"`
	URL      string `json:"url,omitempty"` // where the invitee pays it, after the charge has failed
}

// PaymentStatus is the state of a payment; refunds are counted separately.
type PaymentStatus string

const (
	PaymentUnpaid     PaymentStatus = "unpaid"
	PaymentProcessing PaymentStatus = "processing" // the invitee has paid, the money is on its way
	PaymentPaid       PaymentStatus = "paid"
	PaymentFailed     PaymentStatus = "failed"
	PaymentNeedsYou   PaymentStatus = "requires_action" // the card's holder must authenticate it
	PaymentVoid       PaymentStatus = "void"            // no longer needed before it was paid
)

// PaymentStatuses are all states, by their stored code.
var PaymentStatuses = []PaymentStatus{PaymentUnpaid, PaymentProcessing, PaymentPaid, PaymentFailed, PaymentNeedsYou,
	PaymentVoid}

// SetDue makes a new booking wait for its payment. The amount is zero if only a card is to be saved.
func (b *Booking) SetDue(e *catalog.EventType) {
	b.NeedsPay, b.Payment = true, &Payment{Status: "unpaid"}
	switch {
	case e.PaysOnline():
		b.Payment.Amount, b.Payment.Currency = e.Price.Amount, e.Price.Currency
	default:
		b.Payment.Currency = e.NoShowFee.Currency
	}
	b.Payment.Kind = b.Payment.For()
}

// For returns what the payment is for: a price is never zero.
func (p *Payment) For() PaymentFor {
	if p.Amount == 0 {
		return ForCard
	}
	return ForPrice
}
