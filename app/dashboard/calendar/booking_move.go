package calendar

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/views"
	"daybook/views/dash"
)

func (c call) moveForm() error { return c.showMove(c.URL.Query(), nil) }

func (c call) showMove(q url.Values, e *fault.Error) error {
	b, err := c.Subjects.Booking(c.Context(), c.Actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	id := b.ID.String()
	path := dash.BookingMovePath(id)
	v := dash.PickPage{
		Frame: c.Frame(c.T("dash_move_one", "Name", c.Invitee(&b)), "bookings"), BackURL: dash.BookingPath(id),
		BackLabel: c.T("dash_booking"), Action: path,
		Submit: c.T("dash_move_booking"),
		Text: c.T("dash_move_now", "Service", c.TypeTitle(&b), "When", c.Day(c.At(b.Start))+", "+c.Span(b.Start, b.End),
			"Host", b.Host.Name),
		Problem: c.Sentence(e),
	}
	if dash.IsCancelList(q.Get("back")) {
		v.BackURL, v.BackLabel = q.Get("back"), c.T("dash_bookings")
	}
	if !b.Status.Live() {
		v.Problem = c.T("dash_move_over")
		return c.showPick(409, v)
	}
	host, date, back, waivable := q.Get("host"), q.Get("date"), q.Get("back"), c.waivable(e, q)
	visit, err := c.wholeVisit(&b)
	if err != nil {
		return err
	}
	alone := visit == nil || q.Get("alone") != "" || q.Get("whole") == "" && dash.IsCancelList(back) // which is of one host
	way := "alone"
	if !alone {
		way = "whole"
	}
	if date == "" {
		date = c.At(b.Start).Format(time.DateOnly)
	}
	keep := url.Values{"host": {host}, "back": {back}}
	if visit != nil {
		keep.Set(way, "1")
		v.Tabs = c.moveTabs(path, url.Values{"host": {host}, "back": {back}, "date": {date}}, alone)
	}
	v.ChooseURL = web.WithQuery(path, keep, "date", date)
	v.Choose = []dash.Input{{Name: "date", Label: c.T("dash_from_day"), Kind: "date", Value: date}}
	if et := c.Setup.EventTypeByID(b.EventTypeID); et != nil && alone && len(et.Hosts) > 1 && !c.Actor.Own() && (host != "" || !several(q.Get("scope"))) {
		v.Choose = append(v.Choose,
			dash.Input{Name: "host", Label: c.T("dash_host"), Kind: "select", Value: host, Options: c.typeHosts(et)})
	}
	start, wrong := c.typedTime(q)
	v.Problem += wrong
	v.Hidden = []views.Pair{{Name: "start", Value: start}, {Name: "host", Value: host}, {Name: "back", Value: back}}
	if visit != nil {
		v.Hidden = append(v.Hidden, views.Pair{Name: way, Value: "1"})
		v.Carried = []views.Pair{{Name: way, Value: "1"}}
	}
	v.Groups = []dash.Group{{Inputs: []dash.Input{{Name: "reason", Label: c.T("dash_reason"), Kind: "area", Rows: 2,
		Value: q.Get("reason"), Hint: c.T("dash_move_told")}}}}
	if err := c.moveScope(&b, &v, q, host, alone); err != nil {
		return err
	}
	if text := c.datesProblem(e, "series_move_conflict"); text != "" {
		v.Problem, e = text, nil
		v.Status = 409
	}
	in := availability.Input{EventType: b.EventTypeID.String(), Host: host, ExcludeBooking: id}
	if c.Actor.Own() {
		if in.Host, err = c.Actor.NamedHost(c.Setup, host); err != nil {
			return err
		}
	}
	find := c.timesOf(in)
	switch {
	case !alone:
		find = c.timesOfVisit(c.visitTimes(visit))
		v.Text = c.T("dash_move_now", "Service", c.visitTitle(visit), "When", c.Day(c.At(visit.Start))+", "+c.Span(visit.Start, visit.End),
			"Host", visitHosts(visit))
		if e != nil && e.Details["reasons"] != nil {
			v.Problem = c.T("waive_again")
		}
		if e == nil || e.Code != fault.Conflict || e.Details["reasons"] != nil {
			if err := c.wantVisit(&v, c.visitTimes(visit), start, "waive_move", e); err != nil {
				return err
			}
		}
	case e == nil || e.Details["reasons"] != nil:
		if e != nil { // want tells them
			v.Problem = c.T("waive_again")
		}
		if err := c.want(&v, c.whereToMove(in, &b), start, "waive_move", e); err != nil {
			return err
		}
	}
	if v.Status == 409 && waivable == 0 { // some date can't move there, whatever is set aside
		v.Waives, v.Submit = "", c.T("dash_move_booking")
	}
	if waivable != 0 && v.Picked != "" { // it was told which dates they stand against
		v.Waives, v.Submit = c.Rules(waivable, true), c.T("waive_move")
		v.Hidden = append(v.Hidden, append(web.Overrides(waivable), views.Pair{Name: toldField, Value: told(q)})...)
	}
	c.anyTime(&v, url.Values{"date": {date}, "at": q["at"]}, keep)
	v.Week, err = c.slotWeek(find, web.DayOr(date, c.Zone(), c.Now()), func(date, start string) string {
		return web.WithQuery(path, keep, "date", date, "start", start)
	})
	c.keep(v.Week, q, path)
	if v.Week != nil {
		for _, day := range v.Week.Days {
			for i := range day.Times {
				day.Times[i].Picked = day.Times[i].ISO == b.Start.String()
			}
		}
	}
	if r := web.Refused(err); r != nil {
		v.Problem, err = c.Sentence(r), nil
	}
	if err != nil {
		return err
	}
	return c.showPick(cmp.Or(v.Status, web.RefusedStatus(e)), v)
}

// whereToMove names the host that a move keeps: one who was asked for by name.
func (c call) whereToMove(in availability.Input, b *booking.Booking) availability.Input {
	if h := c.Setup.Host(b.Host.ID); in.Host == "" && b.HostNamed && h != nil && h.Active {
		in.Host = b.Host.ID.String()
	}
	return in
}

func (c call) typeHosts(e *catalog.EventType) []dash.Option {
	all := []dash.Option{{Label: c.T("dash_host_any")}}
	for _, h := range e.Hosts {
		all = append(all, dash.Option{Value: h.ID.String(), Label: h.Name})
	}
	return all
}

func (c call) moveBooking() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	if timeStep(form) {
		return c.showMove(form, nil)
	}
	series, scope, err := c.scopeOf(c.PathValue("id"), form)
	if err != nil {
		return err
	}
	switch {
	case series != "":
		err = c.moveDates(series, c.PathValue("id"), scope, form)
	case form.Get("whole") != "":
		err = c.moveAll(form)
	default:
		_, err = c.Subjects.Reschedule(c.Context(), c.Actor, c.PathValue("id"),
			app.RescheduleInput{Start: form.Get("start"), Host: form.Get("host"), Reason: form.Get("reason"),
				Override: form["override"]})
	}
	if e := web.Refused(err); e != nil {
		return c.showMove(form, e)
	}
	if err != nil {
		return err
	}
	if back := form.Get("back"); dash.IsCancelList(back) {
		return c.Redirect(back, "moved")
	}
	return c.Redirect(dash.BookingPath(c.PathValue("id")), "moved")
}

// moveAll moves the visit of a booking as the form says.
func (c call) moveAll(form url.Values) error {
	b, err := c.Subjects.Booking(c.Context(), c.Actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	if b.Visit == nil {
		return fault.Missing("visit", "")
	}
	_, err = c.Subjects.MoveVisit(c.Context(), c.Actor, b.Visit.ID.String(),
		booking.VisitMoveInput{Start: form.Get("start"), Override: form["override"], Reason: form.Get("reason")})
	return err
}

// visitTitle names the services of a visit that stand.
func (c call) visitTitle(v *booking.Visit) string {
	var titles []string
	for _, b := range v.Live() {
		titles = append(titles, c.TypeTitle(&b))
	}
	return strings.Join(titles, ", ")
}

// visitHosts names those who do the visit.
func visitHosts(v *booking.Visit) string {
	var names []string
	for _, b := range v.Live() {
		if !slices.Contains(names, b.Host.Name) {
			names = append(names, b.Host.Name)
		}
	}
	return strings.Join(names, ", ")
}
