package agenda

import (
	"net/url"
	"slices"
	"time"

	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/record"
	"daybook/views/dash"
)

// The calendar's grid has a row for each quarter of an hour, and room for maxLanes bookings side by side.
const (
	quarter  = 15 * time.Minute
	maxLanes = 4
	maxHues  = 8
	maxCols  = 12
)

func (c call) calendar() error {
	q := c.URL.Query()
	byDay := q.Get("span") == "day"
	first := web.DayOr(q.Get("date"), c.Zone(), c.Now())
	days := 1
	if !byDay {
		first, days = web.WeekStart(first), 7
	}
	host := q.Get("host")
	if byDay || c.Actor.Own() {
		host = ""
	}
	found, more, err := c.Rooms.Calendar(c.Context(), c.Actor, host, first.Add(-24*time.Hour), first.AddDate(0, 0, days))
	if err != nil {
		return err
	}
	v := dash.CalendarPage{Frame: c.Frame("Calendar", "calendar"), Views: bookingViews("calendar"), TooMany: more,
		NewURL: c.newBookingURL(q.Get("host"))}
	v.Live, v.Wide = true, true
	at := func(day time.Time, span string) string {
		return web.WithQuery(dash.CalendarPath,
			url.Values{"span": {span}, "host": {q.Get("host")}, "date": {day.Format(time.DateOnly)}})
	}
	span := q.Get("span")
	v.PrevURL, v.NextURL = at(first.AddDate(0, 0, -days), span), at(first.AddDate(0, 0, days), span)
	v.TodayURL = web.WithQuery(dash.CalendarPath, url.Values{"span": {span}, "host": {q.Get("host")}})
	v.Modes = []dash.Tab{{Label: "Week", URL: at(first, ""), Current: !byDay},
		{Label: "Day", URL: at(first, "day"), Current: byDay}}
	g := newGrid(c, found, first, days)
	if byDay {
		v.Label = c.DayHeading(first)
		g.manyHosts = false // the column names the host
		c.hostColumns(g, &v, first)
	} else {
		v.Label = c.weekLabel(first)
		if !c.Actor.Own() {
			v.Hosts = c.hostTabs(q, host)
		}
		for i := range 7 {
			day := first.AddDate(0, 0, i)
			col := g.column(day, func(*record.Booking) bool { return true })
			col.Sub, col.Label = day.Format("Mon"), day.Format("2")
			col.Today, col.URL = web.SameDay(day, c.Now()), at(day, "day")
			v.Days = append(v.Days, col)
		}
	}
	v.Hours, v.Rows = g.hours(c)
	return c.Show(200, dash.CalendarView(v))
}

func (c call) weekLabel(first time.Time) string {
	last := first.AddDate(0, 0, 6)
	if first.Month() == last.Month() {
		return c.Locale.Month(first)
	}
	return c.Locale.MonthName(first) + " – " + c.Locale.Month(last)
}

func (c call) hostTabs(q url.Values, host string) []dash.Tab {
	tabs := []dash.Tab{{Label: "All hosts", URL: web.WithQuery(dash.CalendarPath, q, "host", ""), Current: host == ""}}
	for i := range c.Setup.Hosts {
		h := &c.Setup.Hosts[i]
		if h.Active || h.ID.String() == host {
			tabs = append(tabs,
				dash.Tab{Label: h.Name, URL: web.WithQuery(dash.CalendarPath, q, "host", h.ID.String()),
					Current: h.ID.String() == host})
		}
	}
	return tabs
}

// hostColumns is a day with a column for each host: those at work first, as many as fit.
func (c call) hostColumns(g *grid, v *dash.CalendarPage, day time.Time) {
	for i := range c.Setup.Hosts {
		h := &c.Setup.Hosts[i]
		if !c.Actor.Sees(h.ID) {
			continue
		}
		col := g.column(day, func(b *record.Booking) bool { return b.Host.ID == h.ID })
		if !h.Active && len(col.Events) == 0 || len(v.Days) == maxCols {
			continue
		}
		col.Label, col.Today = h.Name, false
		col.URL = ""
		v.Days = append(v.Days, col)
	}
	if len(v.Days) == 0 {
		v.Days = []dash.CalDay{{Label: "–"}}
	}
}

// grid places bookings in columns and rows.
type grid struct {
	c         call
	bookings  []record.Booking
	from, to  int // the hours shown
	hues      map[catalog.HostID]int
	manyHosts bool
}

func newGrid(c call, found []record.Booking, first time.Time, days int) *grid {
	g := &grid{c: c, bookings: found, from: 8, to: 18, hues: map[catalog.HostID]int{}}
	for i := range c.Setup.Hosts {
		g.hues[c.Setup.Hosts[i].ID] = i % maxHues
	}
	g.manyHosts = len(c.Setup.Hosts) > 1
	for i := range found {
		for d := range days {
			day := first.AddDate(0, 0, d)
			start, end, on := g.within(&found[i], day)
			if on {
				g.from, g.to = min(g.from, start/4), max(g.to, (end+3)/4)
			}
		}
	}
	return g
}

// within is the part of a booking that is on a day, in quarters of an hour of wall-clock time from midnight.
func (g *grid) within(b *record.Booking, day time.Time) (start, end int, on bool) {
	from, to := g.c.At(b.Start), g.c.At(b.End)
	next := day.AddDate(0, 0, 1)
	if !from.Before(next) || !to.After(day) {
		return 0, 0, false
	}
	start, end = 0, 96
	if !from.Before(day) {
		start = from.Hour()*4 + from.Minute()/15
	}
	if !to.After(next) && !to.Equal(next) {
		end = to.Hour()*4 + (to.Minute()+14)/15
	}
	return start, min(96, max(end, start+2)), true
}

// column is a day of the bookings that are wanted. Bookings that overlap, directly or through others, share its width;
// the grid has twelve parts, so that it can be divided by one to four.
func (g *grid) column(day time.Time, wanted func(*record.Booking) bool) dash.CalDay {
	var col dash.CalDay
	var ends [maxLanes]int       // where each lane is free again
	cluster, clusterEnd := 0, -1 // the first of the bookings that overlap, and where they end
	now := g.c.Now()
	share := func() {
		lanes := 1
		for _, e := range col.Events[cluster:] {
			lanes = max(lanes, e.Lane+1)
		}
		for i := range col.Events[cluster:] {
			e := &col.Events[cluster+i]
			e.Width = 12 / lanes
			e.Lane = e.Lane*e.Width + 1
		}
		cluster = len(col.Events)
	}
	for i := range g.bookings {
		b := &g.bookings[i]
		start, end, on := g.within(b, day)
		if !on || !wanted(b) {
			continue
		}
		if start >= clusterEnd {
			share()
			ends = [maxLanes]int{}
		}
		lane := slices.IndexFunc(ends[:], func(free int) bool { return free <= start })
		if lane < 0 {
			col.More++
			continue
		}
		ends[lane], clusterEnd = end, max(clusterEnd, end)
		col.Events = append(col.Events, g.event(b, start, end, lane, now))
	}
	share()
	if web.SameDay(day, now) && now.Hour() >= g.from && now.Hour() < g.to {
		col.NowRow = (now.Hour()-g.from)*4 + now.Minute()/15 + 1
	}
	return col
}

func (g *grid) event(b *record.Booking, start, end, lane int, now time.Time) dash.CalEvent {
	text := g.c.TypeTitle(b)
	if g.manyHosts {
		text += " · " + b.Host.Name
	}
	id := b.ID.String()
	return dash.CalEvent{
		ID: id, URL: dash.BookingPath(id), Time: g.c.Clock(b.Start), Name: b.Invitee.Name, Text: text,
		Row: start - g.from*4 + 1, Span: end - start, Lane: lane, Hue: g.hues[b.Host.ID],
		Pending: b.Status == record.Pending, Over: !b.End.Time().After(now) || b.Status == record.NoShow,
	}
}

func (g *grid) hours(c call) (marks []dash.CalHour, rows int) {
	for h := g.from; h < g.to; h++ {
		label := ""
		if h > g.from {
			label = c.Locale.Time(time.Date(2026, 1, 1, h, 0, 0, 0, time.UTC), "")
		}
		marks = append(marks, dash.CalHour{Label: label, Row: (h-g.from)*4 + 1})
	}
	return marks, (g.to - g.from) * 4
}
