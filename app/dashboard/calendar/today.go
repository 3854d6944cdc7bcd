package calendar

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/dashboard/web"
	"daybook/app/money"
	"daybook/app/when"
	"daybook/views/dash"
)

const shownDecisions, shownNext = 20, 6

func (c call) today() error {
	now := c.Now()
	v := dash.TodayPage{Frame: c.Frame(c.T("today_title"), "today"), Date: c.Locale.Date(now), NextURL: dash.BookingsPath,
		NewURL: dash.NewBookingPath}
	v.Live, v.InParts = true, true
	if err := c.Cancelling(&v.Frame, true); err != nil {
		return err
	}
	v.Unready, v.First = len(c.Setup.EventTypes) == 0 || len(c.Setup.Hosts) == 0, c.FirstStep()
	if v.Unready {
		v.NewURL = ""
	}
	var err error
	if v.Toast, err = c.toast(); err != nil {
		return err
	}
	if err := c.decisions(&v); err != nil {
		return err
	}
	if err := c.sheet(&v, now); err != nil {
		return err
	}
	if err := c.nextDays(&v, now); err != nil {
		return err
	}
	c.later(&v)
	if v.Host == "" {
		if c.Actor.Host != 0 {
			v.MonthURL = dash.StatementPath
		}
		if v.Stats, err = c.weekStats(now); err != nil {
			return err
		}
	}
	if err := c.alerts(&v); err != nil {
		return err
	}
	if v.Freed, err = c.freedTimes(); err != nil {
		return err
	}
	if c.May(app.MayTakeMoney) {
		v.SellURL = dash.SellPath
	}
	if v.Sales, err = c.openSales(dash.TodayPath); err != nil {
		return err
	}
	if v.Calls, err = c.toCall(); err != nil {
		return err
	}
	if !v.Unready {
		v.PageURL = c.Subjects.BaseURL() + "/" + c.Setup.Workspace.Slug
	}
	if v.Checks, err = c.checks(); err != nil {
		return err
	}
	return c.Show(200, dash.Today(v))
}

// nextDays are the first bookings after today.
func (c call) nextDays(v *dash.TodayPage, now time.Time) error {
	n := shownNext
	next, err := c.Subjects.Bookings(c.Context(), c.Actor,
		booking.ListBookingsInput{Status: booking.NamesOf(booking.StandingStatuses, "", ","), Limit: &n,
			Host: v.Host, From: when.AddDays(now, 1).Format(time.DateOnly), TimeZone: c.Setup.Workspace.TimeZone})
	if err != nil {
		return err
	}
	for i := range next.Data {
		row := c.Row(&next.Data[i])
		row.CardURL = c.cardURL(&next.Data[i])
		v.Next = append(v.Next, row)
	}
	return nil
}

// decisions are the bookings that wait for approval, those that expire first on top.
func (c call) decisions(v *dash.TodayPage) error {
	n := 100
	waiting, err := c.Subjects.Bookings(c.Context(), c.Actor, booking.ListBookingsInput{Status: "pending", Limit: &n})
	if err != nil {
		return err
	}
	var asked []*booking.Booking // by row
	for i := range waiting.Data {
		b := &waiting.Data[i]
		if b.PendingReason == nil || *b.PendingReason != booking.ForApproval || len(v.Decide) == shownDecisions {
			continue
		}
		if i := slices.IndexFunc(asked, func(o *booking.Booking) bool { return sameVisit(o, b) || sameSeries(o, b) }); i >= 0 {
			if sameVisit(asked[i], b) {
				v.Decide[i].Type += ", " + c.TypeTitle(b) // they are decided together
			}
			if c.requires(b) {
				v.Decide[i].ConfirmURL = ""
			}
			continue
		}
		asked = append(asked, b)
		row := c.Row(b)
		row.Expires = c.T("today_expires", "When", c.Until(b.ExpiresAt))
		if c.requires(b) {
			row.ConfirmURL = ""
		}
		if b.Series != nil {
			row.When += ", " + c.T("today_dates", "Count", b.Series.Of)
		}
		v.Decide = append(v.Decide, row)
	}
	return nil
}

// requires reports whether the service of a booking requires something, which is looked at before it is confirmed.
func (c call) requires(b *booking.Booking) bool {
	e := c.Setup.EventTypeByID(b.EventTypeID)
	return e != nil && len(e.Requires) > 0
}

func (c call) weekStats(now time.Time) ([]dash.Stat, error) {
	start := web.WeekStart(now)
	this, err := c.Subjects.Report.WeekFigures(c.Context(), c.Actor, start, when.AddDays(start, 7))
	if err != nil {
		return nil, err
	}
	last, err := c.Subjects.Report.WeekFigures(c.Context(), c.Actor, when.AddDays(start, -7), start)
	if err != nil {
		return nil, err
	}
	stats := []dash.Stat{
		c.Stat(c.T("today_week_bookings"), fmt.Sprint(this.Booked), fmt.Sprint(last.Booked),
			int64(this.Booked), int64(last.Booked)),
		c.Stat(c.T("today_week_cancelled"), fmt.Sprint(this.Cancelled), fmt.Sprint(last.Cancelled), 0, 0),
		c.Stat(c.T("today_week_no_shows"), fmt.Sprint(this.NoShows), fmt.Sprint(last.NoShows), 0, 0),
	}
	if c.May(app.MaySeeAnalytics) {
		currency := c.Setup.Workspace.Currency
		a, b := this.Value[currency], last.Value[currency]
		stats = append(stats,
			c.Stat(c.T("today_week_value"), c.Money(&money.Money{Amount: a, Currency: currency}),
				c.Money(&money.Money{Amount: b, Currency: currency}), a, b))
	}
	return stats, nil
}

// checks returns the steps that a new workspace has yet to take, for its owners; none once all are done.
func (c call) checks() ([]dash.Check, error) {
	if !c.May(app.MayManageMembers) {
		return nil, nil
	}
	route, err := c.Subjects.Mail.MailRoute(c.Context(), c.Actor.Workspace)
	if err != nil {
		return nil, err
	}
	unchecked, err := c.Subjects.Mail.ServerCheck(c.Context(), c.Actor.Workspace)
	if err != nil {
		return nil, err
	}
	w := &c.Setup.Workspace
	all := []dash.Check{
		{Label: c.T("today_check_mail"), URL: dash.MailPath, Done: route != nil && unchecked == nil},
		{Label: c.T("today_check_hours"), URL: dash.StartHoursPath, Done: len(c.Setup.Hosts) > 0},
		{Label: c.T("today_check_service"), URL: dash.StartServicePath, Done: len(c.Setup.EventTypes) > 0},
		{Label: c.T("today_check_brand"), URL: dash.SettingsBrandPath, Done: w.Settings.Color != "" ||
			c.Setup.Logo() != ""},
		{Label: c.T("today_check_place"), URL: dash.SettingsPath, Done: w.Settings.Address != "" ||
			w.Settings.Description != ""},
	}
	if slices.ContainsFunc(all, func(k dash.Check) bool { return !k.Done }) {
		return all, nil
	}
	return nil, nil
}

// toast returns what was just marked on Today. It is nil when that no longer is so.
func (c call) toast() (*dash.Toast, error) {
	what, id, ok := strings.Cut(c.URL.Query().Get("said"), ".")
	if !ok {
		return nil, nil
	}
	id, whole := strings.CutSuffix(id, wholeVisit)
	b, err := c.Subjects.Booking(c.Context(), c.Actor, id)
	if web.Refused(err) != nil {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	switch what {
	case "took":
		if whole {
			return c.tookVisit(&b)
		}
		t := c.tookToast(&b)
		if t != nil {
			t.SoonURL, t.SoonLabel, err = c.soonAgain(&b)
		}
		return t, err
	case "gave":
		return &dash.Toast{Text: c.T("till_said_gave_name", "Name", c.Invitee(&b))}, nil
	}
	if what == "undone" {
		return &dash.Toast{Text: c.T("today_said_undone", "Name", c.Invitee(&b))}, nil
	}
	if what != string(app.LastMark(&b)) {
		return nil, nil
	}
	text := map[app.Mark]string{app.ArrivedMark: c.T("today_said_arrived", "Name", c.Invitee(&b)),
		app.DoneMark:   c.T("today_said_done", "Name", c.Invitee(&b)),
		app.NoShowMark: c.T("today_said_no_show", "Name", c.Invitee(&b))}[app.LastMark(&b)]
	return &dash.Toast{Text: text, Name: c.Invitee(&b), UndoURL: dash.BookingDoPath(id, dash.DoUndo), Of: what,
		Back: c.URL.Query().Get("host"), Visit: whole}, nil
}

// tookToast says what was just paid, and offers to take it back.
func (c call) tookToast(b *booking.Booking) *dash.Toast {
	rows := c.TillRows(b, dash.TodayPath, nil)
	if len(rows) == 0 || rows[len(rows)-1].Gone {
		return nil
	}
	p := &b.Payments[len(b.Payments)-1]
	back := web.WithQuery(dash.TodayPath, url.Values{"host": {c.URL.Query().Get("host")}})
	return &dash.Toast{Text: c.T("till_said_took_from", "Name", c.Invitee(b), "Amount",
		c.Money(&money.Money{Amount: p.Amount + p.Tip, Currency: p.Currency}), "Method", c.MethodName(p.Method)),
		Name: c.Invitee(b), UndoURL: c.TillRows(b, back, nil)[len(rows)-1].UndoURL}
}
