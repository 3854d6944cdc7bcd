package counter

import (
	"slices"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/money"
	"daybook/app/when"
)

// SaleID identifies a sale.
type SaleID = booking.SaleID

// SaleStatus is how far a sale has come.
type SaleStatus string

// The statuses of a sale. The words are on the wire, their places in SaleStatuses in the database.
const (
	SaleOpen       SaleStatus = "open"
	SalePaid       SaleStatus = "paid" // nothing is due, and its receipt is made
	SalePartlyBack SaleStatus = "partially_refunded"
	SaleBack       SaleStatus = "refunded"
	SaleVoid       SaleStatus = "void" // it was given up before anything was paid
)

// SaleStatuses lists all statuses, in the order of their stored codes.
var SaleStatuses = []SaleStatus{SaleOpen, SalePaid, SalePartlyBack, SaleBack, SaleVoid}

// The most that a sale has.
const (
	maxLines    = 50
	maxQuantity = 999
)

// Sale is what a customer pays together: services, products, a tip, with its discounts. Amounts are in the minor units of
// Currency. While it is open its lines follow their bookings; it is settled, with one receipt, once nothing is due.
type Sale struct {
	ID         SaleID             `json:"id"`
	Status     SaleStatus         `json:"status"`
	ContactID  *booking.ContactID `json:"contactId"`
	Customer   string             `json:"customer"` // "" where nobody is known, or once the contact is erased
	HostID     *catalog.HostID    `json:"hostId"`   // who sold what is no service; nil is nobody who is a host
	Lines      []SaleLine         `json:"lines"`
	Discount   *Discount          `json:"discount"`   // of the whole
	Discounted int64              `json:"discounted"` // by all discounts, as prices are kept
	Total      int64              `json:"total"`      // to be paid in this sale, with tax and tip
	Paid       int64              `json:"paid"`       // of Total, less what was given back
	Due        int64              `json:"due"`
	Refunded   int64              `json:"refunded"`
	Currency   string             `json:"currency"`
	Payments   []SalePayment      `json:"payments"`
	ReceiptID  *booking.ReceiptID `json:"receiptId"` // that stands; nil until nothing is due, and once all is given back
	By         booking.ActorKind  `json:"by"`
	CreatedAt  when.Instant       `json:"createdAt"`
	PaidAt     *when.Instant      `json:"paidAt"` // null until nothing is due

	WorkspaceID catalog.WorkspaceID `json:"-"`
}

// SaleLine is a line of a sale.
type SaleLine struct {
	ID             int                `json:"id"` // from 1; it stays with the line
	Kind           LineKind           `json:"kind"`
	BookingID      *booking.BookingID `json:"bookingId"`
	ProductID      *catalog.ProductID `json:"productId"`
	PassID         *booking.PassID    `json:"passId"`          // that was sold; nil until the sale is paid
	For            string             `json:"for,omitempty"`   // whom a voucher is for
	Terms          *catalog.PassTerms `json:"terms,omitempty"` // of a pass, as it is sold
	HostID         *catalog.HostID    `json:"hostId"`          // who does or sold it, or whose the tip is; nil is the sale's, or all of its services'
	Text           string             `json:"text"`
	Quantity       int                `json:"quantity"` // of a product, or seats of a booking
	Amount         int64              `json:"amount"`   // of all of them, as prices are kept, before discounts
	Discount       *Discount          `json:"discount"` // of the line alone
	OwnDiscount    int64              `json:"ownDiscount"`
	SharedDiscount int64              `json:"sharedDiscount"`           // its part of the sale's
	DiscountBefore int64              `json:"discountBefore,omitempty"` // what an earlier sale took off the booking's price
	TaxRate        *money.Rate        `json:"taxRate"`
	TaxMode        *money.TaxMode     `json:"taxMode"` // as TaxRate, nil where it is not taxed
	Total          int64              `json:"total"`   // to be paid in this sale
	Paid           int64              `json:"paid"`    // of Total, less what was given back
	Refunded       int64              `json:"refunded"`
}

// taxed returns how the line is taxed.
func (l *SaleLine) taxed() money.Taxed {
	if l.TaxMode == nil || l.TaxRate == nil {
		return money.Taxed{}
	}
	return money.Taxed{Mode: *l.TaxMode, Rate: *l.TaxRate}
}

func (l *SaleLine) setTaxed(x money.Taxed) {
	if l.TaxMode, l.TaxRate = nil, nil; x.Mode != "" {
		l.TaxMode, l.TaxRate = &x.Mode, &x.Rate
	}
}

// off returns what discounts of this sale take off the line.
func (l *SaleLine) off() int64 { return l.OwnDiscount + l.SharedDiscount }

// Due returns what is still to be paid of the line.
func (l *SaleLine) Due() int64 { return max(0, l.Total-l.Paid) }

// SalePayment is money that was taken for a sale.
type SalePayment struct {
	ID             booking.PaymentID `json:"id"`
	Method         booking.Method    `json:"method"`
	Amount         int64             `json:"amount"`
	Tendered       *int64            `json:"tendered,omitempty"` // the cash that was handed over
	Change         *int64            `json:"change,omitempty"`   // Tendered less Amount
	Note           string            `json:"note"`
	RefundedAmount int64             `json:"refundedAmount"`
	Parts          []SalePart        `json:"parts"`
	By             booking.ActorKind `json:"by"`
	CreatedAt      when.Instant      `json:"createdAt"`
	Pass           *booking.PassUse  `json:"pass,omitempty"` // nil is money
}

// left returns what of the payment wasn't given back.
func (p *SalePayment) left() int64 { return p.Amount - p.RefundedAmount }

// SalePart is what of a payment went to a line; of a tip, to one of those who share it.
type SalePart struct {
	Line           int                `json:"line"`
	PaymentID      booking.PaymentID  `json:"paymentId"` // of the ledger, and of the booking's payments
	BookingID      *booking.BookingID `json:"bookingId"` // whose payment it is
	HostID         *catalog.HostID    `json:"hostId"`    // whose it is where there is no booking
	Amount         int64              `json:"amount"`
	RefundedAmount int64              `json:"refundedAmount"`
	Credits        int64              `json:"credits,omitempty"` // of the pass
}

func (p *SalePart) left() int64 { return p.Amount - p.RefundedAmount }

// line returns the line with that id; nil if there is none.
func (s *Sale) line(id int) *SaleLine {
	if i := slices.IndexFunc(s.Lines, func(l SaleLine) bool { return l.ID == id }); i >= 0 {
		return &s.Lines[i]
	}
	return nil
}

// bookings returns the bookings of the sale, in the order of its lines.
func (s *Sale) bookings() (all []booking.BookingID) {
	for i := range s.Lines {
		if b := s.Lines[i].BookingID; b != nil {
			all = append(all, *b)
		}
	}
	return all
}

// parts calls do for each part of each payment.
func (s *Sale) parts(do func(*SalePayment, *SalePart)) {
	for i := range s.Payments {
		p := &s.Payments[i]
		for j := range p.Parts {
			do(p, &p.Parts[j])
		}
	}
}

// count sums up what was paid and given back, by line and in all.
func (s *Sale) count() {
	s.Paid, s.Refunded = 0, 0
	for i := range s.Lines {
		s.Lines[i].Paid, s.Lines[i].Refunded = 0, 0
	}
	s.parts(func(_ *SalePayment, part *SalePart) {
		s.Paid += part.left()
		s.Refunded += part.RefundedAmount
		if l := s.line(part.Line); l != nil {
			l.Paid += part.left()
			l.Refunded += part.RefundedAmount
		}
	})
}

// sees reports whether the actor sees the sale: all do but staff, who see what they sold and what is of their bookings.
func sees(a app.Actor, s *Sale) bool {
	if !a.Own() {
		return true
	}
	is := func(h *catalog.HostID) bool { return h != nil && a.Host != 0 && *h == a.Host }
	return is(s.HostID) || slices.ContainsFunc(s.Lines, func(l SaleLine) bool { return is(l.HostID) })
}
