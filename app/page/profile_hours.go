package page

import (
	"strings"
	"time"

	"daybook/app/catalog"
	"daybook/app/holiday"
	"daybook/app/slot"
	"daybook/views"
)

// Visitor is who looks at the page.
type Visitor struct {
	Locale *views.Locale
	Clock  views.Clock
	Zone   *time.Location // nil where it isn't known
}

// AddHours adds the opening hours of the week, and those of today in a line.
func (b Business) AddHours(s *views.Shop, by Visitor) {
	now, locale := b.Now.In(b.Setup.Zone), by.Locale
	opening := b.Setup.OpeningHours(now)
	if opening.None() {
		return
	}
	if by.Zone != nil && Differ(by.Zone, b.Setup.Zone, now) {
		s.Zone = locale.T("shop_hours_zone", "City", views.ZoneCity(b.Setup.Zone.String()))
	}
	for _, day := range locale.Week() {
		d := views.DayHours{Name: locale.NameOfDay(day), Today: day == now.Weekday(),
			Closed: locale.T("shop_closed")}
		for _, r := range opening[day] {
			d.Spans = append(d.Spans, by.span(r))
		}
		if d.Today {
			if why := b.closedToday(now, locale); why != "" {
				d.Spans, d.Closed = nil, why
			}
			s.Today = locale.T("shop_closed_today")
			if len(d.Spans) > 0 {
				s.Today = locale.T("shop_open_today", "Hours", strings.Join(d.Spans, ", "))
			}
		}
		s.Hours = append(s.Hours, d)
	}
}

// closedToday says why nobody works today although they usually do, or "". What is known of a public holiday is public;
// why else it is closed is the team's own.
func (b Business) closedToday(now time.Time, locale *views.Locale) string {
	midnight := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	return Closing(b.Setup, b.Setup.ClosedAll(midnight, midnight.AddDate(0, 0, 1)), locale, locale.T("shop_closed"))
}

// Closing says why a day is closed, otherwise for a reason that is no public holiday, or "" where it isn't closed.
func Closing(s *catalog.Setup, c *catalog.ClosedDay, locale *views.Locale, otherwise string) string {
	switch {
	case c == nil:
		return ""
	case c.Holiday == "":
		return otherwise
	}
	of := s.Workspace.Holidays
	name := holiday.Name(of.Country, of.Region, c.Holiday, locale.Language(),
		func(key string) string { return locale.T("holiday_" + key) })
	return locale.T("closed_holiday", "Holiday", name)
}

// span returns a stretch of a day as people write it.
func (by Visitor) span(r slot.Range) string {
	if r.End-r.Start >= 24*60 {
		return by.Locale.T("shop_all_day")
	}
	clock := func(minutes int) time.Time { return time.Date(2000, 1, 1, 0, minutes%(24*60), 0, 0, time.UTC) }
	return by.Locale.Span(clock(r.Start), clock(r.End), by.Clock)
}

// Differ reports whether clocks of two zones differ at a moment.
func Differ(a, b *time.Location, at time.Time) bool {
	_, one := at.In(a).Zone()
	_, other := at.In(b).Zone()
	return one != other
}
