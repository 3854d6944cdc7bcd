package agenda

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/record"
	"daybook/assets"
	"daybook/views"
	"daybook/views/dash"
)

const (
	maxHues    = 8
	maxColumns = 40 // hosts beside each other
	maxInCell  = 8  // bookings of a host's day in a week of all hosts
)

// board is the calendar that is asked for, with what it shows.
type board struct {
	call
	base  url.Values // of the address: span, date and host
	span  string     // day, week or month
	host  *catalog.Host
	day   time.Time // the day asked for, a midnight
	first time.Time // the first day shown
	days  int
	found []record.Booking
	view  dash.CalendarPage
}

func (c call) calendar() error {
	b, err := c.board(c.URL.Query())
	if err != nil {
		return err
	}
	if err := b.panel(c.URL.Query()); err != nil {
		return err
	}
	if err := b.toast(c.URL.Query()); err != nil {
		return err
	}
	return b.show(200)
}

func (b *board) show(status int) error { return b.Show(status, dash.CalendarView(b.view)) }

// board reads what the calendar shows.
func (c call) board(q url.Values) (*board, error) {
	b := &board{call: c, base: url.Values{}, span: q.Get("span"), day: web.DayOr(q.Get("date"), c.Zone(), c.Now())}
	for _, name := range []string{"span", "date", "host"} {
		b.base.Set(name, q.Get(name))
	}
	ref := q.Get("host")
	if c.Actor.Own() {
		ref = c.Actor.Host.String()
	}
	for i := range c.Setup.Hosts {
		if h := &c.Setup.Hosts[i]; h.ID.String() == ref && c.Actor.Sees(h.ID) {
			b.host = h
		}
	}
	if b.host == nil {
		b.base.Del("host")
	}
	b.view.Frame = c.Frame(c.Locale.T("calendar_title"), "calendar")
	b.view.Live, b.view.Wide = true, true
	switch b.span {
	case "week":
		b.first, b.days = web.WeekStart(b.day), 7
	case "month":
		b.first, b.days = time.Date(b.day.Year(), b.day.Month(), 1, 0, 0, 0, 0, c.Zone()), 1
	default:
		b.span, b.first, b.days = "day", b.day, 1
		b.base.Del("span")
	}
	b.around()
	var err error
	switch {
	case b.span == "month":
		b.view.Month, err = b.month()
	default:
		if err = b.read(); err != nil {
			return nil, err
		}
		if b.span == "week" && b.host == nil && len(c.Setup.Hosts) > 1 {
			b.view.Plan = b.plan()
		} else {
			b.view.Grid = b.grid()
		}
	}
	return b, err
}

// read reads the bookings of the days shown, and those that began up to a day before.
func (b *board) read() (err error) {
	host := ""
	if b.host != nil {
		host = b.host.ID.String()
	}
	b.found, b.view.TooMany, err = b.Rooms.Calendar(b.Context(), b.Actor, host, b.first.Add(-24*time.Hour),
		b.first.AddDate(0, 0, b.days))
	return err
}

// at is the address of the calendar with other values in it.
func (b *board) at(replaced ...string) string {
	return web.WithQuery(dash.CalendarPath, b.base, replaced...)
}

// around fills in what surrounds the calendar: its name and where else to go.
func (b *board) around() {
	v, t := &b.view, b.Locale.T
	v.Here, v.Date = b.at(), b.day.Format(time.DateOnly)
	step := func(n int) string {
		to := b.first.AddDate(0, 0, n*b.days)
		if b.span == "month" {
			to = b.first.AddDate(0, n, 0)
		}
		return b.at("date", to.Format(time.DateOnly))
	}
	v.PrevURL, v.NextURL, v.TodayURL = step(-1), step(1), b.at("date", "")
	for _, name := range []string{"span", "host"} {
		v.Hidden = append(v.Hidden, views.Pair{Name: name, Value: b.base.Get(name)})
	}
	switch b.span {
	case "day":
		v.Label = b.dayLabel()
	case "week":
		v.Label = b.weekLabel()
	case "month":
		v.Label = b.Locale.Month(b.first)
	}
	v.Spans = []dash.Tab{
		{Label: t("calendar_day"), URL: b.at("span", ""), Current: b.span == "day"},
		{Label: t("calendar_week"), URL: b.at("span", "week"), Current: b.span == "week"},
		{Label: t("calendar_month"), URL: b.at("span", "month"), Current: b.span == "month"},
	}
	if !b.Actor.Own() && b.span != "month" {
		v.Hosts = []dash.Tab{{Label: t("calendar_all_hosts"), URL: b.at("host", ""), Current: b.host == nil}}
		for i := range b.Setup.Hosts {
			h := &b.Setup.Hosts[i]
			if h.Active || h == b.host {
				v.Hosts = append(v.Hosts,
					dash.Tab{Label: h.Name, URL: b.at("host", h.ID.String()), Current: h == b.host})
			}
		}
	}
	if b.May(app.MayBook) {
		v.NewURL = b.NewBookingURL(b.base.Get("host"))
	}
	if h := b.hostFor(""); h != nil && b.May(app.MaySetHours) {
		v.BlockURL = b.gapURL(h, b.nextHour())
	}
}

// hostFor is the host with the id whom the member sees, or the one that the calendar shows, or the first one.
func (b *board) hostFor(ref string) *catalog.Host {
	for i := range b.Setup.Hosts {
		h := &b.Setup.Hosts[i]
		if b.Actor.Sees(h.ID) && (h.ID.String() == ref || ref == "" && (h == b.host || b.host == nil && h.Active)) {
			return h
		}
	}
	return nil
}

// nextHour is the next full hour of the day shown, or nine o'clock where the day is another one.
func (b *board) nextHour() time.Time {
	if now := b.Now(); web.SameDay(now, b.day) && now.Hour() < 23 {
		return wall(b.day, now.Hour()*60+60)
	}
	return wall(b.day, 9*60)
}

// localTime is how addresses and forms write a time of the workspace's wall clock.
const localTime = "2006-01-02T15:04"

// gapURL opens the panel that books or blocks a time.
func (b *board) gapURL(h *catalog.Host, at time.Time) string {
	return b.at("new", h.ID.String(), "at", at.Format(localTime))
}

func (b *board) dayLabel() string {
	today := web.Midnight(b.Now())
	for days, key := range map[int]string{-1: "calendar_yesterday", 0: "calendar_today", 1: "calendar_tomorrow"} {
		if web.SameDay(b.day, today.AddDate(0, 0, days)) {
			return b.Locale.T(key) + ", " + b.Locale.Day(b.day)
		}
	}
	if b.day.Year() != today.Year() {
		return b.Locale.Date(b.day)
	}
	return b.Locale.Day(b.day)
}

func (b *board) weekLabel() string {
	last := b.first.AddDate(0, 0, 6)
	_, week := b.first.ISOWeek()
	text := b.Locale.T("calendar_week_number", "Number", week)
	if b.first.Month() == last.Month() {
		return b.Locale.Month(b.first) + ", " + text
	}
	return b.Locale.MonthName(b.first) + " – " + b.Locale.Month(last) + ", " + text
}

// columns are the hosts shown beside each other: those that are switched on, and others who have bookings.
func (b *board) columns() (all []*catalog.Host) {
	booked := map[catalog.HostID]bool{}
	for i := range b.found {
		booked[b.found[i].Host.ID] = true
	}
	for i := range b.Setup.Hosts {
		h := &b.Setup.Hosts[i]
		shown := b.host == nil && b.Actor.Sees(h.ID) && (h.Active || booked[h.ID]) || h == b.host
		if shown && len(all) < maxColumns {
			all = append(all, h)
		} else if shown {
			b.view.TooMany = true
		}
	}
	return all
}

// hostDay is a host's day with what stands in it.
type hostDay struct {
	host  *catalog.Host
	day   time.Time
	open  []span
	away  []catalog.TimeOff
	items []item
}

func (b *board) hostDay(h *catalog.Host, day time.Time) hostDay {
	return hostDay{h, day, openOn(h, day), h.Away(day, day.AddDate(0, 0, 1)),
		itemsOn(b.Setup, b.found, day, func(k *record.Booking) bool { return k.Host.ID == h.ID })}
}

// grid is a day with a column for each host, or a week of one host.
func (b *board) grid() *dash.CalGrid {
	var all []hostDay
	if b.span == "week" {
		h := b.hostFor("")
		for i := range b.days {
			if h != nil {
				all = append(all, b.hostDay(h, b.first.AddDate(0, 0, i)))
			}
		}
	} else {
		for _, h := range b.columns() {
			all = append(all, b.hostDay(h, b.day))
		}
	}
	var used []span
	shortest := dayMinutes
	for _, d := range all {
		used = append(used, d.open...)
		for _, i := range d.items {
			used = append(used, i.span)
			shortest = min(shortest, i.to-i.from)
		}
	}
	from, till := hoursShown(used)
	g := &dash.CalGrid{Class: assets.GridHours(from, till) + " " + zoomFor(shortest)}
	for hour := from; hour < till; hour++ {
		g.Hours = append(g.Hours, dash.CalHour{Class: assets.GridTime(hour*60, hour*60+60),
			Label: brief(b.Locale.Time(wall(b.day, hour*60), ""))})
	}
	now := b.Now()
	if minute := now.Hour()*60 + now.Minute(); now.Hour() >= from && now.Hour() < till {
		g.Now = assets.GridTime(minute, minute+1)
	}
	for _, d := range all {
		g.Columns = append(g.Columns, b.column(d, span{from * 60, till * 60}))
	}
	return g
}

func (b *board) column(d hostDay, shown span) dash.CalColumn {
	count := 0
	for _, i := range d.items {
		count += len(i.all)
	}
	id := d.host.ID.String()
	col := dash.CalColumn{Host: id, Day: d.day.Format(time.DateOnly), Today: web.SameDay(d.day, b.Now()),
		Name: b.columnName(d) + ", " + b.Locale.T("calendar_bookings", "Count", count)}
	if b.span == "week" {
		col.Sub, col.Label = b.Locale.Weekday(d.day), strconv.Itoa(d.day.Day())
		col.URL = b.at("span", "", "date", col.Day)
	} else {
		col.Label = d.host.Name
		if b.host == nil && len(b.Setup.Hosts) > 1 {
			col.URL = b.at("span", "week", "host", id)
		}
	}
	var open []string
	for _, s := range d.open {
		open = append(open, strconv.Itoa(s.from)+"-"+strconv.Itoa(s.to))
	}
	col.Open = strings.Join(open, " ")
	col.Off = b.off(d, shown)
	col.Gaps = b.gaps(d, shown)
	spans := make([]span, len(d.items))
	for i := range d.items {
		spans[i] = d.items[i].span
	}
	for i, at := range lanes(spans) {
		lane := assets.GridLane(at.lane, at.of)
		col.Off = append(col.Off, b.buffers(d, &d.items[i], lane)...)
		e := b.event(&d.items[i])
		e.Class = strings.TrimSpace(placed(e.From, e.To) + " " + lane)
		col.Events = append(col.Events, e)
	}
	return col
}

// brief is a time, or times, of the 12-hour clock without the minutes of full hours: "9 AM".
func brief(text string) string {
	if !strings.HasSuffix(text, "M") {
		return text // only that clock ends with AM or PM
	}
	return strings.ReplaceAll(text, ":00", "")
}

// placed is the class of a time in a column.
func placed(from, to int) string { return assets.GridTime(from, to) }

func (b *board) columnName(d hostDay) string {
	if b.span == "week" {
		return d.host.Name + ", " + b.Locale.Day(d.day)
	}
	return d.host.Name
}

// off is when the host is not at work: closed hours, breaks between hours, and time off with its reason.
func (b *board) off(d hostDay, shown span) (all []dash.CalBlock) {
	t := b.Locale.T
	for i, gap := range less(shown, d.open) {
		kind, text := "shut", t("calendar_closed")
		if i > 0 && gap.to < shown.to || i == 0 && len(d.open) > 0 && gap.from > shown.from && gap.to < shown.to {
			kind, text = "pause", t("calendar_break")
		}
		all = append(all, dash.CalBlock{Kind: kind, Text: text, Class: placed(gap.from, gap.to)})
	}
	for _, a := range d.away {
		s, on := spanOn(d.day, a.Start.Time(), a.End.Time())
		s.from, s.to = max(s.from, shown.from), min(s.to, shown.to)
		if !on || s.from >= s.to {
			continue
		}
		text := t("calendar_away")
		if a.Reason != "" {
			text += " · " + a.Reason
		}
		all = append(all, dash.CalBlock{Kind: "away", Text: text, Class: placed(s.from, s.to),
			URL: b.at("away", awayKey(d.host, a))})
	}
	return all
}

// buffers are the times before and after a booking that are kept free.
func (b *board) buffers(d hostDay, i *item, lane string) (all []dash.CalBlock) {
	k := i.all[0]
	if k.Status == record.NoShow {
		return nil
	}
	for _, part := range [][2]time.Time{{k.BusyStart.Time(), k.Start.Time()}, {k.End.Time(), k.BusyEnd.Time()}} {
		if !part[0].Before(part[1]) || k.BusyStart == 0 {
			continue
		}
		if s, on := spanOn(d.day, part[0], part[1]); on {
			all = append(all, dash.CalBlock{Kind: "buffer", Text: b.Locale.T("calendar_buffer"),
				Class: strings.TrimSpace(placed(s.from, s.to) + " " + lane)})
		}
	}
	return all
}

// gaps are the hours of a day in which something can be booked or blocked: those that are not over.
func (b *board) gaps(d hostDay, shown span) (all []dash.CalGap) {
	if !b.May(app.MayBook) && !b.May(app.MaySetHours) {
		return nil
	}
	now := b.Now()
	for m := shown.from; m < shown.to; m += 60 {
		at := wall(d.day, m)
		if !at.Add(time.Hour).After(now) {
			continue
		}
		all = append(all, dash.CalGap{Class: placed(m, m+60), URL: b.gapURL(d.host, at),
			Name: b.Locale.T("calendar_gap", "Time", b.Locale.Time(at, ""), "Host", d.host.Name)})
	}
	return all
}

// event is what the calendar shows of a booking, or of a session.
func (b *board) event(i *item) dash.CalEvent {
	k := i.all[0]
	now := b.Now()
	id := k.ID.String()
	e := dash.CalEvent{
		ID: id, URL: b.at("booking", id), Time: b.Clock(k.Start), Name: k.Invitee.Name, Text: b.TypeTitle(k),
		Hue: b.hue(k.EventTypeID), Pending: k.Status == record.Pending, Missed: k.Status == record.NoShow,
		Over: !k.End.Time().After(now), From: i.from, To: i.to, Short: i.to-i.from < 30,
		Rest:    b.Locale.T("calendar_until_time", "Time", b.Clock(k.End)) + ", " + k.Host.Name,
		Current: b.URL.Query().Get("booking") == id,
	}
	et := b.Setup.EventTypeByID(k.EventTypeID)
	switch {
	case et != nil && et.Seats > 1:
		taken := 0
		for _, one := range i.all {
			if one.Status != record.NoShow {
				taken++
			}
		}
		e.Name, e.Text = et.Title, b.Locale.T("calendar_seats", "Taken", taken, "Seats", et.Seats)
		e.Missed = taken == 0
	case e.Pending:
		e.State = b.Locale.T("calendar_state_pending")
		if k.PendingReason != nil && *k.PendingReason == record.ForPayment {
			e.State = b.Locale.T("calendar_state_unpaid")
		}
	case e.Missed:
		e.State = b.Locale.T("calendar_state_missed")
	}
	if et != nil && len(i.all) == 1 && k.Status.Live() && b.May(app.MayMove) {
		e.Drag, e.Step = true, et.SlotStepMinutes
	}
	return e
}

// hue is the colour of an event type.
func (b *board) hue(id catalog.EventTypeID) int {
	for i := range b.Setup.EventTypes {
		if b.Setup.EventTypes[i].ID == id {
			return i % maxHues
		}
	}
	return 0
}

// plan is a week of several hosts.
func (b *board) plan() *dash.CalPlan {
	p := &dash.CalPlan{}
	for i := range b.days {
		day := b.first.AddDate(0, 0, i)
		p.Days = append(p.Days, dash.CalDay{Sub: b.Locale.Weekday(day), Label: strconv.Itoa(day.Day()),
			Name: b.Locale.Day(day), URL: b.at("span", "", "date", day.Format(time.DateOnly)),
			Today: web.SameDay(day, b.Now())})
	}
	for _, h := range b.columns() {
		row := dash.CalRow{Label: h.Name, URL: b.at("host", h.ID.String())}
		for i := range b.days {
			row.Cells = append(row.Cells, b.cell(b.hostDay(h, b.first.AddDate(0, 0, i))))
		}
		p.Rows = append(p.Rows, row)
	}
	return p
}

func (b *board) cell(d hostDay) dash.CalCell {
	cell := dash.CalCell{Kind: "open", URL: b.at("span", "", "date", d.day.Format(time.DateOnly)),
		Today: web.SameDay(d.day, b.Now())}
	var hours []string
	for _, s := range d.open {
		hours = append(hours, brief(b.Locale.Span(wall(d.day, s.from), wall(d.day, s.to), "")))
	}
	cell.Hours = strings.ReplaceAll(strings.Join(hours, ", "), "–", "\u2060–\u2060") // no break within a span
	if len(d.open) == 0 {
		cell.Kind, cell.Hours = "shut", b.Locale.T("calendar_closed")
	}
	for _, a := range d.away {
		text := b.Locale.T("calendar_away")
		if s, on := spanOn(d.day, a.Start.Time(), a.End.Time()); on && s != (span{0, dayMinutes}) {
			text += " " + b.Locale.Span(wall(d.day, s.from), wall(d.day, s.to), "")
		} else if on {
			cell.Kind = "away"
		}
		if a.Reason != "" {
			text += " · " + a.Reason
		}
		cell.Away = append(cell.Away, text)
	}
	for i := range d.items {
		if len(cell.Events) == maxInCell {
			cell.More = len(d.items) - maxInCell
			break
		}
		e := b.event(&d.items[i])
		e.Drag, e.Short = false, false
		cell.Events = append(cell.Events, e)
	}
	if d.day.AddDate(0, 0, 1).After(b.Now()) && (b.May(app.MayBook) || b.May(app.MaySetHours)) {
		at := wall(d.day, 9*60)
		if len(d.open) > 0 {
			at = wall(d.day, d.open[0].from)
		}
		cell.AddURL = b.gapURL(d.host, at)
		cell.Add = b.Locale.T("calendar_add", "Host", d.host.Name, "Day", b.Locale.Day(d.day))
	}
	return cell
}

// month counts the bookings of each day of a month.
func (b *board) month() (*dash.CalMonth, error) {
	m := &dash.CalMonth{}
	start := web.WeekStart(b.first)
	for i := range 7 {
		day := start.AddDate(0, 0, i)
		m.Weekdays = append(m.Weekdays, dash.CalDay{Label: b.Locale.Weekday(day), Name: b.Locale.WeekdayName(day)})
	}
	most := 1
	for week := start; week.Before(b.first.AddDate(0, 1, 0)); week = week.AddDate(0, 0, 7) {
		var row []dash.CalCount
		for i := range 7 {
			day := week.AddDate(0, 0, i)
			sum, err := b.Rooms.Report.WeekFigures(b.Context(), b.Actor, day, day.AddDate(0, 0, 1))
			if err != nil {
				return nil, err
			}
			n := sum.Booked + sum.Pending + sum.NoShows
			most = max(most, n)
			d := dash.CalCount{Label: strconv.Itoa(day.Day()), Name: b.Locale.Day(day), Count: n,
				URL:   b.at("span", "", "date", day.Format(time.DateOnly)),
				Today: web.SameDay(day, b.Now()), Outside: day.Month() != b.first.Month(),
				Words: b.Locale.T("calendar_bookings", "Count", n)}
			if n == 0 {
				d.Words = ""
				if d.Closed = b.allClosed(day); d.Closed {
					d.Words = b.Locale.T("calendar_closed")
				}
			}
			row = append(row, d)
		}
		m.Weeks = append(m.Weeks, row)
	}
	for _, week := range m.Weeks {
		for i := range week {
			week[i].Size = (week[i].Count*5 + most - 1) / most
		}
	}
	return m, nil
}

// allClosed reports whether nobody whom the member sees is at work on a day.
func (b *board) allClosed(day time.Time) bool {
	next := day.AddDate(0, 0, 1)
	for i := range b.Setup.Hosts {
		h := &b.Setup.Hosts[i]
		if !h.Active || !b.Actor.Sees(h.ID) || len(openOn(h, day)) == 0 {
			continue
		}
		free := true
		for _, a := range h.Away(day, next) {
			if s, on := spanOn(day, a.Start.Time(), a.End.Time()); on && s == (span{0, dayMinutes}) {
				free = false
			}
		}
		if free {
			return false
		}
	}
	return true
}
