package counter

import (
	"fmt"
	"slices"

	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/field"
)

// SaleInput says what is sold.
type SaleInput struct {
	Lines     []SaleLineInput    `json:"lines"`
	Discount  *Discount          `json:"discount"`  // of the whole
	ContactID string             `json:"contactId"` // "" is the contact of its first booking, or nobody
	HostID    string             `json:"hostId"`    // "" is the actor's own host, or nobody
	Payments  []SalePaymentInput `json:"payments"`
}

// SaleLineInput is a line of a new sale.
type SaleLineInput struct {
	Kind      LineKind  `json:"kind"`
	BookingID string    `json:"bookingId"`
	VisitID   string    `json:"visitId"` // instead of BookingID: a line for each of its bookings
	ProductID string    `json:"productId"`
	For       string    `json:"for"`
	Quantity  *int      `json:"quantity"`
	Amount    *int64    `json:"amount"`
	HostID    string    `json:"hostId"`
	Discount  *Discount `json:"discount"`
}

// SalePaymentInput is money that is taken for a sale.
type SalePaymentInput struct {
	Method   booking.Method `json:"method"`
	Amount   int64          `json:"amount"`
	Tendered *int64         `json:"tendered"`
	Note     string         `json:"note"`
	Pass     string         `json:"pass"` // the code or id of the pass that pays, in place of money; "" is none

	known booking.PassID // that Pass means, see resolve
}

// MaxFor is how long a voucher says at most whom it is for.
const MaxFor = 120

// saleLines are the kinds of lines that a sale has.
var saleLines = []LineKind{ServiceLine, ProductLine, PassLine, VoucherLine, TipLine}

// The descriptions of what callers send.
var (
	SaleInputFields = field.Resource{
		Text: "What is sold, and how it is paid.",
		Fields: []field.Field{
			{Name: "lines", Text: "Services, products and a tip: 1 to 50.", Required: true},
			{Name: "discount", Text: "What is taken off all of it but tips."},
			{Name: "contactId", Text: "The customer; that of the first booking when left out."},
			{Name: "hostId", Text: "The host who sold what is no service; the caller's own host when left out."},
			{Name: "payments", Text: "How it is paid at once, all or none; left out, the sale is open. An empty list settles a sale " +
				"that costs nothing."},
		},
	}
	SaleLineInputFields = field.Resource{
		Text: "A line of a sale.",
		Fields: []field.Field{
			{Name: "kind", Text: "What it is.", Enum: field.Values(saleLines...), Required: true},
			{Name: "bookingId", Text: "Of a `service`: the booking that is paid."},
			{Name: "visitId", Text: "Of a `service`, instead of `bookingId`: a visit, each of whose bookings becomes a line."},
			{Name: "productId", Text: "Of a `product`, or of a `pass`: a product with `pass`."},
			{Name: "quantity", Text: "Of a `product`: how many; 1 when left out."},
			{Name: "amount", Text: "Of a `tip` or a `voucher`: in minor units."},
			{Name: "for", Text: "Of a `voucher`: whom it is for, as it is printed.", Most: MaxFor},
			{Name: "hostId", Text: "Of a `product`, `pass` or `voucher`, who sold it; of a `tip`, whose it is. A tip without it is shared over the " +
				"hosts of the services by what they cost."},
			{Name: "discount", Text: "What is taken off this line; not of a tip."},
		},
	}
	SalePaymentInputFields = field.Resource{
		Text: "Money that is taken for a sale. A tip is a line of the sale.",
		Fields: []field.Field{
			{Name: "method", Text: "How it is paid; of a pass it is `voucher`, and can be left out.", Enum: field.Values(booking.Methods...)},
			{Name: "amount", Text: "What counts, in minor units; at most what is due. Of a pass left out: as much as it can pay."},
			{Name: "pass", Text: "The code or the id of a pass or voucher that pays instead of money, as far as it covers what is sold.", Most: booking.MaxPassRef},
			{Name: "tendered", Text: "The cash that was handed over, at least `amount`; the answer says the change."},
			{Name: "note", Text: "For the business.", Most: MaxNote},
		},
	}
)

func (in *SaleInput) check() error {
	var p fault.Problems
	if n := len(in.Lines); n < 1 || n > maxLines {
		p.Add(fault.Invalid("lines", "must have 1 to %d lines", maxLines))
	}
	tips := 0
	for i := range in.Lines {
		if in.Lines[i].Kind == TipLine {
			tips++
		}
		p.Add(in.Lines[i].check(fmt.Sprintf("lines[%d]", i)))
	}
	if tips > 1 {
		p.Add(fault.Invalid("lines", "may have one tip"))
	}
	p.Add(in.Discount.check("discount"))
	p.Add(checkPayments(in.Payments))
	return p.Err()
}

func (l *SaleLineInput) check(at string) error {
	var p fault.Problems
	only := func(set bool, name string, kinds ...LineKind) {
		if set && !slices.Contains(kinds, l.Kind) {
			p.Add(fault.Invalid(at+"."+name, "is only for a %s", kinds[0]))
		}
	}
	only(l.BookingID != "", "bookingId", ServiceLine)
	only(l.VisitID != "", "visitId", ServiceLine)
	only(l.ProductID != "", "productId", ProductLine, PassLine)
	only(l.Quantity != nil, "quantity", ProductLine)
	only(l.Amount != nil, "amount", TipLine, VoucherLine)
	only(l.For != "", "for", VoucherLine)
	var err error
	l.For, err = fault.CheckLine(at+".for", l.For, 0, MaxFor)
	p.Add(err)
	switch l.Kind {
	case ServiceLine:
		if (l.BookingID == "") == (l.VisitID == "") {
			p.Add(fault.Invalid(at+".bookingId", "is required: the booking that is paid, or visitId"))
		}
		if l.HostID != "" {
			p.Add(fault.Invalid(at+".hostId", "is the booking's, and can't be said here"))
		}
	case ProductLine, PassLine:
		if l.ProductID == "" {
			p.Add(fault.Invalid(at+".productId", "is required"))
		}
		if l.Quantity != nil && (*l.Quantity < 1 || *l.Quantity > maxQuantity) {
			p.Add(fault.Invalid(at+".quantity", "must lie between 1 and %d", maxQuantity))
		}
	case TipLine, VoucherLine:
		if l.Amount == nil || *l.Amount < 1 || *l.Amount > maxAmount {
			p.Add(fault.Invalid(at+".amount", "is required, between 1 and %d minor units", maxAmount))
		}
		if l.Discount != nil && l.Kind == TipLine {
			p.Add(fault.Invalid(at+".discount", "can't be taken off a tip"))
		}
	default:
		p.Add(fault.Invalid(at+".kind", "must be service, product, pass, voucher or tip"))
	}
	p.Add(l.Discount.check(at + ".discount"))
	return p.Err()
}

func checkPayments(all []SalePaymentInput) (err error) {
	var p fault.Problems
	if len(all) > maxPayments {
		p.Add(fault.Invalid("payments", "must be at most %d", maxPayments))
	}
	for i := range all {
		in, at := &all[i], fmt.Sprintf("payments[%d]", i)
		if in.Pass != "" {
			p.Add(in.checkPass(at))
			continue
		}
		if in.Amount < 1 || in.Amount > maxAmount {
			p.Add(fault.Invalid(at+".amount", "must lie between 1 and %d minor units", maxAmount))
		}
		if !slices.Contains(booking.Methods, in.Method) {
			p.Add(fault.Invalid(at+".method", "must be cash, card, transfer, voucher or other"))
		}
		if in.Tendered != nil {
			switch {
			case in.Method != booking.ByCash:
				p.Add(fault.Invalid(at+".tendered", "is only for cash"))
			case *in.Tendered < in.Amount || *in.Tendered > maxAmount:
				p.Add(fault.Invalid(at+".tendered", "must be at least the amount, and at most %d minor units", maxAmount))
			}
		}
		in.Note, err = fault.CheckText(at+".note", in.Note, MaxNote)
		p.Add(err)
	}
	return p.Err()
}

// checkPass checks a payment by a pass, which has no money of its own.
func (in *SalePaymentInput) checkPass(at string) (err error) {
	var p fault.Problems
	if in.Method == "" {
		in.Method = booking.ByVoucher
	}
	if in.Method != booking.ByVoucher {
		p.Add(fault.Invalid(at+".method", "must be voucher for a pass, or left out"))
	}
	if in.Amount < 0 || in.Amount > maxAmount {
		p.Add(fault.Invalid(at+".amount", "must lie between 1 and %d minor units, or be left out", maxAmount))
	}
	if in.Tendered != nil {
		p.Add(fault.Invalid(at+".tendered", "is only for cash"))
	}
	if len(in.Pass) > booking.MaxPassRef {
		p.Add(fault.Invalid(at+".pass", "is the code or the id of a pass"))
	}
	in.Note, err = fault.CheckText(at+".note", in.Note, MaxNote)
	p.Add(err)
	return p.Err()
}

// discounts reports whether the input takes anything off.
func (in *SaleInput) discounts() bool {
	return in.Discount != nil || slices.ContainsFunc(in.Lines, func(l SaleLineInput) bool { return l.Discount != nil })
}
