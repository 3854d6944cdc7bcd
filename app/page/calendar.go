package page

import (
	"context"
	"time"

	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/when"
	"daybook/views"
)

// calendar makes the month that a visitor looks at, in the visitor's zone.
type calendar struct {
	*call
	event   *catalog.EventType
	visit   *availability.VisitInput // what is searched of a visit; nil of one service
	path    func(views.Query) string // the path of this calendar's page
	exclude booking.BookingID        // the booking that is being moved
	own     when.Instant             // the booking's or visit's time, which is not offered
	stopped when.Instant             // where a search ended before it was complete, else zero
	barren  bool                     // the fortnight that is asked for has no open times after its first month
	from    int                      // the day of the month from which on one is picked, where the address says so
}

// month is a calendar month, in any zone.
type month struct {
	year  int
	month time.Month
}

func monthOf(t time.Time) month { return month{t.Year(), t.Month()} }

func (m month) before(o month) bool { return m.year < o.year || m.year == o.year && m.month < o.month }

func (m month) next(n int) month {
	return monthOf(time.Date(m.year, m.month+time.Month(n), 1, 0, 0, 0, 0, time.UTC))
}

// day is noon of a day. Every day has a noon; some have no midnight.
func (m month) day(n int, zone *time.Location) time.Time {
	return time.Date(m.year, m.month, n, 12, 0, 0, 0, zone)
}

func (m month) days() int { return time.Date(m.year, m.month+1, 0, 12, 0, 0, 0, time.UTC).Day() }

// view returns the month asked for, or else the first that has open times.
func (c *calendar) view(ctx context.Context) (views.EventPage, error) {
	p := views.EventPage{Page: c.page()}
	shown, picked := c.asked()
	open, err := c.openIn(ctx, shown, 1)
	if err != nil {
		return p, err
	}
	// otherwise the visitor could never get past that point
	if picked > 1 && c.stopped != 0 && c.stopped < when.At(shown.day(picked, c.zone)) {
		if open, err = c.openIn(ctx, shown, picked); err != nil {
			return p, err
		}
	}
	var next when.Instant
	searched := false
	if len(open) == 0 && c.stopped == 0 && c.query.Date == "" && c.query.Month == "" && c.query.Week == "" {
		if next, err = c.after(ctx, shown); err != nil {
			return p, err
		}
		searched = true
		if next != 0 {
			searched, shown = false, monthOf(c.local(next))
			if open, err = c.openIn(ctx, shown, 1); err != nil {
				return p, err
			}
		}
	}
	if picked == 0 {
		picked = c.firstDay(open)
	}
	if over := c.from + fortnight - 1 - shown.days(); picked == 0 && c.from > 0 && over > 0 && c.stopped == 0 {
		there, err := c.openOn(ctx, shown.next(1).day(1, c.zone), shown.next(1).day(over, c.zone))
		if err != nil {
			return p, err
		}
		if c.barren = len(there) == 0; !c.barren {
			shown, picked = shown.next(1), there[0].local.Day()
			if open, err = c.openIn(ctx, shown, 1); err != nil {
				return p, err
			}
		}
	}
	c.fill(&p, shown, picked, open)
	if err := c.fillNear(ctx, &p, shown); err != nil {
		return p, err
	}
	if len(p.Times) == 0 && !searched {
		if err := c.offerNext(ctx, &p, shown, open); err != nil {
			return p, err
		}
	}
	c.sayStopped(&p)
	return p, nil
}

// sayStopped offers to continue from where a search ended, unless the next open time is known.
func (c *calendar) sayStopped(p *views.EventPage) {
	if c.stopped == 0 || p.NextURL != "" {
		return
	}
	q := c.query
	q.Start = ""
	at := c.local(c.stopped)
	p.LookedTo = monthOf(at).day(at.Day(), c.zone)
	p.LookOnURL = c.path(q.OnDay(p.LookedTo))
}

// asked returns the month and day in the URL, limited to what can be booked; day is 0 without one.
func (c *calendar) asked() (m month, day int) {
	first, last := c.bounds()
	m = first
	if c.own != 0 {
		m = monthOf(c.local(c.own))
	}
	if t, err := time.Parse(time.DateOnly, c.query.Date); err == nil {
		m, day = monthOf(t), t.Day()
	} else if t, err := time.Parse(time.DateOnly, c.query.Week); err == nil {
		m, c.from = monthOf(t), t.Day()
	} else if t, err := time.Parse("2006-01", c.query.Month); err == nil {
		m = monthOf(t)
	}
	switch {
	case m.before(first):
		m, day, c.from = first, 0, 0
	case last.before(m):
		m, day, c.from = last, 0, 0
	}
	return m, day
}

// firstDay returns the first day with open times, or 0: that of the fortnight that is asked for, or when a booking is
// being moved, the first from its day on if there is one.
func (c *calendar) firstDay(open []openTime) int {
	for _, t := range open {
		day := t.local.Day()
		if c.from > 0 && day >= c.from && day < c.from+fortnight || c.from == 0 && when.At(t.local) >= c.own {
			return day
		}
	}
	if c.from > 0 || len(open) == 0 {
		return 0
	}
	return open[0].local.Day()
}

// bounds returns the first and the last month in which something can be booked.
func (c *calendar) bounds() (first, last month) {
	return monthOf(c.service.Now().In(c.zone)), monthOf(c.until())
}

// until returns until when something can be booked.
func (c *calendar) until() time.Time {
	days := c.event.BookingWindowDays
	if c.visit != nil {
		for _, item := range c.visit.Items {
			days = max(days, c.setup.EventType(item.EventType).BookingWindowDays)
		}
	}
	return c.service.Now().In(c.zone).AddDate(0, 0, days)
}

// openTime is an open start on the visitor's clock.
type openTime struct {
	availability.OpenTime
	local time.Time
}

// openIn lists the open times of a month, starting on one of its days.
func (c *calendar) openIn(ctx context.Context, m month, first int) ([]openTime, error) {
	const margin = 14 * time.Hour // whatever its zone did, noon is at most that far from the first moment of the month
	found, stopped, err := c.search(ctx, when.At(m.day(first, c.zone).Add(-margin)),
		when.At(m.next(1).day(1, c.zone).Add(-12*time.Hour+2*time.Hour)))
	if err != nil {
		return nil, err
	}
	c.stopped = stopped
	return c.onDays(found, m.day(first, c.zone), m.day(m.days(), c.zone)), nil
}

// openOn lists the open times of some days, the last included.
func (c *calendar) openOn(ctx context.Context, first, last time.Time) ([]openTime, error) {
	found, stopped, err := c.search(ctx, when.At(first.Add(-14*time.Hour)), when.At(last.Add(14*time.Hour)))
	if err != nil {
		return nil, err
	}
	c.stopped = stopped
	return c.onDays(found, first, last), nil
}

// onDays keeps the times that start on these days of the visitor's, but for that of the booking that is being moved.
func (c *calendar) onDays(found []availability.OpenTime, first, last time.Time) []openTime {
	from, to := time.Date(first.Year(), first.Month(), first.Day(), 0, 0, 0, 0, c.zone), time.Date(last.Year(), last.Month(), last.Day()+1, 0, 0, 0, 0, c.zone)
	open := make([]openTime, 0, len(found))
	for _, f := range found {
		if local := c.local(f.Start); !local.Before(from) && local.Before(to) && f.Start != c.own {
			open = append(open, openTime{f, local})
		}
	}
	return open
}

// search returns the open times in [from, to), and where it stopped early.
func (c *calendar) search(ctx context.Context, from, to when.Instant) ([]availability.OpenTime, when.Instant, error) {
	if c.visit != nil {
		return c.visitTimes(ctx, *c.visit, from, to)
	}
	return c.service.OpenTimes(ctx, c.actor, availability.OpenTimesInput{
		EventType: c.event.Slug, Host: c.hostRef(), Exclude: c.exclude, Setup: c.draft, Choice: c.choice, From: from, To: to,
	})
}

// searchNext returns the next n open times.
func (c *calendar) searchNext(ctx context.Context, from when.Instant, n int) ([]availability.OpenTime, when.Instant, error) {
	if c.visit != nil {
		return c.nextVisitTimes(ctx, *c.visit, from, n)
	}
	return c.service.NextOpenTimes(ctx, c.actor, availability.OpenTimesInput{
		EventType: c.event.Slug, Host: c.hostRef(), Exclude: c.exclude, Setup: c.draft, Choice: c.choice, From: from,
	}, n)
}

// after returns the first open start after a month, or zero.
func (c *calendar) after(ctx context.Context, m month) (when.Instant, error) {
	next, stopped, err := c.searchNext(ctx, when.At(m.next(1).day(1, c.zone).Add(-12*time.Hour)), 2)
	if err != nil {
		return 0, err
	}
	for _, n := range next {
		if n.Start != c.own {
			return n.Start, nil
		}
	}
	c.stopped = stopped
	return 0, nil
}

// fill fills in the days of the month and the times of the picked day.
func (c *calendar) fill(p *views.EventPage, shown month, picked int, open []openTime) {
	now := c.service.Now().In(c.zone)
	first, last := c.bounds()
	q := c.query
	q.Start = ""
	p.Month.First = shown.day(1, c.zone)
	if first.before(shown) {
		p.Month.PrevURL = c.path(q.OnMonth(shown.next(-1).day(1, c.zone)))
	}
	if shown.before(last) {
		p.Month.NextURL = c.path(q.OnMonth(shown.next(1).day(1, c.zone)))
	}
	p.Month.Days = make([]views.Day, shown.days())
	for i := range p.Month.Days {
		d := shown.day(i+1, c.zone)
		p.Month.Days[i] = views.Day{Date: d, Picked: i+1 == picked, Today: monthOf(now) == shown && now.Day() == i+1}
	}
	if picked > 0 {
		p.Day = shown.day(picked, c.zone)
	}
	onDay := q.OnDay(p.Day)
	for _, t := range open {
		d := &p.Month.Days[t.local.Day()-1]
		if d.Open++; d.Open == 1 {
			d.URL = c.path(q.OnDay(d.Date))
		}
		if d.Picked {
			p.Times = append(p.Times, views.Time{Start: t.local, URL: c.path(onDay.OnTime(t.local)), Seats: t.Seats})
		}
	}
	for i := range p.Month.Days {
		if d := &p.Month.Days[i]; d.Open == 0 {
			d.Closed = c.closed(i+1, shown)
		}
	}
	c.fillClock(p, q)
}

// closed says why the business is closed on a day of the visitor's, or "".
func (c *calendar) closed(day int, shown month) string {
	at := func(day int) time.Time { return time.Date(shown.year, shown.month, day, 0, 0, 0, 0, c.zone) }
	return Closing(c.setup, c.setup.ClosedOn(c.event, at(day), at(day+1)), c.locale, c.locale.T("closed_day"))
}

// fillClock adds how the times are shown: in which zone, and with 12 or 24 hours.
func (c *calendar) fillClock(p *views.EventPage, q views.Query) {
	p.Zone = views.ZonePicker{
		Name: c.zone.String(), Now: c.service.Now().In(c.zone), Chosen: q.TimeZone != "", Error: c.zoneWrong,
		Action: c.path(views.Query{}), Shop: c.fixed, Differs: c.elsewhere,
	}
	for _, pair := range q.Pairs() {
		if pair.Name != "timeZone" {
			p.Zone.Hidden = append(p.Zone.Hidden, pair)
		}
	}
	p.Clock12URL, p.Clock24URL = c.path(q.WithClock(views.Clock12)), c.path(q.WithClock(views.Clock24))
}

// offerNext says when the next open day is: after the picked one, or else after the month.
func (c *calendar) offerNext(ctx context.Context, p *views.EventPage, shown month, open []openTime) error {
	after := p.Day.Day()
	if p.Day.IsZero() {
		after = c.from - 1
	}
	for _, t := range open {
		if t.local.Day() > after {
			c.setNext(p, t.local)
			return nil
		}
	}
	if c.stopped != 0 {
		return nil
	}
	next, err := c.after(ctx, shown)
	if err == nil && next != 0 {
		c.setNext(p, c.local(next))
	}
	return err
}

func (c *calendar) setNext(p *views.EventPage, at time.Time) {
	q := c.query
	q.Start = ""
	p.Next = monthOf(at).day(at.Day(), c.zone)
	p.NextURL = c.path(q.OnDay(p.Next))
}
