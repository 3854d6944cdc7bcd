package counter

import (
	"context"
	"fmt"
	"slices"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/id"
	"daybook/app/money"
)

// SaleRefundInput says what of a sale is given back. Left out is everything.
type SaleRefundInput struct {
	Lines    []int               `json:"lines"`    // their ids; nil is everything but the tip first, then the tip
	Amount   *int64              `json:"amount"`   // nil is all that is left of them
	Payments []SaleRefundPayment `json:"payments"` // nil is the newest first
	Restock  *bool               `json:"restock"`  // nil is true
}

// SaleRefundPayment says how much goes back by the way of a payment.
type SaleRefundPayment struct {
	ID     string `json:"id"`
	Amount *int64 `json:"amount"` // nil is what is left of it
}

// The descriptions of what callers send.
var (
	SaleRefundInputFields = field.Resource{
		Text: "What of a sale is given back. The body is optional: left out is everything.",
		Fields: []field.Field{
			{Name: "lines", Text: "Ids of lines. Left out: everything but the tip first, then the tip."},
			{Name: "amount", Text: "In minor units; all that is left of the lines when left out."},
			{Name: "payments", Text: "By which payments it goes back, never more by one than came by it; passes and vouchers, then the newest " +
				"first when left out."},
			{Name: "restock", Text: "Whether products that are wholly given back are counted again; true when left out."},
		},
	}
	SaleRefundPaymentFields = field.Resource{
		Text: "How much goes back by the way of a payment.",
		Fields: []field.Field{
			{Name: "id", Text: "Of one of the sale's payments.", Required: true},
			{Name: "amount", Text: "In minor units; all that is left of it when left out."},
		},
	}
)

// RefundSale gives money of a sale back, all of it or what the input says. What was for a service is due again. The receipt is
// reversed, and what stays stands on a new one. Staff may give back what was taken today. Errors: not_found, forbidden,
// bad_request, conflict nothing_to_refund.
func (s *Service) RefundSale(ctx context.Context, a app.Actor, ref string, in SaleRefundInput) (sale Sale, err error) {
	if err := a.May(app.MayTakeMoney); err != nil {
		return sale, err
	}
	err = s.withSale(ctx, a, ref, nil, func(w *saleWork, _ []booking.Booking) error {
		sale = *w.sale
		w.sale = &sale
		back, err := sale.plan(in)
		if err != nil {
			return err
		}
		return w.giveBack(ctx, back, in.Restock == nil || *in.Restock)
	})
	return sale, err
}

// backed is what of a part of a payment goes back.
type backed struct {
	payment *SalePayment
	part    *SalePart
	amount  int64
}

// plan says what of which part goes back.
func (s *Sale) plan(in SaleRefundInput) (back []backed, err error) {
	for _, n := range in.Lines {
		if s.line(n) == nil {
			return nil, fault.Invalid("lines", "has no line with the id %d", n)
		}
	}
	// Of an amount, what a voucher or pass cost goes back last but for the tip: that ends the pass.
	turn := func(l *SaleLine) int {
		switch {
		case l.Kind == TipLine:
			return 2
		case l.isPass():
			return 1
		}
		return 0
	}
	named := func(l *SaleLine) bool { return l != nil && (in.Lines == nil || slices.Contains(in.Lines, l.ID)) }
	takes := func(now int, part *SalePart) bool {
		l := s.line(part.Line)
		return named(l) && turn(l) == now && part.left() > 0
	}
	left := func(p *SalePayment) (sum int64) {
		for i := range p.Parts {
			if part := &p.Parts[i]; named(s.line(part.Line)) {
				sum += part.left()
			}
		}
		return sum
	}
	all := int64(0)
	for i := range s.Payments {
		all += left(&s.Payments[i])
	}
	if all == 0 {
		return nil, fault.Conflictf("nothing_to_refund", "Nothing is left of this sale to give back.")
	}
	// spread takes n from the parts of a payment, in proportion, and returns what they don't have.
	spread := func(now int, p *SalePayment, n int64) int64 {
		weights, sum := make([]int64, len(p.Parts)), int64(0)
		for i := range p.Parts {
			if part := &p.Parts[i]; takes(now, part) {
				weights[i] = part.left()
				sum += weights[i]
			}
		}
		if p.Pass != nil && p.Pass.Credits > 0 { // each goes back whole
			for i := range weights {
				if weights[i] > 0 && weights[i] <= n {
					back = append(back, backed{p, &p.Parts[i], weights[i]})
					n -= weights[i]
				}
			}
			return n
		}
		n, rest := min(n, sum), n-min(n, sum)
		for i, amount := range share(n, weights) {
			if amount > 0 {
				back = append(back, backed{p, &p.Parts[i], amount})
			}
		}
		return rest
	}
	if in.Payments == nil {
		n := all
		if in.Amount != nil {
			if n = *in.Amount; n < 1 || n > all {
				return nil, fault.Invalid("amount", "must lie between 1 and %d minor units, which is what is left", all)
			}
		}
		for i := len(s.Payments) - 1; i >= 0 && n > 0; i-- { // what is no money first
			if s.Payments[i].Pass != nil {
				n = spread(0, &s.Payments[i], n)
			}
		}
		for now := range 3 {
			for i := len(s.Payments) - 1; i >= 0 && n > 0; i-- {
				if s.Payments[i].Pass == nil {
					n = spread(now, &s.Payments[i], n)
				}
			}
		}
		if n > 0 {
			return nil, fault.Invalid("amount", "leaves %d that only whole credits of a pass could take: give back more or less", n)
		}
		return back, nil
	}
	sum := int64(0)
	seen := map[string]bool{}
	for i, x := range in.Payments {
		at := slices.IndexFunc(s.Payments, func(p SalePayment) bool { return p.ID.String() == x.ID })
		if at < 0 || seen[x.ID] {
			return nil, fault.Invalid(fmt.Sprintf("payments[%d].id", i), "names no payment of this sale, or one twice")
		}
		seen[x.ID] = true
		p := &s.Payments[at]
		most := left(p)
		n := most
		if x.Amount != nil {
			n = *x.Amount
		}
		if n < 1 || n > most {
			return nil, fault.Invalid(fmt.Sprintf("payments[%d].amount", i), "must lie between 1 and %d minor units: what is left of it for these lines", most)
		}
		sum += n
		if rest := spread(2, p, spread(1, p, spread(0, p, n))); rest > 0 {
			return nil, fault.Invalid(fmt.Sprintf("payments[%d].amount", i), "must be that of whole credits")
		}
	}
	if in.Amount != nil && *in.Amount != sum {
		return nil, fault.Invalid("amount", "must be what the payments add up to, %d", sum)
	}
	return back, nil
}

// giveBack gives parts of payments back.
func (w *saleWork) giveBack(ctx context.Context, back []backed, restock bool) error {
	sale := w.sale
	lines := map[int]bool{}
	if err := w.backOnline(back); err != nil {
		return err
	}
	if err := w.ledger().Lock(sale.passes(back)...); err != nil {
		return err
	}
	if err := w.blockPasses(back); err != nil {
		return err
	}
	for _, x := range back {
		if w.actor.Own() && x.payment.CreatedAt < today(w.now, w.setup.Zone) {
			return errNotToday()
		}
		lines[x.part.Line] = true
		x.part.RefundedAmount += x.amount
		x.payment.RefundedAmount += x.amount
	}
	for _, ref := range sale.bookings() {
		var mine []backed
		for _, x := range back {
			if x.part.BookingID != nil && *x.part.BookingID == ref {
				mine = append(mine, x)
			}
		}
		if len(mine) == 0 {
			continue
		}
		if err := w.change(ctx, ref, func(ch *app.Change) error {
			ch.Booking.Payments = slices.Clone(ch.Booking.Payments)
			for _, x := range mine {
				if err := giveBackOf(ch, x.part.PaymentID, x.amount, sale.ID); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			return err
		}
	}
	for _, x := range back {
		var err error
		switch {
		case x.part.BookingID != nil:
		case x.payment.Pass != nil:
			err = w.ledger().GiveBack(x.part.PaymentID, x.amount)
		default:
			err = w.enter(x.part, x.payment.Method, x.amount, x.part.PaymentID)
		}
		if err != nil {
			return err
		}
	}
	sale.count()
	if sale.Status == SaleOpen {
		all := []booking.Booking{}
		for _, ref := range sale.bookings() {
			b, err := w.tx.Booking(w.actor.Workspace, ref)
			if err != nil {
				return err
			}
			all = append(all, b)
		}
		if err := w.catchUp(ctx, all); err != nil {
			return err
		}
		if err := w.discount(ctx, all); err != nil {
			return err
		}
		return w.tx.UpdateSale(sale)
	}
	if sale.Status = SalePartlyBack; sale.Paid == 0 {
		sale.Status = SaleBack
	}
	if restock {
		if err := w.stock(1, func(l *SaleLine) bool { return lines[l.ID] && l.Paid == 0 }); err != nil {
			return err
		}
	}
	if sale.ReceiptID != nil {
		if err := w.reverseReceipt(ctx, lines); err != nil {
			return err
		}
	}
	return w.tx.UpdateSale(sale)
}

func errNotToday() *fault.Error {
	return fault.New(fault.Forbidden, "role", "You can give back what was taken today. Ask a manager or an owner for anything earlier.")
}

// giveBackOf gives so much of a booking's payment back, which has that much left. Its receipt is the caller's concern.
func giveBackOf(ch *app.Change, payment booking.PaymentID, amount int64, of SaleID) error {
	b := ch.Booking
	i := slices.IndexFunc(b.Payments, func(p booking.CounterPayment) bool { return p.ID == payment })
	if i < 0 {
		return fault.Missing("payment", payment.String())
	}
	p := &b.Payments[i]
	ofPrice, ofTip := p.Left()
	p.RefundedAmount += amount
	leftOfPrice, leftOfTip := p.Left()
	ch.NoteAmount(booking.ActGaveBack, money.Money{Amount: amount, Currency: p.Currency})
	e := Entry{ID: id.New[booking.PaymentIDKind](ch.Now), GivesBack: p.ID, SaleID: of, Method: p.Method, Amount: leftOfPrice - ofPrice,
		Tip: leftOfTip - ofTip, Currency: p.Currency}
	if err := enterBack(ch, e, p, amount, ofPrice+ofTip); err != nil {
		return err
	}
	b.ShowMoney(ch.Setup)
	return emit(ch, catalog.PaymentVoided, p)
}

// enterBack writes what is given back of a payment to the ledger: of money, or of the pass that paid, which is all that it took
// where it has credits.
func enterBack(ch *app.Change, e Entry, p *booking.CounterPayment, amount, left int64) error {
	if p.Pass == nil {
		return insertEntry(ch, e)
	}
	if err := wholeCredits(p.Pass, amount, left); err != nil {
		return err
	}
	return ledger(ch).GiveBack(p.ID, amount)
}

// giveBackInSale gives back what a booking, or the sale for what is no service, got of a payment for a sale.
func (s *Service) giveBackInSale(ctx context.Context, a app.Actor, e Entry, amount *int64) error {
	return s.withSale(ctx, a, e.SaleID.String(), nil, func(w *saleWork, _ []booking.Booking) error {
		var of backed
		w.sale.parts(func(p *SalePayment, part *SalePart) {
			if part.PaymentID == e.ID {
				of = backed{p, part, part.left()}
			}
		})
		if of.part == nil {
			return fault.Missing("payment", e.ID.String())
		}
		n, err := howMuch(amount, of.amount)
		if err != nil {
			return err
		}
		of.amount = n
		return w.giveBack(ctx, []backed{of}, true)
	})
}

// giveBackOnReceiptOf gives back what a booking was paid before it was in a sale on whose receipt that stands.
func (s *Service) giveBackOnReceiptOf(ctx context.Context, a app.Actor, sale SaleID, e Entry, amount *int64) error {
	return s.withSale(ctx, a, sale.String(), nil, func(w *saleWork, _ []booking.Booking) error {
		line := 0
		for i := range w.sale.Lines {
			if l := &w.sale.Lines[i]; l.BookingID != nil && *l.BookingID == e.BookingID {
				line = l.ID
			}
		}
		err := w.change(ctx, e.BookingID, func(ch *app.Change) error {
			b := ch.Booking
			b.Payments = slices.Clone(b.Payments)
			i := slices.IndexFunc(b.Payments, func(p booking.CounterPayment) bool { return p.ID == e.ID })
			if i < 0 {
				return fault.Missing("payment", e.ID.String())
			}
			p := &b.Payments[i]
			if a.Own() && p.CreatedAt < today(w.now, w.setup.Zone) {
				return errNotToday()
			}
			ofPrice, ofTip := p.Left()
			n, err := howMuch(amount, ofPrice+ofTip)
			if err != nil {
				return err
			}
			return giveBackOf(ch, e.ID, n, 0)
		})
		if err != nil || w.sale.ReceiptID == nil {
			return err
		}
		if err := w.reverseReceipt(ctx, map[int]bool{line: true}); err != nil {
			return err
		}
		return w.tx.UpdateSale(w.sale)
	})
}

// howMuch returns what is given back of what is left: amount, or with nil all. Errors: bad_request, conflict nothing_to_refund.
func howMuch(amount *int64, left int64) (int64, error) {
	switch {
	case left == 0:
		return 0, fault.Conflictf("nothing_to_refund", "All of this payment was given back already.")
	case amount == nil:
		return left, nil
	case *amount < 1:
		return 0, fault.Invalid("amount", "must be at least 1 minor unit")
	case *amount > left:
		return 0, fault.Invalid("amount", "must lie between 1 and %d minor units, which is what is left of the payment", left)
	}
	return *amount, nil
}
