package settings

import (
	"cmp"
	"fmt"
	"slices"

	"daybook/app/booking"
	"daybook/app/contact"
	"daybook/app/dashboard/web"
	"daybook/app/money"
	"daybook/app/report"
)

// exported are the columns of the statuses: confirmed ones first, then those that wait, then the others.
var exported = slices.SortedStableFunc(slices.Values(booking.Statuses), func(a, b booking.Status) int {
	place := func(s booking.Status) int {
		switch {
		case s.Stands():
			return 0
		case s.Live():
			return 1
		}
		return 2
	}
	return place(a) - place(b)
})

// exportAnalytics writes the figures as one table: a line for the total, and for each day, event type and host, and for
// each method what was received by it.
func (c call) exportAnalytics() error {
	s, _, e := c.askedSpan()
	if e != nil {
		return e
	}
	a, err := c.Subjects.Report.Analytics(c.Context(), c.Actor, s.input(c.Zone().String()))
	if err != nil {
		return err
	}
	c.Attach("figures.csv", "text/csv; charset=utf-8")
	out := contact.NewCSV(c.ResponseWriter)
	heads := []string{"group", "name", "total"}
	for _, s := range exported {
		heads = append(heads, string(s))
	}
	heads = append(heads, "show_rate")
	for _, m := range a.Value {
		heads = append(heads, "value_"+m.Currency)
	}
	received := currencies(a)
	for _, m := range received {
		heads = append(heads, "received_"+m.Currency)
	}
	without := len(heads) - len(received) // what stands before
	heads = append(heads, personHeads(received)...)
	out.Write(heads)
	padded := func(cells []string) { out.Write(append(cells, make([]string, len(heads)-len(cells))...)) }
	line := func(group, name string, f *report.Figures) {
		cells := append([]string{group, name}, counts(&f.Totals, f.ShowRate)...)
		cells = append(cells, inEach(a.Value, f.Value)...)
		padded(append(cells, inEach(received, f.Revenue)...))
	}
	line("all", "", &a.Figures)
	for i := range a.ByDay {
		line("day", a.ByDay[i].Date, &a.ByDay[i].Figures)
	}
	for i := range a.ByEventType {
		line("event type", cmp.Or(a.ByEventType[i].Title, a.ByEventType[i].EventType), &a.ByEventType[i].Figures)
	}
	for i := range a.ByHost {
		h := &a.ByHost[i]
		out.Write(slices.Concat([]string{"host", h.Name}, countCells(&h.PersonFigures), inEach(a.Value, h.Value),
			inEach(received, h.Revenue), personCells(&h.PersonFigures, received)))
	}
	for _, method := range append([]booking.Method{report.Online}, booking.Methods...) {
		var by []money.Money
		for _, x := range a.RevenueByMethod {
			if x.Method == method {
				by = append(by, x.Money)
			}
		}
		if by != nil {
			cells := make([]string, without, len(heads))
			cells[0], cells[1] = "method", string(method)
			padded(append(cells, inEach(received, by)...))
		}
	}
	return out.Flush()
}

// counts are the cells of bookings by status, and of the show rate.
func counts(t *report.Totals, show *float64) []string {
	cells := []string{fmt.Sprint(t.Total)}
	for _, s := range exported {
		cells = append(cells, fmt.Sprint(t.Of(s)))
	}
	return append(cells, part(show))
}

func part(of *float64) string {
	if of == nil {
		return ""
	}
	return fmt.Sprintf("%.4f", *of)
}

func countCells(p *report.PersonFigures) []string { return counts(&p.Totals, p.ShowRate) }

// currencies are those in which anything was received, by anybody.
func currencies(a *report.Analytics) (all []money.Money) {
	add := func(of []money.Money) {
		for _, m := range of {
			if !slices.ContainsFunc(all, func(x money.Money) bool { return x.Currency == m.Currency }) {
				all = append(all, money.Money{Currency: m.Currency})
			}
		}
	}
	add(a.Revenue)
	for i := range a.ByHost {
		add(a.ByHost[i].Revenue)
	}
	return all
}

// personHeads are the heads of personCells: minutes, and what of the money received is for products and tips.
func personHeads(received []money.Money) []string {
	heads := []string{"open_minutes", "booked_minutes", "booked_outside_minutes", "utilisation"}
	for _, m := range received {
		heads = append(heads, "products_"+m.Currency, "tips_"+m.Currency)
	}
	return heads
}

func personCells(p *report.PersonFigures, received []money.Money) (cells []string) {
	for _, n := range []*int64{p.Open, p.Booked, p.BookedOutside} {
		text := "" // not known
		if n != nil {
			text = fmt.Sprint(*n)
		}
		cells = append(cells, text)
	}
	cells = append(cells, part(p.Utilisation))
	for _, m := range received {
		one := []money.Money{m}
		cells = slices.Concat(cells, inEach(one, p.Products), inEach(one, p.Tips))
	}
	return cells
}

// inEach returns the amounts in each of the currencies, as cells.
func inEach(currencies, amounts []money.Money) (cells []string) {
	for _, m := range currencies {
		cells = append(cells,
			web.AmountText(&money.Money{Amount: amountOf(amounts, m.Currency), Currency: m.Currency}))
	}
	return cells
}

func amountOf(all []money.Money, currency string) int64 {
	for _, m := range all {
		if m.Currency == currency {
			return m.Amount
		}
	}
	return 0
}
