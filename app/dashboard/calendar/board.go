package calendar

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/calsync"
	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/when"
	"daybook/views"
	"daybook/views/dash"
)

const (
	maxColumns = 40 // hosts beside each other
	maxInCell  = 8  // bookings of a host's day in a week of all hosts

	roomsView = "rooms" // a day with a column for each room and thing
)

// board is the calendar that is asked for, with what it shows.
type board struct {
	call
	base  url.Values // of the address: span, date, host and view
	rooms bool       // it has columns of rooms and things
	span  string     // day, week or month
	host  *catalog.Host
	day   time.Time // the day asked for, a midnight
	first time.Time // the first day shown
	days  int
	of    map[catalog.HostID][]*booking.Booking // those shown, by start
	busy  map[catalog.HostID][]calsync.Span     // in other calendars, of the days shown
	full  map[catalog.ResourceID][]calsync.Span // the same of rooms and things
	view  dash.CalendarPage

	before, behind, open string // see bookingURL
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
	for _, name := range []string{"span", "date", "host", "view"} {
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
	b.view.Live, b.view.Wide, b.view.InParts = true, true, true
	if err := c.Cancelling(&b.view.Frame, false); err != nil {
		return nil, err
	}
	switch b.span {
	case "week":
		b.first, b.days = web.WeekStart(b.day), 7
	case "month":
		b.first, b.days = when.DayStart(b.day.Year(), b.day.Month(), 1, c.Zone()), 1
	default:
		b.span, b.first, b.days = "day", b.day, 1
		b.base.Del("span")
	}
	if b.rooms = q.Get("view") == roomsView && b.span == "day" && b.hasRooms(); b.rooms {
		b.host = nil
		b.base.Del("host")
	} else {
		b.base.Del("view")
	}
	b.around()
	if b.view.Nobody = !slices.ContainsFunc(c.Setup.Hosts, func(h catalog.Host) bool { return c.Actor.Sees(h.ID) }); b.view.Nobody {
		b.view.First = c.FirstStep()
		return b, nil
	}
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
	var found []booking.Booking
	found, b.view.TooMany, err = b.Subjects.Calendar(b.Context(), b.Actor, host, b.first.Add(-24*time.Hour),
		when.AddDays(b.first, b.days), !b.rooms) // what a booking takes besides its host isn't in the brief form
	if err != nil {
		return err
	}
	b.of = map[catalog.HostID][]*booking.Booking{}
	for i := range found {
		k := &found[i]
		if h := b.Setup.Host(k.Host.ID); h != nil {
			k.Host.Name = h.Name
		}
		for _, h := range k.AllHosts() {
			b.of[h.ID] = append(b.of[h.ID], k)
		}
	}
	return b.readBusy(b.first, when.AddDays(b.first, b.days))
}

// at returns the address of the calendar with other values in it.
func (b *board) at(replaced ...string) string {
	return web.WithQuery(dash.CalendarPath, b.base, replaced...)
}

// bookingURL is at("booking", id), which is written once for the bookings of a week.
func (b *board) bookingURL(id string) string {
	if b.before == "" {
		b.before, b.behind, _ = strings.Cut(b.at("booking", "."), "=.")
		b.open = b.URL.Query().Get("booking")
	}
	return b.before + "=" + id + b.behind
}

// around fills in what surrounds the calendar: its name and where else to go.
func (b *board) around() {
	v, t := &b.view, b.Locale.T
	v.Here, v.Date = b.at(), b.day.Format(time.DateOnly)
	step := func(n int) string {
		to := when.AddDays(b.first, n*b.days)
		if b.span == "month" {
			to = when.DayStart(b.first.Year(), b.first.Month()+time.Month(n), 1, b.first.Location())
		}
		return b.at("date", to.Format(time.DateOnly))
	}
	v.PrevURL, v.NextURL, v.TodayURL = step(-1), step(1), b.at("date", "")
	for _, name := range []string{"span", "host", "view"} {
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
	if b.span == "day" && b.hasRooms() {
		v.Columns = b.columnTabs()
	}
	if !b.Actor.Own() && b.span != "month" && !b.rooms {
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
		v.NewURL = b.newBookingURL(b.base.Get("host"))
	}
	if b.May(app.MayCancel) && b.span == "day" {
		v.CancelURL = web.WithQuery(dash.CancelPath, b.base, "date", v.Date)
	}
	if h := b.hostFor(""); h != nil && b.May(app.MaySetHours) {
		v.BlockURL = b.gapURL(h, b.nextHour())
	}
}

// hostFor returns the host with the id whom the member sees, or the one that the calendar shows, or the first one.
func (b *board) hostFor(ref string) *catalog.Host {
	for i := range b.Setup.Hosts {
		h := &b.Setup.Hosts[i]
		if b.Actor.Sees(h.ID) && (h.ID.String() == ref || ref == "" && (h == b.host || b.host == nil && h.Active)) {
			return h
		}
	}
	return nil
}

// nextHour returns the next full hour of the day shown, or nine o'clock where the day is another one.
func (b *board) nextHour() time.Time {
	if now := b.Now(); web.SameDay(now, b.day) && now.Hour() < 23 {
		return wall(b.day, now.Hour()*60+60)
	}
	return wall(b.day, 9*60)
}

const localTime = web.LocalTime

// gapURL opens the panel that books or blocks a time.
func (b *board) gapURL(h *catalog.Host, at time.Time) string {
	return b.at("new", h.ID.String(), "at", at.Format(localTime))
}

func (b *board) dayLabel() string {
	today := web.Midnight(b.Now())
	for days, key := range map[int]string{-1: "calendar_yesterday", 0: "calendar_today", 1: "calendar_tomorrow"} {
		if web.SameDay(b.day, when.AddDays(today, days)) {
			return b.Locale.T(key) + ", " + b.Locale.Day(b.day)
		}
	}
	if b.day.Year() != today.Year() {
		return b.Locale.Date(b.day)
	}
	return b.Locale.Day(b.day)
}

func (b *board) weekLabel() string {
	last := when.AddDays(b.first, 6)
	_, week := b.first.ISOWeek()
	text := b.Locale.T("calendar_week_number", "Number", week)
	if b.first.Month() == last.Month() {
		return b.Locale.Month(b.first) + ", " + text
	}
	return b.Locale.MonthName(b.first) + " – " + b.Locale.Month(last) + ", " + text
}
