package dashboard

import (
	"cmp"
	"slices"
	"time"

	"daybook/app"
	"daybook/app/slot"
	"daybook/views"
)

var reasonTexts = map[string]string{
	"inactive": "The event type is switched off", "in_past": "It is over", "too_soon": "Too soon: the event type asks for more notice",
	"too_far": "Too far ahead for the event type", "outside_hours": "It would not end within the hours", "off_grid": "Not a time that is offered",
	"day_full": "The day has as many bookings as it may", "booked": "Booked", "buffer": "Too close to another booking: the time around it is kept free",
	"time_off": "Time off", "busy": "Busy in another calendar",
}

// hostWhy says of each time of a day whether it can be booked, and if not, why.
func (d *Door) hostWhy(c *call) error {
	h, err := d.Host(c.actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	q, id := c.URL.Query(), h.ID.String()
	v := views.WhyPage{Dash: c.dash(h.Name, "hours"), BackURL: c.hostsBack(), Tabs: hostTabs(id, "why"), Action: hostsPath + "/" + id + "/why"}
	var types []views.Option
	for i := range c.setup.EventTypes {
		if e := &c.setup.EventTypes[i]; servedBy(e, h.ID) {
			types = append(types, views.Option{Value: e.Slug, Label: e.Title})
		}
	}
	if len(types) == 0 {
		v.Summary = h.Name + " serves no event type, so nothing can be booked. Choose " + h.Name + " in an event type."
		return c.show(200, views.HostWhy(v))
	}
	kind := q.Get("type")
	if !offered(types, kind) {
		kind = types[0].Value
	}
	day := dayOr(q.Get("date"), h.Location(), d.Now().In(h.Location()).AddDate(0, 0, 1))
	v.Choose = []views.Input{{Name: "type", Label: "Event type", Kind: "select", Value: kind, Options: types}, {Name: "date", Label: "Day", Kind: "date", Value: day.Format(time.DateOnly)}}
	if !h.Active {
		v.Summary = h.Name + " is switched off and can't be booked at all."
		return c.show(200, views.HostWhy(v))
	}
	if v.Rows, err = c.explain(&h, kind, day); err != nil {
		return err
	}
	v.Summary = "Times of " + c.locale.Date(day) + ", in " + h.TimeZone + "."
	if len(v.Rows) == 0 {
		if hours, _ := hoursOn(&h, day); len(hours) == 0 {
			v.Summary = h.Name + " has no hours on " + c.locale.Date(day) + "."
		} else {
			v.Summary = "There is no time left on " + c.locale.Date(day) + ": the day is over, or its hours are shorter than the booking."
		}
	}
	return c.show(200, views.HostWhy(v))
}

func (c *call) explain(h *app.Host, kind string, day time.Time) ([]views.WhyRow, error) {
	type row struct {
		start, end app.Instant
		reason     slot.Reason
	}
	var rows []row
	in := app.AvailabilityInput{EventType: kind, Host: h.ID.String(), From: day.Format(time.RFC3339), To: day.AddDate(0, 0, 1).Format(time.RFC3339), Explain: true}
	for {
		found, err := c.door.Availability(c.Context(), c.actor, in)
		if err != nil {
			if refused(err) != nil {
				return nil, nil
			}
			return nil, err
		}
		for _, s := range found.Slots() {
			rows = append(rows, row{s.Start, s.End, ""})
		}
		if in.Cursor == "" {
			for _, s := range found.Closed() {
				rows = append(rows, row{s.Start, s.End, s.Reason})
			}
		}
		if in.Cursor = found.NextCursor; in.Cursor == "" {
			break
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(a.start, b.start) })
	var out []views.WhyRow
	for _, r := range rows {
		text := reasonTexts[string(r.reason)]
		if text == "" {
			text = sayState(string(r.reason))
		}
		from, to := r.start.Time().In(h.Location()), r.end.Time().In(h.Location())
		out = append(out, views.WhyRow{Time: c.locale.Span(from, to, ""), Reason: text, Open: r.reason == ""})
	}
	return out, nil
}
