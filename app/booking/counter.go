package booking

import (
	"slices"

	"daybook/app/catalog"
	"daybook/app/money"
	"daybook/app/when"
)

// Method is how somebody paid at the counter.
type Method string

const (
	ByCash      Method = "cash"
	ByCard      Method = "card" // at a terminal of the business's own
	ByTransfer  Method = "transfer"
	ByVoucher   Method = "voucher"
	ByOtherWays Method = "other"
)

// Methods lists all methods, in the order of their stored codes.
var Methods = []Method{ByCash, ByCard, ByTransfer, ByVoucher, ByOtherWays}

// TookBy gives, for each method, the action in the history for money taken by it.
var TookBy = map[Method]Action{ByCash: ActTookCash, ByCard: ActTookCard, ByTransfer: ActTookTransfer,
	ByVoucher: ActTookVoucher, ByOtherWays: ActTookOther}

// CounterPayment is a payment at the counter for a booking. One that was given back stays in the list.
type CounterPayment struct {
	ID             PaymentID    `json:"id"`
	Amount         int64        `json:"amount"` // of the price, in minor units
	Tip            int64        `json:"tip"`
	Currency       string       `json:"currency"`
	Method         Method       `json:"method"`
	Note           string       `json:"note"`
	RefundedAmount int64        `json:"refundedAmount"` // of Amount first, then of Tip
	Receipt        *ReceiptID   `json:"receipt"`        // that it stands on; nil until then
	By             ActorKind    `json:"by"`
	CreatedAt      when.Instant `json:"createdAt"`
	Pass           *PassUse     `json:"pass,omitempty"` // what it was paid with; nil is money
}

// PassUse says that a pass or voucher has paid. It is no money: that was received when the pass was sold.
type PassUse struct {
	ID      PassID `json:"id"`
	Title   string `json:"title"`
	Credits int64  `json:"credits,omitempty"` // that it took, of one with credits
	// TaxedWhenSold says that its use carries no tax again: on a receipt it is a line below zero and no payment.
	TaxedWhenSold bool `json:"taxedWhenSold,omitempty"`
}

// Stays reports whether any of the money has not been given back.
func (p CounterPayment) Stays() bool { return p.RefundedAmount < p.Amount+p.Tip }

// Left returns how much has not been given back, of the price and of the tip, in minor units.
func (p *CounterPayment) Left() (amount, tip int64) {
	amount = max(0, p.Amount-p.RefundedAmount)
	return amount, p.Amount + p.Tip - p.RefundedAmount - amount
}

// Keeps reports whether the business still has money for the booking that was taken at the counter. As long as it has,
// the booking's tax is fixed.
func (b *Booking) Keeps() bool { return slices.ContainsFunc(b.Payments, CounterPayment.Stays) }

// PaidOnline returns how much of the price was paid online, in full or as a deposit, and how much of that was refunded,
// in minor units.
func (b *Booking) PaidOnline() (amount, back int64) {
	p := b.Payment
	if p == nil || p.For() == ForCard {
		return 0, 0
	}
	switch p.Status {
	case "paid", "partially_refunded", "refunded":
		return p.Amount, p.RefundedAmount
	}
	return 0, 0
}

// Currency returns the currency of the booking's money: of its price, else of what was last paid for it, else the
// workspace's. All money of a booking that has not been given back is in one currency.
func (b *Booking) Currency(s *catalog.Setup) string {
	switch n := len(b.Payments); {
	case b.Price != nil:
		return b.Price.Currency
	case n > 0:
		return b.Payments[n-1].Currency
	case b.Payment != nil && b.Payment.For() != ForCard:
		return b.Payment.Currency
	}
	return s.Workspace.Currency
}

// ShowMoney sets the amounts paid for the booking, online and at the counter, and the amount due: the rest of the price
// less its discount, with its tax, or nothing if the booking won't take place or didn't. Money refunded online is not due again; money
// given back at the counter is. Of a booking that was over when it was imported nothing is due.
func (b *Booking) ShowMoney(s *catalog.Setup) {
	if b.Payments == nil {
		b.Payments = []CounterPayment{}
	}
	b.Paid, b.Due = nil, nil
	if b.Price == nil && len(b.Payments) == 0 {
		return
	}
	online, back := b.PaidOnline()
	counter := int64(0)
	for i := range b.Payments {
		amount, _ := b.Payments[i].Left()
		counter += amount
	}
	both := [2]money.Money{{Currency: b.Currency(s)}, {Currency: b.Currency(s)}}
	both[0].Amount = online - back + counter
	b.Paid = &both[0]
	if b.Price == nil {
		return
	}
	if b.Status.Live() && !b.ImportMarks.Has(ImportSettled) {
		taxed := b.Taxed
		if taxed == nil || !b.Keeps() {
			now := s.Taxed(s.EventTypeByID(b.EventTypeID))
			taxed = &now
		}
		both[1].Amount = max(0, taxed.Gross(max(0, b.Price.Amount-b.Discount.Units()-online))-counter)
	}
	b.Due = &both[1]
}
