package page

import (
	"context"
	"time"

	"daybook/views"
)

// fortnight is how many days a narrow screen shows, in whole weeks counted from this one.
const fortnight = 14

// fillNear fills in the fortnight for narrow screens that has the picked day, or that is asked for: its days of the month
// that is shown, which are known, and those of the month before or after it.
func (c *calendar) fillNear(ctx context.Context, p *views.EventPage, shown month) error {
	now := c.service.Now().In(c.zone)
	at := p.Day
	if at.IsZero() {
		at = shown.day(max(c.from, 1), c.zone)
		if c.from == 0 && monthOf(now) == shown {
			at = now
		}
	}
	nth := func(first time.Time, n int) time.Time { return monthOf(first).day(first.Day()+n, c.zone) }
	start, passed := c.locale.WeekStart(now), 0
	for at.After(nth(start, fortnight).Add(-12 * time.Hour)) {
		start, passed = nth(start, fortnight), passed+1
	}
	p.Near.Days = make([]views.Day, fortnight)
	var beyond []*views.Day
	for i := range p.Near.Days {
		d := nth(start, i)
		if monthOf(d) == shown {
			p.Near.Days[i] = p.Month.Days[d.Day()-1]
			continue
		}
		p.Near.Days[i] = views.Day{Date: d, Today: views.ISODay(d) == views.ISODay(now)}
		beyond = append(beyond, &p.Near.Days[i])
	}
	q := c.query
	q.Start = ""
	if passed > 0 {
		p.Near.PrevURL = c.path(q.OnWeek(nth(start, -fortnight)))
	}
	if nth(start, fortnight).Add(-12 * time.Hour).Before(c.until()) {
		p.Near.NextURL = c.path(q.OnWeek(nth(start, fortnight)))
	}
	if q.Month == "" {
		q.Month, q.Week = p.Month.First.Format("2006-01"), ""
	} else if q.Month = ""; q.Date == "" {
		q.Week = views.ISODay(at)
	}
	p.Near.WholeURL = c.path(q)
	if c.query.Month != "" || len(beyond) == 0 || c.stopped != 0 { // the month is shown whole, or the search is at its end
		return nil
	}
	return c.fillBeyond(ctx, beyond)
}

// fillBeyond looks for the open times of the fortnight's days in another month than the one that is shown.
func (c *calendar) fillBeyond(ctx context.Context, days []*views.Day) (err error) {
	var open []openTime
	if !c.barren {
		if open, err = c.openOn(ctx, days[0].Date, days[len(days)-1].Date); err != nil {
			return err
		}
	}
	for _, d := range days {
		for _, t := range open {
			if t.local.YearDay() == d.Date.YearDay() {
				d.Open++
			}
		}
		if d.Open > 0 {
			d.URL = c.path(c.query.OnDay(d.Date))
		} else {
			d.Closed = c.closed(d.Date.Day(), monthOf(d.Date))
		}
	}
	return nil
}
