package counter

import (
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/money"
)

// serviceLines returns the lines for an amount that was paid of the booking's price, without tips; they add up to it.
// Where it is all of the price they are the service and each of its add-ons, for all seats; else, and where they don't
// make up the price any more, one line.
func serviceLines(b *booking.Booking, s *catalog.Setup, amount int64) []Line {
	var rate *money.Rate
	taxed := money.Taxed{}
	if b.Taxed != nil {
		taxed = *b.Taxed
	}
	if taxed.Mode != "" {
		rate = &taxed.Rate
	}
	title, one := "", Line{Kind: ServiceLine, Amount: amount, TaxRate: rate}
	if e := s.EventTypeByID(b.EventTypeID); e != nil {
		title, one.Text = e.Title, b.Titled(e.Title)
	}
	if amount == 0 {
		return nil
	}
	seats := int64(max(1, b.Seats))
	if len(b.AddOns) == 0 && seats == 1 || title == "" || amount != taxed.Gross(b.Price.Units()) ||
		b.Price.Units()%seats != 0 {
		return []Line{one}
	}
	base := b.Price.Units() / seats
	for _, a := range b.AddOns {
		base -= a.Price.Units()
	}
	if base < 0 {
		return []Line{one}
	}
	lines, rest, most := make([]Line, 0, 1+len(b.AddOns)), amount, 0
	add := func(text string, net int64) {
		l := Line{Kind: ServiceLine, Text: text, Amount: taxed.Gross(net * seats), TaxRate: rate}
		if seats > 1 {
			l.Quantity = int(seats)
		}
		rest -= l.Amount
		if lines = append(lines, l); l.Amount > lines[most].Amount {
			most = len(lines) - 1
		}
	}
	add(title, base)
	for _, a := range b.AddOns {
		add(a.Title, a.Price.Units())
	}
	lines[most].Amount += rest // which rounding the tax of each leaves
	return lines
}
