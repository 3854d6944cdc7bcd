package booking

import (
	"slices"

	"daybook/app/catalog"
	"daybook/app/money"
)

// PaymentFor says what a booking's payment is for.
type PaymentFor string

const (
	ForPrice   PaymentFor = "price"
	ForDeposit PaymentFor = "deposit" // a part of the price: the rest is paid on site
	ForCard    PaymentFor = "card"    // nothing is paid now: a card is saved for a fee
)

// PaymentKinds lists all kinds of payment.
var PaymentKinds = []PaymentFor{ForPrice, ForDeposit, ForCard}

// ForFee is what a saved card, or a payment that was charged to it, is for.
const ForFee PaymentFor = "fee"

// Purposes lists what any payment can be for.
var Purposes = []PaymentFor{ForPrice, ForDeposit, ForFee}

// PaymentStates lists the words for the state of a payment that a booking can show.
var PaymentStates = []string{"unpaid", "processing", "paid", "refunded", "partially_refunded", "failed",
	"requires_action"}

// FeeStates lists the words for the state of a fee for a no-show or a late cancellation that a booking can show.
var FeeStates = []string{"pending", "succeeded", "failed", "requires_action", "refunded", "partially_refunded"}

// Payment is the state of an online payment, or of the card to be saved; it is nil if nothing is paid online.
type Payment struct {
	Kind           PaymentFor `json:"kind"`
	Status         string     `json:"status"` // one of PaymentStates
	Amount         int64      `json:"amount"`
	Currency       string     `json:"currency"`
	RefundedAmount int64      `json:"refundedAmount,omitempty"`
	URL            string     `json:"url,omitempty"` // where the invitee pays, while it is due
	Purpose        PaymentFor `json:"for,omitempty"` // one of Purposes; see Show
}

// Fee is the state of a fee for a no-show or a late cancellation.
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

// PaymentStatuses lists all states, in the order of their stored codes.
var PaymentStatuses = []PaymentStatus{PaymentUnpaid, PaymentProcessing, PaymentPaid, PaymentFailed, PaymentNeedsYou,
	PaymentVoid}

// SetDue makes a new booking wait for its payment, and fixes its late fee and, if it is priced, its deposit. The amount is
// zero if only a card is to be saved: always of one that isn't priced, such as a later date of a series.
func (b *Booking) SetDue(e *catalog.EventType, priced bool) {
	if priced {
		b.Deposit = e.DepositDue()
	}
	if b.LateFee = e.LateCancellationFee; b.LateFee != nil {
		b.LateNotice = e.CancellationNoticeMinutes
	}
	b.NeedsPay, b.Payment = true, &Payment{Status: "unpaid"}
	due := money.Money{}
	switch {
	case b.Deposit != nil:
		b.Payment.Kind, due = ForDeposit, *b.Deposit
	case priced && e.PaysOnline():
		due = *e.Price
	case e.NoShowFee != nil:
		due.Currency = e.NoShowFee.Currency
	default:
		due.Currency = b.LateFee.Currency
	}
	b.Payment.Amount, b.Payment.Currency = due.Amount, due.Currency
	b.Payment.Kind = b.Payment.For()
}

// Show returns the payment as it is shown, with its purpose.
func (p *Payment) Show() *Payment {
	shown := *p
	if shown.Kind = p.For(); shown.Kind == ForCard {
		shown.Purpose = ForFee
	} else {
		shown.Purpose = shown.Kind
	}
	return &shown
}

// For returns what the payment is for. Without an amount it is for saving a card: a price or a deposit is never zero.
func (p *Payment) For() PaymentFor {
	switch {
	case p.Amount == 0:
		return ForCard
	case p.Kind == ForDeposit:
		return ForDeposit
	}
	return ForPrice
}

// PaidOnline returns the payment of a visit, the sum of those of its bookings; nil where nothing is paid online. What was
// never paid of a cancelled booking isn't in it.
func (v *Visit) PaidOnline() *Payment {
	var sum, card *Payment
	if len(v.Items) == 1 && v.Items[0].Payment != nil {
		own := *v.Items[0].Payment
		own.URL = ""
		return &own
	}
	for i := range v.Items {
		p := v.Items[i].Payment
		if p != nil && p.Amount == 0 && v.Items[i].Status.Live() && card == nil { // only a card is saved
			card = &Payment{Kind: p.For(), Status: p.Status, Currency: p.Currency}
		}
		if p == nil || p.Amount == 0 || v.Items[i].Status == Cancelled && (p.Status == "unpaid" || p.Status == "failed") {
			continue
		}
		switch {
		case sum == nil:
			sum = &Payment{Kind: p.For(), Status: p.Status, Amount: p.Amount, Currency: p.Currency, RefundedAmount: p.RefundedAmount}
			continue
		case p.For() == ForDeposit:
			sum.Kind = ForDeposit
		}
		sum.Amount, sum.RefundedAmount = sum.Amount+p.Amount, sum.RefundedAmount+p.RefundedAmount
		if urgency(p.Status) < urgency(sum.Status) {
			sum.Status = p.Status
		}
	}
	if sum == nil {
		return card
	}
	if sum.RefundedAmount == 0 {
		return sum
	}
	switch sum.Status {
	case "paid", "refunded", "partially_refunded":
		sum.Status = "partially_refunded"
		if sum.RefundedAmount >= sum.Amount {
			sum.Status = "refunded"
		}
	}
	return sum
}

// urgency orders the states of payments: that of a visit is the first of its bookings'.
func urgency(status string) int { return slices.Index(visitStates, status) }

var visitStates = []string{"unpaid", "failed", "requires_action", "processing", "paid", "partially_refunded", "refunded"}
