package dashboard

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"daybook/app"
	"daybook/views"
)

// hostMonth shows the hours of each day of a month, and which days have their own.
func (d *Door) hostMonth(c *call) error {
	h, err := d.Host(c.actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	now := d.Now().In(h.Location())
	first := time.Date(now.Year(), now.Month(), 1, 12, 0, 0, 0, time.UTC)
	if m, err := time.Parse("2006-01", c.URL.Query().Get("month")); err == nil {
		first = m.Add(12 * time.Hour)
	}
	id := h.ID.String()
	path := hostsPath + "/" + id
	v := views.MonthPage{Dash: c.dash(h.Name, "hours"), BackURL: c.hostsBack(), Tabs: hostTabs(id, "month"), Label: c.locale.Month(first)}
	month := func(t time.Time) string { return path + "/month?month=" + t.Format("2006-01") }
	v.PrevURL, v.NextURL = month(first.AddDate(0, -1, 0)), month(first.AddDate(0, 1, 0))
	for _, key := range weekOrder {
		v.Weekdays = append(v.Weekdays, titled(key))
	}
	week := make([]views.MonthDay, (int(first.Weekday())+6)%7, 7)
	for day := first; day.Month() == first.Month(); day = day.AddDate(0, 0, 1) {
		date := day.Format(time.DateOnly)
		hours, own := hoursOn(&h, day)
		cell := views.MonthDay{
			Number: day.Format("2"), URL: path + "/day?date=" + date, Label: c.locale.Date(day), Own: own, Closed: len(hours) == 0,
			Today: date == now.Format(time.DateOnly), Away: awayOn(&h, day),
		}
		for _, r := range hours {
			cell.Hours = append(cell.Hours, strings.ReplaceAll(r, "-", "–"))
		}
		if week = append(week, cell); len(week) == 7 {
			v.Weeks, week = append(v.Weeks, week), make([]views.MonthDay, 0, 7)
		}
	}
	if len(week) > 0 {
		v.Weeks = append(v.Weeks, append(week, make([]views.MonthDay, 7-len(week))...))
	}
	return c.show(200, views.HostMonth(v))
}

// hoursOn are the hours of a day, and whether they are its own.
func hoursOn(h *app.Host, day time.Time) (hours []string, own bool) {
	date := day.Format(time.DateOnly)
	for _, o := range h.Overrides {
		if o.Date == date {
			return o.Hours, true
		}
	}
	return h.Weekly[app.Weekdays[day.Weekday()]], false
}

// awayOn reports whether the host is away for the whole of the day.
func awayOn(h *app.Host, day time.Time) bool {
	from := time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, h.Location())
	to := from.AddDate(0, 0, 1)
	return slices.ContainsFunc(h.TimeOff, func(t app.TimeOff) bool { return t.Start <= app.At(from) && t.End >= app.At(to) })
}

func (d *Door) hostDayForm(c *call) error {
	h, err := d.Host(c.actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	return c.showHostDay(&h, c.URL.Query().Get("date"), nil, nil)
}

func (c *call) showHostDay(h *app.Host, date string, typed url.Values, e *app.Error) error {
	day, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return app.Missing("day", date)
	}
	path := hostsPath + "/" + h.ID.String()
	v := views.DayPage{Dash: c.dash(c.locale.Date(day), "hours"), BackURL: path + "/month?month=" + day.Format("2006-01"), Action: path + "/day?date=" + date, Problem: sentence(e)}
	hours, own := hoursOn(h, day)
	weekly := h.Weekly[app.Weekdays[day.Weekday()]]
	v.Usual = "As on every " + day.Weekday().String() + ": " + map[bool]string{true: "closed", false: strings.ReplaceAll(strings.Join(weekly, ", "), "-", "–")}[len(weekly) == 0]
	v.Mode = "usual"
	if own {
		v.Mode = map[bool]string{true: "closed", false: "own"}[len(hours) == 0]
	}
	if typed != nil {
		v.Mode, hours = typed.Get("mode"), readSpans(typed["day.from"], typed["day.to"])
	}
	row := views.HoursDay{Key: "day", Label: "From – to"}
	for _, r := range hours {
		row.Ranges = append(row.Ranges, hoursRange(r))
	}
	v.Hours = []views.HoursDay{row}
	return c.show(refusedStatus(e), views.HostDay(v))
}

func (d *Door) saveHostDay(c *call) error {
	h, err := d.Host(c.actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	form, err := c.posted()
	if err != nil {
		return err
	}
	old, date := h, c.URL.Query().Get("date")
	day, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return app.Missing("day", date)
	}
	h.Overrides = slices.DeleteFunc(slices.Clone(h.Overrides), func(o app.Override) bool { return o.Date == date })
	switch form.Get("mode") {
	case "closed":
		h.Overrides = append(h.Overrides, app.Override{Date: date, Hours: []string{}})
	case "own":
		spans := readSpans(form["day.from"], form["day.to"])
		if len(spans) == 0 {
			return c.showHostDay(&old, date, form, app.Invalid("hours", "say from when to when, or choose another line"))
		}
		h.Overrides = append(h.Overrides, app.Override{Date: date, Hours: spans})
	}
	slices.SortFunc(h.Overrides, func(a, b app.Override) int { return strings.Compare(a.Date, b.Date) })
	_, err = d.SaveHost(c.Context(), c.actor, h)
	if e := refused(err); e != nil {
		return c.showHostDay(&old, date, form, e)
	}
	if err != nil {
		return err
	}
	return c.redirect(hostsPath+"/"+h.ID.String()+"/month?month="+day.Format("2006-01"), "saved")
}
