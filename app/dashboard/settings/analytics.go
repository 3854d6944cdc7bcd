package settings

import (
	"cmp"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"
	"time"

	"daybook/app/booking"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/app/report"
	"daybook/app/when"
	"daybook/views/dash"
)

// longestSpan is how many days one page covers: as many as Service.Analytics lists.
const longestSpan = 400

var spanPresets = []struct {
	key, label string
	days       int // days up to today; if negative, days from today on
}{{"7", "dash_span_7", 7}, {"30", "dash_span_30", 30}, {"90", "dash_span_90", 90}, {"365", "dash_span_365", 365},
	{"ahead", "dash_span_ahead", -90}}

// span is a range of days in the workspace's zone, [from, to).
type span struct{ from, to time.Time }

func (s span) days() int { return int(math.Round(s.to.Sub(s.from).Hours() / 24)) }

// before returns the span of the same length that ends where s begins.
func (s span) before() span { return span{when.AddDays(s.from, -s.days()), s.from} }

func (s span) input(zone string) report.AnalyticsInput {
	return report.AnalyticsInput{From: when.At(s.from).String(), To: when.At(s.to).String(), TimeZone: zone}
}

// askedSpan reads from and to (the last day), or a preset; without either it is 30 days.
func (c call) askedSpan() (s span, preset string, e *fault.Error) {
	q, today := c.URL.Query(), web.Midnight(c.Now())
	tomorrow := when.AddDays(today, 1)
	s = span{when.AddDays(tomorrow, -30), tomorrow}
	if q.Get("from") == "" && q.Get("to") == "" {
		preset = "30"
		for _, p := range spanPresets {
			switch {
			case p.key == q.Get("span") && p.days > 0:
				s, preset = span{when.AddDays(tomorrow, -p.days), tomorrow}, p.key
			case p.key == q.Get("span"):
				s, preset = span{today, when.AddDays(today, -p.days)}, p.key
			}
		}
		return s, preset, nil
	}
	from, err1 := when.ParseDay(q.Get("from"), c.Zone())
	to, err2 := when.ParseDay(cmp.Or(q.Get("to"), today.Format(time.DateOnly)), c.Zone())
	switch {
	case err1 != nil:
		return s, "", fault.Invalid("from", "say from which day on")
	case err2 != nil || to.Before(from):
		return s, "", fault.Invalid("to", "must be a day, the first one or later")
	}
	asked := span{from, when.AddDays(to, 1)}
	if asked.days() > longestSpan {
		return s, "", fault.Invalid("to", "at most %d days at once", longestSpan)
	}
	return asked, "", nil
}

func (c call) analytics() error {
	s, preset, e := c.askedSpan()
	zone := c.Zone().String()
	now, err := c.Subjects.Report.Analytics(c.Context(), c.Actor, s.input(zone))
	if err != nil {
		return err
	}
	was, err := c.Subjects.Report.Analytics(c.Context(), c.Actor, s.before().input(zone))
	if err != nil {
		return err
	}
	last := when.AddDays(s.to, -1)
	v := dash.AnalyticsPage{Frame: c.Frame(c.T("dash_analytics"), "analytics"), From: s.from.Format(time.DateOnly),
		To: last.Format(time.DateOnly), Problem: c.Sentence(e),
		SpanText: c.Day(s.from) + " – " + c.Day(last), Empty: now.Totals.Total == 0 && len(now.RevenueByMethod) == 0}
	if e != nil {
		v.From, v.To = c.URL.Query().Get("from"), c.URL.Query().Get("to")
	}
	for _, p := range spanPresets {
		v.Spans = append(v.Spans,
			dash.Tab{Label: c.T(p.label), URL: dash.AnalyticsPath + "?span=" + p.key,
				Current: p.key == preset && e == nil})
	}
	v.ExportURL = dash.AnalyticsExportPath + "?" + url.Values{"from": {s.from.Format(time.DateOnly)},
		"to": {last.Format(time.DateOnly)}}.Encode()
	v.Stats = c.analyticsStats(now, was)
	v.Charts = c.charts(now, s)
	for i := range now.ByEventType {
		t := &now.ByEventType[i]
		v.Types = append(v.Types, c.figureRow(cmp.Or(t.Title, t.EventType), &t.Figures,
			now.ByEventType[0].Totals.Total))
	}
	v.People, v.PeopleHint = c.people(now, s)
	if v.Methods = c.methodRows(now.RevenueByMethod); len(v.Methods) > 0 {
		v.Received = c.moneys(now.Revenue)
	}
	v.Note = c.T("dash_analytics_note", "Zone", zone) + " " + c.T("till_revenue_note")
	return c.Show(web.RefusedStatus(e), dash.Analytics(v))
}

func (c call) analyticsStats(now, was *report.Analytics) []dash.Stat {
	count := func(label string, a, b int) dash.Stat {
		s := c.Stat(label, fmt.Sprint(a), "", int64(a), int64(b))
		s.Before = c.T("dash_figure_before", "Before", b)
		return s
	}
	a, b := &now.Totals, &was.Totals
	stats := []dash.Stat{
		count(c.T("dash_bookings"), a.Total, b.Total),
		c.moneyStat(c.T("till_booked_value"), now.Value, was.Value),
		c.moneyStat(c.T("till_revenue"), now.Revenue, was.Revenue),
		{Label: c.T("dash_show_rate"), Value: rate(now.ShowRate), Before: c.T("dash_figure_before", "Before",
			rate(was.ShowRate))},
		{Label: c.T("dash_tab_cancelled"), Value: fmt.Sprint(a.Of(booking.Cancelled)),
			Before: c.T("dash_figure_before", "Before", b.Of(booking.Cancelled))},
		{Label: c.T("dash_no_shows"), Value: fmt.Sprint(a.Of(booking.NoShow)), Before: c.T("dash_figure_before",
			"Before", b.Of(booking.NoShow))},
	}
	if len(now.Tips)+len(was.Tips) > 0 {
		stats = slices.Insert(stats, 3, c.moneyStat(c.T("till_tips_sum"), now.Tips, was.Tips))
	}
	return stats
}

func (c call) moneyStat(label string, now, was []money.Money) dash.Stat {
	s := dash.Stat{Label: label, Value: c.moneys(now), Before: c.T("dash_figure_before", "Before", c.moneys(was))}
	if len(now) == 1 && len(was) == 1 {
		s.Trend = c.Stat("", "", "", now[0].Amount, was[0].Amount).Trend
	}
	return s
}

// methodRows returns what was received by each method; the bar of each is its share of the largest in its currency.
func (c call) methodRows(all []report.MethodRevenue) (rows []dash.MethodRow) {
	most := map[string]int64{}
	for i := range all {
		most[all[i].Currency] = max(most[all[i].Currency], all[i].Amount)
	}
	for i := range all {
		x := &all[i]
		name := c.T("till_online")
		if x.Method != report.Online {
			name = c.MethodName(x.Method)
		}
		rows = append(rows, dash.MethodRow{Name: name, Sum: c.Money(&x.Money),
			Share: float64(max(0, x.Amount)) / float64(max(1, most[x.Currency]))})
	}
	return rows
}

// moneys is "€45.00 + $3.00"; without any it is zero in the workspace's currency.
func (c call) moneys(all []money.Money) string {
	if len(all) == 0 {
		all = []money.Money{{Currency: c.Setup.Workspace.Currency}}
	}
	texts := make([]string, len(all))
	for i := range all {
		texts[i] = c.Money(&all[i])
	}
	return strings.Join(texts, " + ")
}

func rate(r *float64) string {
	if r == nil {
		return "–"
	}
	return fmt.Sprintf("%.0f %%", *r*100)
}

func (c call) figureRow(name string, f *report.Figures, most int) dash.FigureRow {
	t := &f.Totals
	return dash.FigureRow{Name: cmp.Or(name, c.T("dash_figure_deleted")), Total: fmt.Sprint(t.Total),
		Held:      fmt.Sprint(t.Of(booking.StandingStatuses...)),
		Cancelled: fmt.Sprint(t.Of(booking.Cancelled)), NoShow: fmt.Sprint(t.Of(booking.NoShow)),
		ShowRate: rate(f.ShowRate), Value: c.moneys(f.Value), Revenue: c.moneys(f.Revenue),
		Share: float64(t.Total) / float64(max(1, most))}
}
