package counter

import (
	"cmp"
	"math/bits"
	"slices"
	"sort"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/money"
)

// Discount is what is taken off, in percent or as an amount.
type Discount struct {
	Percent *money.Rate `json:"percent,omitempty"` // with two decimals
	Amount  *int64      `json:"amount,omitempty"`  // in minor units, as prices are kept
	Reason  string      `json:"reason"`
}

// MaxReason is how long a reason is at most: it stands on the receipt.
const MaxReason = 120

// DiscountFields describes discounts.
var DiscountFields = field.Resource{
	Text: "What is taken off: `percent` or `amount`, and why.",
	Fields: []field.Field{
		{Name: "percent", Text: "With at most two decimals."},
		{Name: "amount", Text: "In minor units, as prices are kept: with the tax where they contain it, else without."},
		{Name: "reason", Text: "Why; the customer reads it on the receipt.", Most: MaxReason},
	},
}

// check returns bad_request for a discount that says too little or too much. at names its place in the input.
func (d *Discount) check(at string) (err error) {
	if d == nil {
		return nil
	}
	switch {
	case (d.Percent == nil) == (d.Amount == nil):
		return fault.Invalid(at, "needs percent or amount, and not both")
	case d.Percent != nil && (*d.Percent < 10 || *d.Percent > 100_000 || *d.Percent%10 != 0):
		return fault.Invalid(at+".percent", "must lie between 0.01 and 100, with at most two decimals")
	case d.Amount != nil && (*d.Amount < 1 || *d.Amount > maxAmount):
		return fault.Invalid(at+".amount", "must lie between 1 and %d minor units", maxAmount)
	}
	d.Reason, err = fault.CheckLine(at+".reason", d.Reason, 0, MaxReason)
	return err
}

// of returns what the discount takes off an amount: of a percentage, rounded to the nearest minor unit, halves up.
func (d *Discount) of(amount int64) int64 {
	switch {
	case d == nil:
		return 0
	case d.Percent != nil:
		return d.Percent.On(amount)
	}
	return *d.Amount
}

// share divides an amount in proportion to weights, to the unit: each gets the whole units of its part, and those with the
// largest remainders one more, the earlier of equal ones (the method of Hamilton). Weights must not be below zero; where all
// are 0, nobody gets anything.
func share(amount int64, weights []int64) []int64 {
	parts := make([]int64, len(weights))
	sum := int64(0)
	for _, w := range weights {
		sum += w
	}
	if sum == 0 || amount == 0 {
		return parts
	}
	type rest struct {
		of   int
		left uint64
	}
	rests, left := make([]rest, len(weights)), amount
	for i, w := range weights {
		hi, lo := bits.Mul64(uint64(amount), uint64(w))
		whole, rem := bits.Div64(hi, lo, uint64(sum))
		parts[i], rests[i] = int64(whole), rest{i, rem}
		left -= int64(whole)
	}
	slices.SortStableFunc(rests, func(a, b rest) int { return cmp.Compare(b.left, a.left) })
	for i := range left {
		parts[rests[i].of]++
	}
	return parts
}

// reckon brings the lines of an open sale up to date with their bookings, and computes discounts and sums. A booking that no
// longer stands leaves, unless something was paid for it here. A discount that is more than what is open is refused, or, as prices may change
// after it was given, cut if strict is false. Errors: bad_request, also with the reason discount_too_high.
func (s *Sale) reckon(setup *catalog.Setup, bookings []booking.Booking, strict bool) error {
	s.count()
	find := func(l *SaleLine) *booking.Booking {
		i := slices.IndexFunc(bookings, func(b booking.Booking) bool { return b.ID == *l.BookingID })
		if i < 0 || !bookings[i].Status.Stands() {
			return nil
		}
		return &bookings[i]
	}
	s.Lines = slices.DeleteFunc(s.Lines, func(l SaleLine) bool {
		return l.BookingID != nil && l.Paid == 0 && find(&l) == nil
	})
	units := make([][]int64, len(s.Lines)) // of each line, what a discount is shared over
	sum := int64(0)
	for i := range s.Lines {
		l := &s.Lines[i]
		switch {
		case l.Kind == TipLine:
			continue
		case l.BookingID != nil:
			b := find(l)
			if b == nil { // it was cancelled, and what was paid for it stays until it is given back
				l.OwnDiscount, l.SharedDiscount, l.Total = 0, 0, l.Paid
				continue
			}
			l.follow(setup, b)
			if l.paidBefore(b) >= l.gross(b, 0) { // nothing is due, whatever the discount
				if strict && l.Discount.of(l.Amount) > 0 {
					return tooHigh(l, 0, s.Currency)
				}
				l.OwnDiscount, l.SharedDiscount = 0, 0
				continue
			}
			units[i] = unitsOf(b, l.Amount)
		case l.isPass(): // a discount of all is none of it
			l.OwnDiscount, l.SharedDiscount = l.Discount.of(l.Amount), 0
			if l.OwnDiscount > l.Amount {
				return tooHigh(l, l.Amount, s.Currency)
			}
			continue
		default:
			units[i] = []int64{l.Amount}
		}
		if l.OwnDiscount = l.Discount.of(l.Amount); l.OwnDiscount > l.Amount {
			if strict {
				return tooHigh(l, l.Amount, s.Currency)
			}
			l.OwnDiscount = l.Amount
		}
		for j, off := range share(l.OwnDiscount, units[i]) {
			units[i][j] -= off
		}
		sum += l.Amount - l.OwnDiscount
	}
	off := s.Discount.of(sum)
	if off > sum {
		if strict {
			return tooHigh(nil, sum, s.Currency)
		}
		off = sum
	}
	shares := share(off, slices.Concat(units...))
	s.Discounted, s.Total = 0, 0
	for i := range s.Lines {
		l := &s.Lines[i]
		if n := len(units[i]); n > 0 {
			l.SharedDiscount = 0
			for _, part := range shares[:n] {
				l.SharedDiscount += part
			}
			shares = shares[n:]
		}
		switch {
		case l.Kind == TipLine:
			l.Total = l.Amount
		case l.BookingID == nil:
			l.Total = max(l.Paid, l.taxed().Gross(l.Amount-l.off()))
		default:
			b := find(l)
			if b == nil {
				break
			}
			due := l.gross(b, l.off()) - l.paidBefore(b)
			if due < l.Paid && l.off() > 0 {
				over := int64(sort.Search(int(l.off()), func(n int) bool { // as prices are kept, which may be without tax
					return l.gross(b, l.off()-int64(n))-l.paidBefore(b) >= l.Paid
				}))
				if strict {
					return tooHigh(l, l.off()-over, s.Currency)
				}
				cut := min(over, l.SharedDiscount)
				l.SharedDiscount -= cut
				l.OwnDiscount -= over - cut
				due = l.gross(b, l.off()) - l.paidBefore(b)
			}
			l.Total = max(l.Paid, due)
		}
		s.Discounted += l.off()
		s.Total += l.Total
	}
	if strict && s.Total > maxAmount {
		return fault.Invalid("lines", "must not cost more than %d minor units together", maxAmount)
	}
	s.Due = max(0, s.Total-s.Paid)
	return nil
}

func tooHigh(l *SaleLine, most int64, currency string) error {
	of, text := "discount", "The discount is higher than what is open. At most %s can be taken off; what was paid already is given back instead."
	if l != nil && l.Discount != nil {
		of = "lines"
	}
	return fault.New(fault.BadRequest, "discount_too_high", text, money.Money{Amount: most, Currency: currency}.Text()).About(of)
}

// follow brings the line of a booking up to date.
func (l *SaleLine) follow(setup *catalog.Setup, b *booking.Booking) {
	l.HostID, l.Quantity, l.Text = &b.Host.ID, max(1, b.Seats), ""
	e := setup.EventTypeByID(b.EventTypeID)
	if e != nil {
		l.Text = b.Titled(e.Title)
	}
	l.Amount = max(0, b.Price.Units()-l.DiscountBefore)
	if b.Taxed != nil && b.Keeps() {
		l.setTaxed(*b.Taxed)
	} else {
		l.setTaxed(setup.Taxed(e))
	}
}

// gross returns what the booking costs at the counter, with its tax, after a discount. What was
// paid online is no part of it; below zero is by how much that is more than the price. Of a
// booking that was over when it was imported it is nothing.
func (l *SaleLine) gross(b *booking.Booking, off int64) int64 {
	if b.ImportMarks.Has(booking.ImportSettled) {
		return 0
	}
	online, _ := b.PaidOnline()
	return l.taxed().Gross(max(0, l.Amount-off-online)) - max(0, online-(l.Amount-off))
}

// paidBefore returns what was paid for the booking at the counter, other than in this sale.
func (l *SaleLine) paidBefore(b *booking.Booking) (sum int64) {
	for i := range b.Payments {
		amount, _ := b.Payments[i].Left()
		sum += amount
	}
	return sum - l.Paid
}

// unitsOf returns the prices of the service and of each of its add-ons, for all seats; where they don't make up the amount
// any more, the amount.
func unitsOf(b *booking.Booking, amount int64) []int64 {
	seats := int64(max(1, b.Seats))
	base, all := amount, []int64{0}
	for _, a := range b.AddOns {
		all = append(all, a.Price.Units()*seats)
		base -= a.Price.Units() * seats
	}
	if base < 0 || amount != b.Price.Units() {
		return []int64{amount}
	}
	all[0] = base
	return all
}
