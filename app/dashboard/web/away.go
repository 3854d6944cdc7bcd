package web

import (
	"daybook/app/catalog"
	"daybook/app/holiday"
)

// AwayReason is why somebody is away: what the team has written, or the name of the public holiday in the language of
// the page.
func (c *Call) AwayReason(a *catalog.Absence) string {
	if a.Holiday {
		return c.HolidayName(a.Reason)
	}
	return a.Reason
}

// HolidayName is the name of one of the workspace's public holidays in the language of the page.
func (c *Call) HolidayName(name string) string {
	of := c.Setup.Workspace.Holidays
	if of == nil {
		return name
	}
	return holiday.Name(of.Country, name, c.Locale.Language(), func(key string) string { return c.T("holiday_" + key) })
}
