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

// weekLines returns the hours of a week, with days that have the same hours in one line.
func (c call) weekLines(weekly map[string][]string) (lines []dash.HoursLine) {
	first := 0
	for i := range web.WeekOrder {
		if i+1 < len(web.WeekOrder) &&
			strings.Join(weekly[web.WeekOrder[i+1]], ",") == strings.Join(weekly[web.WeekOrder[first]], ",") {
			continue
		}
		days := c.ShortDayName(web.WeekOrder[first])
		if i > first {
			days += " – " + c.ShortDayName(web.WeekOrder[i])
		}
		lines = append(lines, dash.HoursLine{Days: days, Hours: c.hoursTexts(weekly[web.WeekOrder[first]])})
		first = i + 1
	}
	return lines
}

// hoursText is "9:00–12:00, 13:00–17:00" by the clock of the page's language, or "off".
func (c call) hoursText(spans []string) string { return strings.Join(c.hoursTexts(spans), ", ") }

// hoursTexts returns the parts of hoursText.
func (c call) hoursTexts(spans []string) []string {
	if len(spans) == 0 {
		return []string{c.T("team_off_small")}
	}
	parts := make([]string, len(spans))
	for i, s := range spans {
		from, to, _ := strings.Cut(s, "-")
		a, errA := time.Parse("15:04", from)
		if to == "24:00" {
			to = "00:00"
		}
		b, errB := time.Parse("15:04", to)
		if errA != nil || errB != nil {
			parts[i] = s
			continue
		}
		parts[i] = c.Locale.Span(a, b, "")
	}
	return parts
}

// nextChange describes the first time after from whose hours are not the weekly ones.
func (c call) nextChange(h *catalog.Host, from time.Time) string {
	today := from.Format(time.DateOnly)
	text, at := "", ""
	for _, o := range h.Overrides {
		if o.Date >= today && (at == "" || o.Date < at) {
			d, _ := when.ParseDay(o.Date, h.Location())
			at, text = o.Date, c.Locale.Labelled(c.Day(d), c.hoursText(o.Hours))
		}
	}
	for _, t := range h.Away(from, from.AddDate(0, 0, 90)) {
		start := t.Start.Time().In(h.Location())
		if day := start.Format(time.DateOnly); at == "" || day < at {
			at, text = day, c.T("dash_away_short", "Span", c.AwaySpan(h.Location(), t.TimeOff))
			if why := c.AwayReason(&t); why != "" {
				text += " (" + why + ")"
			}
		}
	}
	return text
}

func (c call) hostHours() error {
	h, err := c.host()
	if err != nil {
		return err
	}
	return c.showHours(&h, nil, h.Weekly, nil)
}

func (c call) showHours(h *catalog.Host, typed url.Values, weekly map[string][]string, e *fault.Error) error {
	ref := h.ID.String()
	v := dash.PersonHoursPage{HostFrame: c.hostFrame(h, dash.HostHoursPath(ref)), Action: dash.HostHoursPath(ref),
		Hours: c.HoursDays(weekly, typed, e), Week: c.WeekGroup(), WhyURL: dash.HostWhyPath(ref)}
	v.Groups = []dash.Group{{Inputs: []dash.Input{{Name: "timeZone", Label: c.T("dash_time_zone"), Kind: "zone",
		Required: true, Value: h.TimeZone, Hint: c.T("dash_host_zone_hint")}}}}
	v.Problem = c.Fill(append(v.Groups, v.Week), typed, e)
	return c.Show(web.RefusedStatus(e), dash.PersonHours(v))
}

func (c call) saveHours() error {
	h, err := c.host()
	if err != nil {
		return err
	}
	form, err := c.Posted()
	if err != nil {
		return err
	}
	copied := web.CopyHours(form)
	weekly := web.ReadHours(form)
	if copied {
		return c.showHours(&h, form, weekly, nil)
	}
	_, err = c.Subjects.Shop.ChangeHost(c.Context(), c.Actor, c.PathValue("id"), func(h *catalog.Host) error {
		h.Weekly, h.TimeZone = weekly, form.Get("timeZone")
		return nil
	})
	if e := web.Refused(err); e != nil {
		return c.showHours(&h, form, weekly, e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.HostHoursPath(h.ID.String()), "saved")
}
