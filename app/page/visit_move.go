package page

import (
	"context"
	"net/http"

	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/when"
	"daybook/views"
)

// moveVisitForm shows the calendar to pick a new time for the visit, and then asks whether to move it there.
func moveVisitForm(c *call) error {
	v, live, err := c.openMovableVisit()
	if err != nil || live == nil {
		return err
	}
	if start, err := when.Parse(c.query.Start); err == nil && start != v.Start {
		return c.askToMoveVisit(&v, start)
	}
	c.query.Start = ""
	cal := calendar{call: c, event: c.eventOf(live), moving: v.ID, own: v.Start,
		path: func(q views.Query) string { return views.MoveVisitPath(visitToken(&v), q) }}
	p, err := cal.view(c.r.Context())
	if err != nil {
		return err
	}
	p.Event = c.movedVisit(&v)
	p.Title = c.locale.T("visit_move_all") + " · " + p.Event.Title
	p.Moving = &views.Moving{From: c.local(v.Start), BackURL: views.VisitPath(visitToken(&v), c.query.Look())}
	return c.show(http.StatusOK, views.EventView(p))
}

// openMovableVisit finds the visit and what is live of it, by start. If it can't be moved, this shows the page for that
// and returns nil.
func (c *call) openMovableVisit() (booking.Visit, []booking.Booking, error) {
	v, err := c.enterVisit()
	if err != nil {
		return v, nil, err
	}
	c.query.Host = ""
	live := v.Live()
	if !c.movable(live) || c.lateOf(live) != nil {
		if c.r.Method == http.MethodPost {
			return v, nil, c.showVisit(http.StatusConflict, &v)
		}
		return v, nil, c.redirect(views.VisitPath(visitToken(&v), c.query.Look()))
	}
	return v, live, nil
}

// visitTimes returns the times in [from, to) to which the visit can be moved, and where the search stopped early.
func (c *call) visitTimes(ctx context.Context, visit booking.VisitID, from, to when.Instant) ([]availability.OpenTime,
	when.Instant, error) {
	found, stopped, err := c.service.VisitOpenTimes(ctx, c.actor, availability.VisitInput{ExcludeVisit: visit.String()}, from, to)
	return openTimes(found), stopped, err
}

// nextVisitTimes returns the next n of them.
func (c *call) nextVisitTimes(ctx context.Context, visit booking.VisitID, from when.Instant, n int) ([]availability.OpenTime,
	when.Instant, error) {
	found, stopped, err := c.service.VisitNextTimes(ctx, c.actor, availability.VisitInput{ExcludeVisit: visit.String()}, from, n)
	return openTimes(found), stopped, err
}

// askToMoveVisit asks whether to move to start, or to which of the next open times if start is not open.
func (c *call) askToMoveVisit(v *booking.Visit, start when.Instant) error {
	p := c.moveVisitPage(v, start)
	open, _, err := c.visitTimes(c.r.Context(), v.ID, start, start+1)
	if err != nil {
		return err
	}
	if len(open) > 0 {
		p.End = c.local(open[0].End)
		return c.show(http.StatusOK, views.MoveView(p))
	}
	return c.offerVisitMoves(http.StatusOK, p, v, start, false)
}

func (c *call) moveVisitPage(v *booking.Visit, start when.Instant) views.MovePage {
	back := c.query
	back.Start = ""
	p := views.MovePage{
		Page: c.page(), Event: c.movedVisit(v), From: c.local(v.Start), To: c.local(start), End: c.local(start + v.End - v.Start),
		Zone: c.zone.String(), Action: views.MoveVisitPath(visitToken(v), c.query.Look()),
		Hidden:  []views.Pair{{Name: "start", Value: start.String()}},
		BackURL: views.MoveVisitPath(visitToken(v), back.OnDay(c.local(start))),
	}
	p.Title = c.locale.T("move_title")
	return p
}

// offerVisitMoves is the same page with other times to choose from.
func (c *call) offerVisitMoves(status int, p views.MovePage, v *booking.Visit, start when.Instant, closed bool) error {
	p.Hidden = nil
	next, _, err := c.nextVisitTimes(c.r.Context(), v.ID, start, otherTimesShown)
	if err != nil {
		return err
	}
	p.Taken = c.taken(next)
	p.Taken.AllURL, p.Taken.Closed = p.BackURL, closed
	return c.show(status, views.MoveView(p))
}

// moveVisit moves all that is live of the visit to its new time.
func moveVisit(c *call) error {
	v, live, err := c.openMovableVisit()
	if err != nil || live == nil {
		return err
	}
	if err := c.r.ParseForm(); err != nil {
		return formError(err)
	}
	asked := c.r.PostForm.Get("start")
	start, err := when.Parse(asked)
	if err != nil {
		return c.redirect(views.MoveVisitPath(visitToken(&v), c.query.Look()))
	}
	who := c.client()
	who.Times = len(live)
	if err := c.service.Gate.Count(c.r.Context(), who); err != nil {
		return err
	}
	_, err = c.service.MoveVisit(c.r.Context(), c.actor, v.ID.String(),
		booking.VisitMoveInput{Start: asked, Reason: c.r.PostForm.Get("reason")})
	if err == nil {
		look := c.query.Look()
		look.Fresh = start != v.Start
		return c.redirect(views.VisitPath(visitToken(&v), look))
	}
	return c.visitNotMoved(&v, start, err)
}

// visitNotMoved shows why the Service did not move the visit.
func (c *call) visitNotMoved(v *booking.Visit, start when.Instant, err error) error {
	wrong := fault.Refusal(err)
	switch {
	case wrong == nil || wrong.Code == fault.NotFound:
		return err
	case wrong.Field == "reason":
		p := c.moveVisitPage(v, start)
		p.Problem = c.locale.Labelled(c.locale.T("move_reason"), c.locale.T("error_too_long", "Count", fault.MaxReason))
		return c.show(http.StatusUnprocessableEntity, views.MoveView(p))
	case wrong.Reason == "slot_taken" || wrong.Reason == "already_booked" || wrong.Reason == "visit_overlap":
		return c.offerVisitMoves(http.StatusConflict, c.moveVisitPage(v, start), v, start, false)
	case personal[wrong.Reason] != "":
		p := c.moveVisitPage(v, start)
		p.Problem = c.locale.T(personal[wrong.Reason])
		return c.show(http.StatusConflict, views.MoveView(p))
	case wrong.Reason == "day_full" || wrong.Reason == "too_soon":
		return c.offerVisitMoves(http.StatusConflict, c.moveVisitPage(v, start), v, start, true)
	case wrong.Code == fault.BadRequest:
		return c.offerVisitMoves(http.StatusBadRequest, c.moveVisitPage(v, start), v, start, true)
	}
	return c.showVisit(http.StatusConflict, v) // too late, or cancelled in the meantime
}

// movedVisit is visitView without hosts: at the new time there may be others.
func (c *call) movedVisit(v *booking.Visit) views.Event {
	view := c.visitView(v)
	view.Hosts = nil
	return view
}
