package shop

import (
	"time"

	"daybook/app/dashboard/web"
	"daybook/app/shop"
	"daybook/app/slot"
	"daybook/app/when"
	"daybook/views/dash"
)

// whys are the messages that say why a time is closed.
var whys = map[slot.Reason]string{
	slot.Inactive:      "dash_why_inactive_text",
	slot.InPast:        "dash_why_past_text",
	slot.TooSoon:       "dash_why_soon_text",
	slot.TooFar:        "dash_why_far_text",
	slot.OutsideHours:  "dash_why_outside_text",
	slot.OffGrid:       "dash_why_grid_text",
	slot.Booked:        "dash_why_booked_text",
	slot.Held:          "hold_why",
	slot.Offered:       "wait_why",
	slot.Buffer:        "dash_why_buffer_text",
	slot.TimeOff:       "dash_why_off_text",
	slot.Busy:          "dash_why_busy_text",
	slot.ResourceTaken: "dash_why_resource_text",
	slot.HostsTaken:    "dash_why_hosts_text",
	slot.DayFull:       "dash_why_full_text",
	slot.HostWeekFull:  "limit_host_week",
	slot.WeekFull:      "limit_week",
}

func (c call) whyBadge(r slot.Reason) dash.Badge {
	switch r {
	case slot.Open:
		return dash.Badge{Text: c.T("dash_badge_open"), Tone: "good"}
	case slot.Booked, slot.Held, slot.Offered:
		return dash.Badge{Text: c.T("dash_badge_booked"), Tone: "info"}
	case slot.Buffer:
		return dash.Badge{Text: c.T("dash_badge_buffer"), Tone: "info"}
	case slot.TimeOff:
		return dash.Badge{Text: c.T("dash_time_off"), Tone: "warn"}
	}
	return dash.Badge{Text: c.T("dash_closed")}
}

func (c call) hostWhy() error {
	h, err := c.host()
	if err != nil {
		return err
	}
	q := c.URL.Query()
	kind, date := q.Get("type"), q.Get("date")
	v := dash.WhyPage{HostFrame: c.hostFrame(&h, dash.HostWhyPath(h.ID.String())), Action: dash.HostWhyPath(h.ID.String())}
	types := dash.Input{Name: "type", Label: c.T("dash_type"), Kind: "select", Required: true, Value: kind}
	for i := range c.Setup.EventTypes {
		e := &c.Setup.EventTypes[i]
		for _, ref := range e.Hosts {
			if ref.ID == h.ID {
				types.Options = append(types.Options, dash.Option{Value: e.Slug, Label: e.Title})
			}
		}
	}
	day := dash.Input{Name: "date", Label: c.T("dash_day"), Kind: "date", Required: true, Value: date}
	if day.Value == "" {
		day.Value = c.Subjects.Now().In(h.Location()).Format(time.DateOnly)
	}
	v.Inputs = []dash.Input{types, day}
	if len(types.Options) == 0 {
		v.Problem = c.T("dash_why_no_type", "Name", h.Name)
		v.Inputs = nil
		return c.Show(200, dash.Why(v))
	}
	if kind == "" || date == "" {
		return c.Show(200, dash.Why(v))
	}
	x, err := c.Subjects.Shop.ExplainDay(c.Context(), c.Actor, kind, c.PathValue("id"), date)
	if e := web.Refused(err); e != nil {
		v.Problem = c.Sentence(e)
		return c.Show(web.RefusedStatus(e), dash.Why(v))
	}
	if err != nil {
		return err
	}
	c.explain(&v, &x, date)
	return c.Show(200, dash.Why(v))
}

// explain fills in the answer: what holds for the whole day, then for each time.
func (c call) explain(v *dash.WhyPage, x *shop.ExplainedDay, date string) {
	zone := x.Host.Location()
	day, _ := when.ParseDay(date, zone)
	v.Asked, v.Day = true, c.Locale.Date(day)
	hours := c.T("dash_why_hours", "Hours", c.hoursText(x.Hours))
	if x.Override {
		hours = c.T("dash_why_hours_own", "Hours", c.hoursText(x.Hours))
	}
	v.Facts = append(v.Facts, hours)
	if x.Past {
		v.Facts = append(v.Facts, c.T("dash_why_over"))
	}
	for _, t := range x.Host.Away(day, when.AddDays(day, 1)) {
		if t.Holiday {
			v.Facts = append(v.Facts, c.T("off_why_holiday", "Name", c.AwayReason(&t)))
			continue
		}
		text := c.AwaySpan(zone, t.TimeOff)
		if t.Reason != "" {
			text += " (" + t.Reason + ")"
		}
		v.Facts = append(v.Facts, c.T("dash_why_time_off", "Span", text))
	}
	open := 0
	for _, t := range x.Times {
		row := dash.WhyRow{Time: c.Locale.Span(t.Start.Time().In(zone), t.End.Time().In(zone), ""),
			State: c.whyBadge(t.Reason)}
		if t.Reason == slot.Open {
			open++
			row.Text = c.T("dash_why_open_text")
		} else if row.Text = c.T(whys[t.Reason]); t.Holiday != "" {
			row.Text = c.T("off_why_holiday", "Name", c.HolidayName(t.Holiday))
		} else if t.Reason == slot.Busy && t.Things {
			row.Text = c.T("dash_why_busy_thing_text")
		}
		v.Rows = append(v.Rows, row)
	}
	if v.Summary = c.T("dash_why_open", "Open", open, "Count", len(x.Times)); len(x.Times) == 0 {
		v.Summary = c.T("dash_why_none")
	}
}
