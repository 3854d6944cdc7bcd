package web

import (
	"time"

	"daybook/app/catalog"
	"daybook/app/holiday"
	"daybook/app/when"
)

// AwayReason returns why somebody is away: what the team has written, or the name of the public holiday in the language
// of the page.
func (c *Call) AwayReason(a *catalog.Absence) string {
	if a.Holiday {
		return c.HolidayName(a.Reason)
	}
	return a.Reason
}

// HolidayName returns the name of one of the workspace's public holidays in the language of the page.
func (c *Call) HolidayName(name string) string {
	of := c.Setup.Workspace.Holidays
	if of == nil {
		return name
	}
	return holiday.Name(of.Country, of.Region, name, c.Locale.Language(),
		func(key string) string { return c.T("holiday_" + key) })
}

// AwaySpan is "Mon, 28 Dec – Fri, 1 Jan", with times where it does not cover whole days.
func (c *Call) AwaySpan(zone *time.Location, t catalog.TimeOff) string {
	from, to := t.Start.Time().In(zone), t.End.Time().In(zone)
	whole := from.Equal(Midnight(from)) && to.Equal(Midnight(to))
	if whole {
		if last := when.AddDays(to, -1); !SameDay(from, last) {
			return c.Day(from) + " – " + c.Day(last)
		}
		return c.Day(from)
	}
	if SameDay(from, to) {
		return c.Day(from) + ", " + c.Locale.Span(from, to, "")
	}
	return c.Day(from) + ", " + c.Locale.Time(from, "") + " – " + c.Day(to) + ", " + c.Locale.Time(to, "")
}
