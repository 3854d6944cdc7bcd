package dashboard

import (
	"fmt"
	"slices"
	"time"

	"daybook/app"
	"daybook/views/dash"
)

const shownDecisions, shownNext = 20, 12

func (d *Door) today(c *call) error {
	now := c.now()
	v := dash.TodayPage{Frame: c.frame("Today", "today"), Date: c.locale.Date(now), NextURL: dash.BookingsPath, NewURL: dash.NewBookingPath}
	v.Live = true
	if len(c.setup.EventTypes) == 0 {
		v.NewURL = ""
	}
	if err := d.decisions(c, &v); err != nil {
		return err
	}
	n := shownNext
	next, err := d.Bookings(c.Context(), c.actor, app.ListBookingsInput{Status: "confirmed,rescheduled", Limit: &n})
	if err != nil {
		return err
	}
	for i := range next.Data {
		v.Next = append(v.Next, c.row(&next.Data[i]))
	}
	if v.Stats, err = d.weekStats(c, now); err != nil {
		return err
	}
	if v.Trouble, err = d.trouble(c); err != nil {
		return err
	}
	if len(c.setup.EventTypes) > 0 {
		v.PageURL = d.BaseURL() + "/" + c.setup.Workspace.Slug
	}
	if v.Checks, err = c.checks(); err != nil {
		return err
	}
	return c.show(200, dash.Today(v))
}

// decisions are the bookings that wait for approval, those that lapse first on top.
func (d *Door) decisions(c *call, v *dash.TodayPage) error {
	n := 100
	waiting, err := d.Bookings(c.Context(), c.actor, app.ListBookingsInput{Status: "pending", Limit: &n})
	if err != nil {
		return err
	}
	for i := range waiting.Data {
		b := &waiting.Data[i]
		if b.PendingReason == nil || *b.PendingReason != app.ForApproval || len(v.Decide) == shownDecisions {
			continue
		}
		row := c.row(b)
		row.Expires = "Expires " + c.until(b.ExpiresAt)
		v.Decide = append(v.Decide, row)
	}
	return nil
}

func (d *Door) weekStats(c *call, now time.Time) ([]dash.Stat, error) {
	start := weekStart(now)
	this, err := d.Report.WeekFigures(c.Context(), c.actor, start, start.AddDate(0, 0, 7))
	if err != nil {
		return nil, err
	}
	last, err := d.Report.WeekFigures(c.Context(), c.actor, start.AddDate(0, 0, -7), start)
	if err != nil {
		return nil, err
	}
	stats := []dash.Stat{
		stat("Bookings", fmt.Sprint(this.Booked), fmt.Sprint(last.Booked), int64(this.Booked), int64(last.Booked)),
		stat("Cancelled", fmt.Sprint(this.Cancelled), fmt.Sprint(last.Cancelled), 0, 0),
		stat("No-shows", fmt.Sprint(this.NoShows), fmt.Sprint(last.NoShows), 0, 0),
	}
	if c.actor.Role != app.StaffRole {
		currency := c.setup.Workspace.Currency
		a, b := this.Value[currency], last.Value[currency]
		stats = append(stats, stat("Value", c.money(&app.Money{Amount: a, Currency: currency}), c.money(&app.Money{Amount: b, Currency: currency}), a, b))
	}
	return stats, nil
}

func stat(label, value, before string, a, b int64) dash.Stat {
	s := dash.Stat{Label: label, Value: value, Before: "last week " + before}
	switch {
	case a > b:
		s.Trend = "up"
	case a < b:
		s.Trend = "down"
	}
	return s
}

// checks are the steps that a new workspace has still to take; none once all are done.
func (c *call) checks() ([]dash.Check, error) {
	if c.actor.Role != app.OwnerRole {
		return nil, nil
	}
	route, err := c.door.Mail.MailRoute(c.actor.Workspace)
	if err != nil {
		return nil, err
	}
	w := &c.setup.Workspace
	all := []dash.Check{
		{Label: "Connect a mail server, so that confirmations arrive", URL: dash.MailPath, Done: route != nil},
		{Label: "Say when people can book you", URL: dash.StartHoursPath, Done: len(c.setup.Hosts) > 0},
		{Label: "Offer something to book", URL: dash.StartServicePath, Done: len(c.setup.EventTypes) > 0},
		{Label: "Choose your colour and logo", URL: dash.SettingsBrandPath, Done: w.Settings.Color != "" || w.Settings.LogoURL != ""},
		{Label: "Say where to find you", URL: dash.SettingsPath, Done: w.Settings.Address != "" || w.Settings.Description != ""},
	}
	if slices.ContainsFunc(all, func(k dash.Check) bool { return !k.Done }) {
		return all, nil
	}
	return nil, nil
}
