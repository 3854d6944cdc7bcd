package shop

import (
	"fmt"
	"time"

	"daybook/app/dashboard/web"
	"daybook/app/shop"
	"daybook/app/slot"
	"daybook/views/dash"
)

var whys = map[slot.Reason]string{
	slot.Inactive:     "The event type is switched off.",
	slot.InPast:       "It is over.",
	slot.TooSoon:      "It begins sooner than the event type's notice allows.",
	slot.TooFar:       "It lies beyond the event type's booking window.",
	slot.OutsideHours: "Its end lies outside the hours.",
	slot.OffGrid:      "It is not one of the times that the event type is offered at.",
	slot.Booked:       "Something is booked there.",
	slot.Buffer:       "The pause before or after it meets another booking, or that one's pause meets it.",
	slot.TimeOff:      "The host has time off.",
	slot.Busy:         "The host's calendar has something there.",
	slot.DayFull:      "The event type has reached its number for that day.",
}

var whyTones = map[slot.Reason]dash.Badge{
	slot.Open: {Text: "Open", Tone: "good"}, slot.Booked: {Text: "Booked", Tone: "info"}, slot.Buffer: {Text: "Buffer",
		Tone: "info"}, slot.TimeOff: {Text: "Time off", Tone: "warn"},
}

func (c call) hostWhy() error {
	h, err := c.host()
	if err != nil {
		return err
	}
	q := c.URL.Query()
	kind, date := q.Get("type"), q.Get("date")
	v := dash.WhyPage{HostFrame: c.hostFrame(&h, dash.HostWhyPath(h.ID.String())), Action: dash.HostWhyPath(h.ID.String())}
	types := dash.Input{Name: "type", Label: "Event type", Kind: "select", Required: true, Value: kind}
	for i := range c.Setup.EventTypes {
		e := &c.Setup.EventTypes[i]
		for _, ref := range e.Hosts {
			if ref.ID == h.ID {
				types.Options = append(types.Options, dash.Option{Value: e.Slug, Label: e.Title})
			}
		}
	}
	day := dash.Input{Name: "date", Label: "Day", Kind: "date", Required: true, Value: date}
	if day.Value == "" {
		day.Value = c.Rooms.Now().In(h.Location()).Format(time.DateOnly)
	}
	v.Inputs = []dash.Input{types, day}
	if len(types.Options) == 0 {
		v.Problem = h.Name + " serves no event type, so nothing can be booked. Add the host to an event type."
		v.Inputs = nil
		return c.Show(200, dash.Why(v))
	}
	if kind == "" || date == "" {
		return c.Show(200, dash.Why(v))
	}
	x, err := c.Rooms.Shop.ExplainDay(c.Context(), c.Actor, kind, c.PathValue("id"), date)
	if e := web.Refused(err); e != nil {
		v.Problem = web.Sentence(e)
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
	day, _ := time.ParseInLocation(time.DateOnly, date, zone)
	v.Asked, v.Day = true, c.Locale.Date(day)
	hours := "The hours of this day: " + c.hoursText(x.Hours) + "."
	if x.Override {
		hours = "This day has hours of its own: " + c.hoursText(x.Hours) + "."
	}
	v.Facts = append(v.Facts, hours)
	if x.Past {
		v.Facts = append(v.Facts, "The day is over.")
	}
	for _, t := range x.Host.Away(day, day.AddDate(0, 0, 1)) {
		text := "Time off: " + c.awaySpan(&x.Host, t)
		if t.Reason != "" {
			text += " (" + t.Reason + ")"
		}
		v.Facts = append(v.Facts, text+".")
	}
	open := 0
	for _, t := range x.Times {
		row := dash.WhyRow{Time: c.Locale.Span(t.Start.Time().In(zone), t.End.Time().In(zone), ""), Text: whys[t.Reason],
			State: dash.Badge{Text: "Closed"}}
		if b, ok := whyTones[t.Reason]; ok {
			row.State = b
		}
		if t.Reason == slot.Open {
			open++
			row.Text = "It can be booked."
		}
		v.Rows = append(v.Rows, row)
	}
	if v.Summary = fmt.Sprintf("%d of %s open", open, web.Counted(len(x.Times), "time")); len(x.Times) == 0 {
		v.Summary = "Nothing can be booked"
	}
}
