package shop

import (
	"net/url"
	"strings"
	"time"

	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/when"
	"daybook/views/dash"
)

// shownChanges limits the list of special days; the month view has them all.
const shownChanges = 20

func (c call) hostDates() error {
	h, err := c.host()
	if err != nil {
		return err
	}
	return c.showDates(&h, c.URL.Query().Get("date"), nil, nil)
}

// showDates shows the month of the chosen day, or the month in the query.
func (c call) showDates(h *catalog.Host, chosen string, typed url.Values, e *fault.Error) error {
	id := h.ID.String()
	today := web.Midnight(c.Subjects.Now().In(h.Location()))
	month := today
	if t, err := time.Parse("2006-01", c.URL.Query().Get("month")); err == nil {
		month = t
	}
	day, err := when.ParseDay(chosen, h.Location())
	if err != nil || day.Year() < 2000 || day.Year() > 9998 {
		chosen = ""
	} else {
		month = day
	}
	if month.Year() < 2000 || month.Year() > 9998 {
		month = today
	}
	begins := func(n time.Month) time.Time { return when.DayStart(month.Year(), month.Month()+n, 1, h.Location()) }
	v := dash.DatesPage{HostFrame: c.hostFrame(h, dash.HostDatesPath(id)), Month: c.Locale.Month(begins(0)),
		Action: dash.HostDatesPath(id), Chosen: chosen,
		PrevURL: dash.HostMonthPath(id, begins(-1)), NextURL: dash.HostMonthPath(id, begins(1))}
	for _, key := range web.WeekOrder {
		v.Weekdays = append(v.Weekdays, dash.Weekday{Short: c.ShortDayName(key), Long: c.DayName(key)})
	}
	v.Weeks = c.monthWeeks(h, begins(0), today, chosen)
	if chosen != "" {
		c.chosenDay(&v, h, day, typed)
	}
	v.Problem = c.Sentence(e)
	for _, o := range h.Overrides {
		if d, err := when.ParseDay(o.Date, h.Location()); err == nil && !d.Before(today) &&
			len(v.Changed) < shownChanges {
			v.Changed = append(v.Changed,
				dash.ChangedDay{Date: o.Date, Label: c.Day(d), Hours: c.hoursText(o.Hours), URL: dash.HostDatePath(id, o.Date)})
		}
	}
	return c.Show(web.RefusedStatus(e), dash.Dates(v))
}

func (c call) chosenDay(v *dash.DatesPage, h *catalog.Host, day time.Time, typed url.Values) {
	v.ChosenLabel, v.Usual = c.Locale.Date(day), c.hoursText(h.Weekly[catalog.Weekdays[day.Weekday()]])
	hours, override := h.DayHours(day)
	v.Mode = "usual"
	switch {
	case override && len(hours) == 0:
		v.Mode = "closed"
	case override:
		v.Mode = "hours"
	}
	if typed != nil {
		v.Mode, v.Until = typed.Get("mode"), typed.Get("until")
		hours = web.ReadSpans(typed["day.from"], typed["day.to"])
	}
	v.Spans = dash.HoursDay{Key: "day", Label: c.T("dash_hours")}
	for _, text := range hours {
		v.Spans.Ranges = append(v.Spans.Ranges, web.HoursRange(text))
	}
}

// monthWeeks returns the weeks of the month, from Monday to Sunday.
func (c call) monthWeeks(h *catalog.Host, month, today time.Time, chosen string) (weeks [][]dash.DateCell) {
	end := when.DayStart(month.Year(), month.Month()+1, 1, month.Location())
	for at := web.WeekStart(month); at.Before(end); {
		week := make([]dash.DateCell, 7)
		for i := range week {
			next := when.AddDays(at, 1)
			week[i] = dash.DateCell{Out: at.Month() != month.Month()}
			if !week[i].Out {
				week[i] = c.dateCell(h, at, next)
				date := at.Format(time.DateOnly)
				week[i].URL, week[i].Today, week[i].Chosen = dash.HostDatePath(h.ID.String(), date)+"#day", web.SameDay(at,
					today), date == chosen
			}
			at = next
		}
		weeks = append(weeks, week)
	}
	return weeks
}

func (c call) dateCell(h *catalog.Host, day, next time.Time) dash.DateCell {
	hours, override := h.DayHours(day)
	cell := dash.DateCell{Day: day.Format("2"), Lines: c.shortHours(hours)}
	said := c.hoursText(hours)
	switch away := h.Away(day, next); {
	case len(away) > 0 && len(hours) > 0:
		cell.Tone, cell.Note = "away", c.T("dash_time_off_small")
		said += ", " + c.T("dash_time_off_small")
		if why := c.AwayReason(&away[0]); why != "" {
			said = c.Locale.Labelled(said, why)
		}
	case override:
		cell.Tone, cell.Note = "changed", c.T("dash_changed")
		said += ", " + c.T("dash_changed")
	case len(hours) == 0:
		cell.Tone = "closed"
	}
	cell.Label = c.Locale.Labelled(c.Locale.Date(day), said)
	return cell
}

// shortHours returns the lines that a day of the month has room for: "9–12", "13–17"; a third span becomes "…".
func (c call) shortHours(hours []string) (lines []string) {
	if len(hours) == 0 {
		return []string{c.T("dash_closed_cell")}
	}
	short := func(s string) string { return strings.TrimSuffix(strings.TrimPrefix(s, "0"), ":00") }
	for i, span := range hours {
		if i == 2 {
			return append(lines, "…")
		}
		from, to, _ := strings.Cut(span, "-")
		lines = append(lines, short(from)+"–"+short(to))
	}
	return lines
}

func (c call) saveHostDate() error {
	h, err := c.host()
	if err != nil {
		return err
	}
	form, err := c.Posted()
	if err != nil {
		return err
	}
	var hours []string
	switch form.Get("mode") {
	case "closed":
		hours = []string{}
	case "hours":
		hours = web.ReadSpans(form["day.from"], form["day.to"])
		if len(hours) == 0 {
			return c.showDates(&h, form.Get("date"), form, fault.Invalid("hours", "say from when to when, or choose closed"))
		}
	}
	_, err = c.Subjects.Shop.SetOverride(c.Context(), c.Actor, c.PathValue("id"), form.Get("date"), form.Get("until"), hours)
	if e := web.Refused(err); e != nil {
		return c.showDates(&h, form.Get("date"), form, e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.HostDatePath(h.ID.String(), form.Get("date")), "saved")
}
