package counter

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/id"
	"daybook/app/money"
	"daybook/app/when"
)

// issue makes the receipt of a sale for which nothing is due, with what its bookings were paid before and stands on no receipt
// yet; or, where reverses names one, what stays of that. back are lines besides, of which something was given back: what is left
// of them is one line each.
func (w *saleWork) issue(ctx context.Context, reverses booking.ReceiptID, back map[int]bool) error {
	sale := w.sale
	r := w.newReceipt()
	sale.ReceiptID = nil
	on := map[booking.BookingID]int64{} // of each booking's price, what the receipt is for
	tips := int64(0)
	var items []booking.Booking
	var used []Line                     // what passes paid that carries no tax again
	paid := map[booking.PaymentID]int{} // the payments of the receipt, by the ledger's
	for i := range sale.Payments {
		p := &sale.Payments[i]
		redeemed := p.Pass != nil && p.Pass.TaxedWhenSold
		if p.left() > 0 && !redeemed {
			r.Payments = append(r.Payments, paymentBy(p.Method, p.left(), p.CreatedAt, p.Pass))
		}
		for j := range p.Parts {
			paid[p.Parts[j].PaymentID] = len(r.Payments)
			part := &p.Parts[j]
			if part.BookingID == nil {
				_, tip := sale.asTip(part, part.left())
				tips += tip
			}
			if l := sale.line(part.Line); redeemed && l != nil && part.left() > 0 {
				used = append(used, Line{Kind: RedeemedLine, Text: p.Pass.Title, Amount: -part.left(), TaxRate: l.TaxRate, BookingID: part.BookingID})
			}
		}
	}
	for _, ref := range sale.bookings() {
		if err := w.change(ctx, ref, func(ch *app.Change) error {
			b := ch.Booking
			b.Payments = slices.Clone(b.Payments)
			touched := false
			for i := range b.Payments {
				p := &b.Payments[i]
				_, here := paid[p.ID]
				if p.Receipt != nil && (reverses == 0 || *p.Receipt != reverses) || p.Receipt == nil && !here && reverses != 0 {
					continue
				}
				was := p.Receipt
				if p.Receipt = nil; p.Stays() {
					amount, tip := p.Left()
					on[b.ID] += amount
					tips += tip
					switch {
					case here:
					case p.Pass != nil && p.Pass.TaxedWhenSold:
						used = append(used, redeemedLine(b, p, amount))
					default:
						r.Payments = append(r.Payments, paymentBy(p.Method, amount+tip, p.CreatedAt, p.Pass))
					}
					p.Receipt = &r.ID
				}
				touched = touched || was != p.Receipt
			}
			if touched {
				ch.Note(booking.ActReceipt, "")
			}
			b.ShowMoney(ch.Setup)
			items = append(items, *b)
			return nil
		}); err != nil {
			return err
		}
	}
	w.lines(r, items, on, back)
	if tips != 0 {
		r.Lines = append(r.Lines, Line{Kind: TipLine, Amount: tips})
	}
	r.Lines = append(r.Lines, used...)
	for _, l := range r.Lines {
		r.Total += l.Amount
	}
	took := int64(0)
	for _, p := range r.Payments {
		took += p.Amount
	}
	if took != r.Total {
		return fmt.Errorf("the lines of the receipt of %s are %d, its payments %d", sale.ID, r.Total, took)
	}
	if reverses != 0 && len(r.Payments) == 0 && len(used) == 0 {
		return nil
	}
	r.tax(w.setup.Workspace.Tax)
	if len(items) > 0 {
		r.Start = slices.MinFunc(items, func(a, b booking.Booking) int { return cmp.Compare(a.Start, b.Start) }).Start
	}
	for i := range items {
		b := &items[i]
		if d := depositOf(b); d != nil && d.Currency == sale.Currency {
			if r.Deposit == nil {
				r.Deposit = &money.Money{Currency: d.Currency}
			}
			r.Deposit.Amount += d.Amount
		}
	}
	sale.ReceiptID = &r.ID
	return numbered(w.tx, r)
}

// lines adds what was sold to a receipt. A discount is a line of its own: of one line behind it, of the sale at the end, one for
// each rate of tax.
func (w *saleWork) lines(r *Receipt, items []booking.Booking, on map[booking.BookingID]int64, back map[int]bool) {
	sale := w.sale
	var off []Line // of the sale's discount, by rate
	for i := range sale.Lines {
		l := &sale.Lines[i]
		left := l.Paid
		at := slices.IndexFunc(items, func(b booking.Booking) bool { return l.BookingID != nil && b.ID == *l.BookingID })
		if at >= 0 {
			left = on[*l.BookingID]
		}
		less := back[l.ID] || l.Refunded > 0
		if l.Kind == TipLine || left == 0 && (l.off() == 0 || less) {
			continue
		}
		one := Line{Kind: l.Kind, Text: l.Text, Amount: left, TaxRate: l.TaxRate, BookingID: l.BookingID}
		if l.Quantity > 1 {
			one.Quantity = l.Quantity
		}
		if less {
			one.Quantity = 0
			r.Lines = append(r.Lines, one)
			continue
		}
		taxed := l.taxed()
		full, own, after := taxed.Gross(l.Amount), taxed.Gross(l.Amount-l.OwnDiscount), taxed.Gross(l.Amount-l.off())
		if at >= 0 && left == after {
			b := items[at]
			b.Taxed = &taxed
			for _, s := range serviceLines(&b, w.setup, full) {
				s.BookingID = l.BookingID
				r.Lines = append(r.Lines, s)
			}
		} else {
			one.Amount = left + full - after
			r.Lines = append(r.Lines, one)
		}
		if full != own {
			r.Lines = append(r.Lines, Line{Kind: DiscountLine, Text: l.Discount.Reason, Amount: own - full, TaxRate: l.TaxRate, BookingID: l.BookingID})
		}
		if own != after {
			j := slices.IndexFunc(off, func(x Line) bool { return sameRate(x.TaxRate, l.TaxRate) })
			if j < 0 {
				j, off = len(off), append(off, Line{Kind: DiscountLine, Text: sale.Discount.Reason, TaxRate: l.TaxRate})
			}
			off[j].Amount += after - own
		}
	}
	r.Lines = append(r.Lines, off...)
}

func sameRate(a, b *money.Rate) bool {
	return a == nil && b == nil || a != nil && b != nil && *a == *b
}

// newReceipt returns an empty receipt of the sale.
func (w *saleWork) newReceipt() *Receipt {
	sale := w.sale
	r := &Receipt{ID: id.New[booking.ReceiptIDKind](w.now), Kind: Issued, SaleID: &sale.ID, Business: businessOf(w.setup), Lines: []Line{},
		Taxes: []TaxLine{}, Payments: []Payment{}, Currency: sale.Currency, Customer: sale.Customer, Notice: Notice,
		Start: when.At(w.now), IssuedAt: when.At(w.now), WorkspaceID: w.actor.Workspace, Year: w.now.In(w.setup.Zone).Year()}
	if sale.HostID != nil {
		r.Host = *sale.HostID
	}
	if of := sale.bookings(); len(of) == 1 {
		r.BookingID = of[0]
	}
	for i := range sale.Lines {
		if h := sale.Lines[i].HostID; h != nil && r.Host == 0 {
			r.Host = *h
		}
	}
	return r
}

// reverseReceipt takes the receipt of the sale back by another one, and issues one for what stays.
func (w *saleWork) reverseReceipt(ctx context.Context, back map[int]bool) error {
	old, err := w.tx.Receipt(w.actor.Workspace, *w.sale.ReceiptID)
	if err != nil {
		return err
	}
	if err := numbered(w.tx, old.reversal(w.newReceipt())); err != nil {
		return err
	}
	return w.issue(ctx, old.ID, back)
}
