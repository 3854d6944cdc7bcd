package dashboard

import (
	"net/url"
	"time"

	"daybook/app"
	"daybook/app/fault"
	"daybook/views"
	"daybook/views/dash"
)

func (d *Door) moveForm(c *call) error { return c.showMove(c.URL.Query(), nil) }

func (c *call) showMove(q url.Values, e *fault.Error) error {
	b, err := c.door.Booking(c.Context(), c.actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	id := b.ID.String()
	path := dash.BookingMovePath(id)
	v := dash.PickPage{
		Frame: c.frame("Move "+b.Invitee.Name, "bookings"), BackURL: dash.BookingPath(id), BackLabel: "Booking", Action: path, Submit: "Move the booking",
		Text: c.typeTitle(&b) + ", now on " + c.day(c.at(b.Start)) + ", " + c.span(b.Start, b.End) + " with " + b.Host.Name, Problem: sentence(e),
	}
	if !b.Status.Live() {
		v.Problem = "This booking is over or cancelled; it can't be moved any more."
		return c.show(409, dash.Pick(v))
	}
	host, date := q.Get("host"), q.Get("date")
	if date == "" {
		date = c.at(b.Start).Format(time.DateOnly)
	}
	v.ChooseURL = withQuery(path, url.Values{"host": {host}, "date": {date}})
	v.Choose = []dash.Input{{Name: "date", Label: "From day", Kind: "date", Value: date}}
	if et := c.setup.EventTypeByID(b.EventTypeID); et != nil && len(et.Hosts) > 1 && c.actor.Role != app.StaffRole {
		v.Choose = append(v.Choose, dash.Input{Name: "host", Label: "Host", Kind: "select", Value: host, Options: typeHosts(et)})
	}
	if e == nil {
		v.Picked = c.pickedText(q.Get("start"))
	}
	v.Hidden = []views.Pair{{Name: "start", Value: q.Get("start")}, {Name: "host", Value: host}}
	v.Groups = []dash.Group{{Inputs: []dash.Input{{Name: "reason", Label: "Reason", Kind: "area", Rows: 2, Value: q.Get("reason"), Hint: "The invitee is told of the new time, and can read this."}}}}
	in := app.AvailabilityInput{EventType: b.EventTypeID.String(), Host: host, ExcludeBooking: id}
	if c.actor.Role == app.StaffRole {
		in.Host = c.actor.Host.String()
	}
	v.Week, err = c.slotWeek(in, dayOr(date, c.zone(), c.now()), func(date, start string) string {
		return withQuery(path, url.Values{"host": {host}, "date": {date}, "start": {start}})
	})
	if v.Week != nil {
		for _, day := range v.Week.Days {
			for i := range day.Times {
				day.Times[i].Picked = day.Times[i].ISO == b.Start.String()
			}
		}
	}
	if r := refused(err); r != nil {
		v.Problem, err = sentence(r), nil
	}
	if err != nil {
		return err
	}
	return c.show(refusedStatus(e), dash.Pick(v))
}

func typeHosts(e *app.EventType) []dash.Option {
	all := []dash.Option{{Label: "Whoever is free"}}
	for _, h := range e.Hosts {
		all = append(all, dash.Option{Value: h.ID.String(), Label: h.Name})
	}
	return all
}

func (d *Door) move(c *call) error {
	form, err := c.posted()
	if err != nil {
		return err
	}
	_, err = d.Reschedule(c.Context(), c.actor, c.PathValue("id"), app.RescheduleInput{Start: form.Get("start"), Host: form.Get("host"), Reason: form.Get("reason")})
	if e := refused(err); e != nil {
		return c.showMove(form, e)
	}
	if err != nil {
		return err
	}
	return c.redirect(dash.BookingPath(c.PathValue("id")), "moved")
}
