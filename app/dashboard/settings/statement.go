package settings

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/contact"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/app/report"
	"daybook/app/when"
	"daybook/views/dash"
)

// people returns a row for each person, and what the minutes are of.
func (c call) people(a *report.Analytics, s span) (rows []dash.PersonRow, hint string) {
	last := when.AddDays(s.to, -1)
	if now := c.Now(); last.After(now) {
		last = now
	}
	from := ""
	for i := range a.ByHost {
		h := &a.ByHost[i]
		name := cmp.Or(h.Name, c.T("dash_figure_deleted"))
		if h.HostID == nil {
			name = c.T("figures_nobody")
		}
		r := c.personRow(name, &h.PersonFigures)
		if h.HostID != nil {
			r.URL = statementURL(h.HostID.String(), last.Format(monthForm))
		}
		if rows = append(rows, r); h.OpenFrom != nil && *h.OpenFrom > from {
			from = *h.OpenFrom
		}
	}
	return rows, c.openHint(from, s.from)
}

// openHint says from which day on it is known when people were at work; from "" is none.
func (c call) openHint(from string, begins time.Time) string {
	switch {
	case from == "":
		return c.T("figures_unknown")
	case from > begins.Format(time.DateOnly):
		day, err := when.ParseDay(from, c.Zone())
		if err == nil {
			return c.T("figures_known_from", "Day", c.Locale.Date(day))
		}
	}
	return c.T("figures_minutes_hint")
}

const monthForm = "2006-01"

func statementURL(host, month string) string {
	return web.WithQuery(dash.StatementPath, url.Values{"host": {host}, "month": {month}})
}

func (c call) personRow(name string, p *report.PersonFigures) dash.PersonRow {
	r := dash.PersonRow{Name: name, Bookings: fmt.Sprint(p.Totals.Total), NoShows: fmt.Sprint(p.Totals.Of(booking.NoShow)),
		Open: hours(p.Open), Booked: hours(p.Booked), Outside: hours(p.BookedOutside), Rate: rate(p.Utilisation),
		Value: c.some(p.Value), Revenue: c.some(p.Revenue), Products: c.some(p.Products), Tips: c.some(p.Tips)}
	r.Quiet = p.Totals.Total+len(p.Revenue) == 0 && (p.Open == nil || *p.Open+*p.BookedOutside == 0)
	return r
}

// hours is "7:30"; "–" where it is not known.
func hours(minutes *int64) string {
	if minutes == nil {
		return "–"
	}
	return fmt.Sprintf("%d:%02d", *minutes/60, *minutes%60)
}

// some is moneys, "–" of none.
func (c call) some(all []money.Money) string {
	if len(all) == 0 {
		return "–"
	}
	return c.moneys(all)
}

func (c call) statement() error {
	q := c.URL.Query()
	v := dash.StatementPage{Frame: c.Frame(c.T("figures_statement"), "analytics"), Business: c.Setup.Workspace.Name}
	m, err := c.Subjects.Report.Statement(c.Context(), c.Actor, q.Get("host"), q.Get("month"))
	e := fault.As(err)
	if e != nil && e.Field == "month" {
		v.Problem = c.T("figures_month_wrong")
		m, err = c.Subjects.Report.Statement(c.Context(), c.Actor, q.Get("host"), "")
	}
	if err != nil {
		return err
	}
	host := m.HostID.String()
	v.Person, v.Month, v.HostID, v.MonthID, v.Money = m.Name, c.Locale.Month(m.Month), host, m.Month.Format(monthForm), m.Money
	near := func(n time.Month) string {
		return statementURL(host, when.DayStart(m.Month.Year(), m.Month.Month()+n, 1, c.Zone()).Format(monthForm))
	}
	v.PrevURL, v.NextURL = near(-1), near(1)
	v.ExportURL = web.WithQuery(dash.StatementExportPath, url.Values{"host": {host}, "month": {v.MonthID}})
	if c.May(app.MaySeeAnalytics) {
		v.BackURL = dash.AnalyticsPath
		v.Hosts = c.HostOptions()
	}
	for i := range m.Days {
		d := &m.Days[i]
		at, err := when.ParseDay(d.Date, c.Zone())
		if err != nil {
			return err
		}
		v.Days = append(v.Days, c.personRow(c.Locale.ShortDay(at), &d.PersonFigures))
	}
	v.Sum = c.personRow(c.T("till_total"), &m.Sum.PersonFigures)
	v.Sum.Quiet = false
	from := ""
	if m.Sum.OpenFrom != nil {
		from = *m.Sum.OpenFrom
	}
	v.Notes = append(v.Notes, c.openHint(from, m.Month))
	if m.Money {
		v.Notes = append(v.Notes, c.T("figures_money_hint"))
	}
	return c.Show(web.RefusedStatus(e), dash.Statement(v))
}

func (c call) exportStatement() error {
	q := c.URL.Query()
	m, err := c.Subjects.Report.Statement(c.Context(), c.Actor, q.Get("host"), q.Get("month"))
	if err != nil {
		return err
	}
	c.Attach("statement-"+m.Month.Format(monthForm)+".csv", "text/csv; charset=utf-8")
	out := contact.NewCSV(c.ResponseWriter)
	sum := &m.Sum.PersonFigures
	heads := []string{"name", "date", "total"}
	for _, s := range exported {
		heads = append(heads, string(s))
	}
	heads = append(heads, "show_rate")
	for _, x := range sum.Value {
		heads = append(heads, "value_"+x.Currency)
	}
	for _, x := range sum.Revenue {
		heads = append(heads, "received_"+x.Currency)
	}
	out.Write(append(heads, personHeads(sum.Revenue)...))
	line := func(date string, p *report.PersonFigures) {
		out.Write(slices.Concat([]string{m.Name, date}, countCells(p), inEach(sum.Value, p.Value), inEach(sum.Revenue, p.Revenue),
			personCells(p, sum.Revenue)))
	}
	for i := range m.Days {
		line(m.Days[i].Date, &m.Days[i].PersonFigures)
	}
	line("", sum)
	return out.Flush()
}
