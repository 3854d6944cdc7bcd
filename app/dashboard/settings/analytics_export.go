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
	for _, m := range a.Revenue {
		heads = append(heads, "received_"+m.Currency)
	}
	out.Write(heads)
	line := func(group, name string, f *report.Figures) {
		t := &f.Totals
		cells := []string{group, name, fmt.Sprint(t.Total)}
		for _, s := range exported {
			cells = append(cells, fmt.Sprint(t.Of(s)))
		}
		show := ""
		if f.ShowRate != nil {
			show = fmt.Sprintf("%.4f", *f.ShowRate)
		}
		cells = append(cells, show)
		cells = append(cells, inEach(a.Value, f.Value)...)
		cells = append(cells, inEach(a.Revenue, f.Revenue)...)
		out.Write(cells)
	}
	line("all", "", &a.Figures)
	for i := range a.ByDay {
		line("day", a.ByDay[i].Date, &a.ByDay[i].Figures)
	}
	for i := range a.ByEventType {
		line("event type", cmp.Or(a.ByEventType[i].Title, a.ByEventType[i].EventType), &a.ByEventType[i].Figures)
	}
	for i := range a.ByHost {
		line("host", a.ByHost[i].Name, &a.ByHost[i].Figures)
	}
	for _, method := range append([]booking.Method{report.Online}, booking.Methods...) {
		var by []money.Money
		for _, x := range a.RevenueByMethod {
			if x.Method == method {
				by = append(by, x.Money)
			}
		}
		if by != nil {
			cells := make([]string, len(heads)-len(a.Revenue), len(heads))
			cells[0], cells[1] = "method", string(method)
			out.Write(append(cells, inEach(a.Revenue, by)...))
		}
	}
	return out.Flush()
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
