package dashboard

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"

	"daybook/app"
	"daybook/views"
)

const analyticsPath = "/dashboard/analytics"

const maxSpan = 366 // days

// span is the asked days: from the first to the last one.
func (c *call) analyticsSpan() (first, last time.Time, problem string) {
	q, today := c.URL.Query(), midnight(c.now())
	days := 30
	if n, err := strconv.Atoi(q.Get("days")); err == nil && n >= 1 && n <= maxSpan {
		days = n
	}
	first, last = today.AddDate(0, 0, 1-days), today
	if q.Get("from") == "" && q.Get("to") == "" {
		return first, last, ""
	}
	last = dayOr(q.Get("to"), c.zone(), today)
	first = dayOr(q.Get("from"), c.zone(), last.AddDate(0, 0, 1-days))
	switch {
	case first.After(last):
		return last, last, "The first day must not lie after the last."
	case last.Sub(first) > maxSpan*24*time.Hour+time.Hour:
		return last.AddDate(0, 0, 1-maxSpan), last, "At most a year can be shown at once; these are its last days."
	}
	return first, last, ""
}

func (c *call) analyticsOf(first, last time.Time) (*app.Analytics, error) {
	return c.door.Analytics(c.Context(), c.actor, app.AnalyticsInput{
		From: first.Format(time.DateOnly), To: last.AddDate(0, 0, 1).Format(time.DateOnly), TimeZone: c.setup.Workspace.TimeZone,
	})
}

func (d *Door) analytics(c *call) error {
	first, last, problem := c.analyticsSpan()
	a, err := c.analyticsOf(first, last)
	if err != nil {
		return err
	}
	v := views.AnalyticsPage{Dash: c.dash("Analytics", "analytics"), From: first.Format(time.DateOnly), To: last.Format(time.DateOnly), Problem: problem}
	v.Span = c.day(first) + " – " + c.day(last)
	v.CSVURL = withQuery(analyticsPath+"/csv", url.Values{"from": {v.From}, "to": {v.To}})
	chosen := c.URL.Query().Get("days")
	for _, s := range []struct{ days, label string }{{"7", "7 days"}, {"30", "30 days"}, {"90", "90 days"}, {"365", "A year"}} {
		v.Spans = append(v.Spans, views.Tab{Label: s.label, URL: analyticsPath + "?days=" + s.days, Current: s.days == cmp.Or(chosen, "30") && c.URL.Query().Get("from") == ""})
	}
	v.Empty = a.Totals.Total == 0
	took := a.Totals.Confirmed + a.Totals.Rescheduled
	v.Stats = []views.Stat{
		{Label: "Bookings", Value: strconv.Itoa(took), Before: strconv.Itoa(a.Totals.Total) + " with those lost"}, {Label: "Cancelled", Value: strconv.Itoa(a.Totals.Cancelled), Before: share(a.Totals.Cancelled, a.Totals.Total)},
		{Label: "No-shows", Value: strconv.Itoa(a.Totals.NoShow), Before: share(a.Totals.NoShow, a.Totals.Total)}, {Label: "Show rate", Value: rate(a.ShowRate), Before: "of those that are over"},
		{Label: "Worth", Value: c.sums(a.Value), Before: "at the price when booked"}, {Label: "Paid online", Value: c.sums(a.Revenue), Before: "less what went back"},
	}
	v.Types, v.Hosts, v.Days = views.FigureTable{Title: "By event type", First: "Event type"}, views.FigureTable{Title: "By host", First: "Host"}, views.FigureTable{Title: "By day", First: "Day"}
	for i := range a.ByEventType {
		t := &a.ByEventType[i]
		v.Types.Rows = append(v.Types.Rows, c.figureRow(cmp.Or(t.Title, t.EventType), &t.Figures, a.ByEventType[0].Totals.Total))
	}
	for i := range a.ByHost {
		h := &a.ByHost[i]
		v.Hosts.Rows = append(v.Hosts.Rows, c.figureRow(h.Host.Name, &h.Figures, a.ByHost[0].Totals.Total))
	}
	byDate := map[string]*app.Figures{}
	for i := range a.ByDay {
		t := &a.ByDay[i]
		day, _ := parseDay(t.Date, c.zone())
		byDate[t.Date] = &t.Figures
		v.Days.Rows = append(v.Days.Rows, c.figureRow(c.day(day), &t.Figures, 0))
	}
	v.Chart = c.chart(byDate, first, last)
	return c.show(200, views.AnalyticsShown(v))
}

func (c *call) figureRow(name string, f *app.Figures, most int) views.FigureRow {
	r := views.FigureRow{
		Name: name, Bookings: strconv.Itoa(f.Totals.Confirmed + f.Totals.Rescheduled + f.Totals.Pending), Cancelled: strconv.Itoa(f.Totals.Cancelled),
		NoShows: strconv.Itoa(f.Totals.NoShow), ShowRate: rate(f.ShowRate), Value: c.sums(f.Value), Paid: c.sums(f.Revenue),
	}
	if most > 0 {
		r.Share = strconv.Itoa(f.Totals.Total * 100 / most)
	}
	return r
}

func rate(r *float64) string {
	if r == nil {
		return "–"
	}
	return strconv.FormatFloat(math.Round(*r*1000)/10, 'f', -1, 64) + " %"
}

func share(n, of int) string {
	if of == 0 {
		return ""
	}
	return strconv.Itoa((n*100+of/2)/of) + " % of all"
}

func (c *call) sums(all []app.Money) string {
	if len(all) == 0 {
		return "–"
	}
	texts := make([]string, len(all))
	for i := range all {
		texts[i] = c.money(&all[i])
	}
	return strings.Join(texts, " + ")
}

// chart draws a bar a day, or a week where there are more than a hundred days.
func (c *call) chart(byDate map[string]*app.Figures, first, last time.Time) *views.Chart {
	const width, height, left, base, top = 900, 220, 32, 200, 8
	type sum struct {
		held, lost int
		from       time.Time
		label      string
	}
	step := 1
	if last.Sub(first) > 100*24*time.Hour {
		step = 7
	}
	var sums []sum
	for day, n := first, 0; !day.After(last); day, n = day.AddDate(0, 0, 1), n+1 {
		if n%step == 0 {
			sums = append(sums, sum{from: day, label: c.day(day)})
		}
		if f := byDate[day.Format(time.DateOnly)]; f != nil {
			s := &sums[len(sums)-1]
			s.held += f.Totals.Confirmed + f.Totals.Rescheduled + f.Totals.Pending
			s.lost += f.Totals.Cancelled + f.Totals.NoShow
		}
	}
	most := 1
	for _, s := range sums {
		most = max(most, s.held+s.lost)
	}
	tick := niceTick(most)
	ceiling := (most + tick - 1) / tick * tick
	chart := &views.Chart{Title: "Bookings by day", Width: width, Height: height}
	if step == 7 {
		chart.Title = "Bookings by week"
	}
	y := func(n int) float64 { return base - float64(n)*float64(base-top)/float64(ceiling) }
	for n := 0; n <= ceiling; n += tick {
		chart.Marks = append(chart.Marks, views.Mark{Y: px(y(n)), TextY: px(y(n) + 3), Label: strconv.Itoa(n)})
	}
	slot := float64(width-left) / float64(len(sums))
	every := (len(sums) + 7) / 8
	for i, s := range sums {
		bar := views.Bar{X: px(left + float64(i)*slot + slot*.12), Width: px(slot * .76), Text: fmt.Sprintf("%s: %s, %d lost", s.label, counted(s.held, "booking"), s.lost)}
		if s.held > 0 {
			bar.Y, bar.Height = px(y(s.held)), px(base-y(s.held))
		}
		if s.lost > 0 {
			bar.LostY, bar.LostHeight = px(y(s.held+s.lost)), px(y(s.held)-y(s.held+s.lost)-.75)
		}
		if i%every == 0 {
			bar.Label, bar.LabelX = s.from.Format("2 Jan"), px(left+(float64(i)+.5)*slot)
		}
		chart.Bars = append(chart.Bars, bar)
	}
	return chart
}

func px(f float64) string { return strconv.FormatFloat(math.Round(f*100)/100, 'f', -1, 64) }

// niceTick is the distance of the scale's lines: 1, 2 or 5 times a power of ten, so that there are about four.
func niceTick(most int) int {
	for power := 1; ; power *= 10 {
		for _, n := range []int{1, 2, 5} {
			if n*power*5 >= most {
				return n * power
			}
		}
	}
}

// analyticsCSV has the figures of each day.
func (d *Door) analyticsCSV(c *call) error {
	first, last, _ := c.analyticsSpan()
	a, err := c.analyticsOf(first, last)
	if err != nil {
		return err
	}
	attach(c, fmt.Sprintf("%s-%s-%s.csv", c.setup.Workspace.Slug, first.Format(time.DateOnly), last.Format(time.DateOnly)), "text/csv; charset=utf-8")
	out := csv.NewWriter(c.ResponseWriter)
	out.Write([]string{"group", "name", "confirmed", "rescheduled", "pending", "cancelled", "noShows", "showRate", "currency", "worth", "paidOnline"})
	write := func(group, name string, f *app.Figures) {
		t, r := f.Totals, ""
		if f.ShowRate != nil {
			r = strconv.FormatFloat(*f.ShowRate, 'f', 4, 64)
		}
		row := []string{group, plain(name), strconv.Itoa(t.Confirmed), strconv.Itoa(t.Rescheduled), strconv.Itoa(t.Pending), strconv.Itoa(t.Cancelled), strconv.Itoa(t.NoShow), r, "", "", ""}
		if len(f.Value) > 0 {
			row[8], row[9] = f.Value[0].Currency, amountText(&f.Value[0])
		}
		for i := range f.Revenue {
			if f.Revenue[i].Currency == row[8] || row[8] == "" {
				row[8], row[10] = f.Revenue[i].Currency, amountText(&f.Revenue[i])
			}
		}
		out.Write(row)
	}
	write("all", "", &a.Figures)
	for i := range a.ByDay {
		write("day", a.ByDay[i].Date, &a.ByDay[i].Figures)
	}
	for i := range a.ByEventType {
		write("eventType", a.ByEventType[i].Title, &a.ByEventType[i].Figures)
	}
	for i := range a.ByHost {
		write("host", a.ByHost[i].Host.Name, &a.ByHost[i].Figures)
	}
	out.Flush()
	return nil
}
