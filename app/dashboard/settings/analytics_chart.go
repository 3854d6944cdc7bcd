package settings

import (
	"fmt"
	"time"

	"daybook/app/booking"
	"daybook/app/dashboard/web"
	"daybook/app/money"
	"daybook/app/report"
	"daybook/app/when"
	"daybook/views/dash"
)

// stepOf divides a span for a chart, so that its bars can be told apart: the first step, and a function to the next
// one.
func stepOf(s span) (name string, first time.Time, next func(time.Time) time.Time) {
	switch days := s.days(); {
	case days <= 45:
		return "dash_step_day", s.from, func(t time.Time) time.Time { return when.AddDays(t, 1) }
	case days <= 200:
		return "dash_step_week", web.WeekStart(s.from), func(t time.Time) time.Time { return when.AddDays(t, 7) }
	}
	month := func(t time.Time, n time.Month) time.Time {
		return when.DayStart(t.Year(), t.Month()+n, 1, t.Location())
	}
	return "dash_step_month", month(s.from, 0), func(t time.Time) time.Time { return month(t, 1) }
}

// charts returns the bookings, their value, and what was received for them over the span.
func (c call) charts(a *report.Analytics, s span) []dash.Chart {
	name, at, next := stepOf(s)
	currency := c.Setup.Workspace.Currency
	bookings := dash.Chart{ID: "bookings", Title: c.T("dash_bookings"), Step: c.T(name), Series: []dash.Series{
		{Name: c.T("dash_kept"), Class: "kept"}, {Name: c.T("dash_status_pending"), Class: "pending"},
		{Name: c.T("dash_no_shows"),
			Class: "noshow"}, {Name: c.T("dash_tab_cancelled"), Class: "cancelled"},
	}}
	worth := dash.Chart{ID: "worth", Title: c.T("dash_value_in", "Currency", currency), Step: c.T(name),
		Series: []dash.Series{{Name: c.T("dash_value"), Class: "kept"}}}
	received := dash.Chart{ID: "received", Title: c.T("till_revenue_in", "Currency", currency), Step: c.T(name),
		Series: []dash.Series{{Name: c.T("till_revenue"), Class: "kept"}}}
	days := a.ByDay
	for at.Before(s.to) {
		end := next(at)
		var kept, pending, noShow, cancelled, value, revenue int64
		for ; len(days) > 0 && days[0].Date < end.Format(time.DateOnly); days = days[1:] {
			t := &days[0].Totals
			kept, pending = kept+int64(t.Of(booking.StandingStatuses...)), pending+int64(t.Of(booking.Pending))
			noShow, cancelled = noShow+int64(t.Of(booking.NoShow)), cancelled+int64(t.Of(booking.Cancelled))
			value += amountOf(days[0].Value, currency)
			revenue += amountOf(days[0].Revenue, currency)
		}
		label, short := c.stepLabel(name, at)
		count := dash.Bar{Label: label, Short: short, Amounts: []int64{kept, pending, noShow, cancelled}}
		for _, n := range count.Amounts {
			count.Texts = append(count.Texts, fmt.Sprint(n))
		}
		bookings.Bars = append(bookings.Bars, count)
		for to, n := range map[*dash.Chart]int64{&worth: value, &received: revenue} {
			to.Bars = append(to.Bars, dash.Bar{Label: label, Short: short, Amounts: []int64{n},
				Texts: []string{c.Money(&money.Money{Amount: n, Currency: currency})}})
		}
		at = end
	}
	scale(&bookings, 1, func(n int64) string { return fmt.Sprint(n) })
	unit := money.Unit(currency)
	charts := []dash.Chart{bookings}
	for _, of := range []*dash.Chart{&worth, &received} {
		scale(of, unit, func(n int64) string { return fmt.Sprint(n / unit) })
		if of.Top > 0 {
			charts = append(charts, *of)
		}
	}
	return charts
}

func (c call) stepLabel(step string, at time.Time) (label, short string) {
	switch step {
	case "dash_step_week":
		return c.T("dash_week_of", "Day", c.Day(at)), c.Locale.DayOfMonth(at)
	case "dash_step_month":
		return c.Locale.Month(at), c.Locale.ShortMonth(at)
	}
	return c.Day(at), c.Locale.DayOfMonth(at)
}

// scale gives the chart a round maximum, and four steps up to it. Amounts are multiples of unit, so that they read
// well.
func scale(ch *dash.Chart, unit int64, text func(int64) string) {
	most := int64(0)
	for _, b := range ch.Bars {
		sum := int64(0)
		for _, n := range b.Amounts {
			sum += n
		}
		most = max(most, sum)
	}
	if most == 0 {
		return
	}
	for step := unit; ; step *= 10 {
		for _, tenths := range []int64{10, 20, 25, 50} {
			tick := step * tenths / 10
			if tick%unit != 0 || tick*4 < most {
				continue
			}
			ch.Top = tick * 4
			for i := int64(4); i >= 0; i-- {
				ch.Ticks = append(ch.Ticks, text(i*tick))
			}
			return
		}
	}
}
