package agenda

import (
	"fmt"
	"slices"
	"time"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/record"
	"daybook/views/dash"
)

const shownDecisions, shownNext = 20, 12

func (c call) today() error {
	now := c.Now()
	v := dash.TodayPage{Frame: c.Frame("Today", "today"), Date: c.Locale.Date(now), NextURL: dash.BookingsPath,
		NewURL: dash.NewBookingPath}
	v.Live = true
	if len(c.Setup.EventTypes) == 0 {
		v.NewURL = ""
	}
	if err := c.decisions(&v); err != nil {
		return err
	}
	n := shownNext
	next, err := c.Rooms.Bookings(c.Context(), c.Actor,
		record.ListBookingsInput{Status: record.NamesOf(record.StandingStatuses, "", ","), Limit: &n})
	if err != nil {
		return err
	}
	for i := range next.Data {
		v.Next = append(v.Next, c.Row(&next.Data[i]))
	}
	if v.Stats, err = c.weekStats(now); err != nil {
		return err
	}
	if v.Trouble, err = c.trouble(); err != nil {
		return err
	}
	if len(c.Setup.EventTypes) > 0 {
		v.PageURL = c.Rooms.BaseURL() + "/" + c.Setup.Workspace.Slug
	}
	if v.Checks, err = c.checks(); err != nil {
		return err
	}
	return c.Show(200, dash.Today(v))
}

// decisions are the bookings that wait for approval, those that expire first on top.
func (c call) decisions(v *dash.TodayPage) error {
	n := 100
	waiting, err := c.Rooms.Bookings(c.Context(), c.Actor, record.ListBookingsInput{Status: "pending", Limit: &n})
	if err != nil {
		return err
	}
	for i := range waiting.Data {
		b := &waiting.Data[i]
		if b.PendingReason == nil || *b.PendingReason != record.ForApproval || len(v.Decide) == shownDecisions {
			continue
		}
		row := c.Row(b)
		row.Expires = "Expires " + c.Until(b.ExpiresAt)
		v.Decide = append(v.Decide, row)
	}
	return nil
}

func (c call) weekStats(now time.Time) ([]dash.Stat, error) {
	start := web.WeekStart(now)
	this, err := c.Rooms.Report.WeekFigures(c.Context(), c.Actor, start, start.AddDate(0, 0, 7))
	if err != nil {
		return nil, err
	}
	last, err := c.Rooms.Report.WeekFigures(c.Context(), c.Actor, start.AddDate(0, 0, -7), start)
	if err != nil {
		return nil, err
	}
	stats := []dash.Stat{
		c.Stat("Bookings", fmt.Sprint(this.Booked), fmt.Sprint(last.Booked), int64(this.Booked), int64(last.Booked)),
		c.Stat("Cancelled", fmt.Sprint(this.Cancelled), fmt.Sprint(last.Cancelled), 0, 0),
		c.Stat("No-shows", fmt.Sprint(this.NoShows), fmt.Sprint(last.NoShows), 0, 0),
	}
	if c.May(app.MaySeeAnalytics) {
		currency := c.Setup.Workspace.Currency
		a, b := this.Value[currency], last.Value[currency]
		stats = append(stats,
			c.Stat("Value", c.Money(&catalog.Money{Amount: a, Currency: currency}),
				c.Money(&catalog.Money{Amount: b, Currency: currency}), a, b))
	}
	return stats, nil
}

// checks are the steps that a new workspace has yet to take, for its owners; none once all are done.
func (c call) checks() ([]dash.Check, error) {
	if !c.May(app.MayManageMembers) {
		return nil, nil
	}
	route, err := c.Rooms.Mail.MailRoute(c.Context(), c.Actor.Workspace)
	if err != nil {
		return nil, err
	}
	w := &c.Setup.Workspace
	all := []dash.Check{
		{Label: "Connect a mail server, so that confirmations arrive", URL: dash.MailPath, Done: route != nil},
		{Label: "Say when people can book you", URL: dash.StartHoursPath, Done: len(c.Setup.Hosts) > 0},
		{Label: "Offer something to book", URL: dash.StartServicePath, Done: len(c.Setup.EventTypes) > 0},
		{Label: "Choose your colour and logo", URL: dash.SettingsBrandPath, Done: w.Settings.Color != "" ||
			w.Settings.LogoURL != ""},
		{Label: "Say where to find you", URL: dash.SettingsPath, Done: w.Settings.Address != "" ||
			w.Settings.Description != ""},
	}
	if slices.ContainsFunc(all, func(k dash.Check) bool { return !k.Done }) {
		return all, nil
	}
	return nil, nil
}
