package page

import (
	"net/http"

	"daybook/app/availability"
	"daybook/app/booking"
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
	asked := whereTo(v.ID)
	cal := calendar{call: c, event: c.setup.EventTypeByID(live[0].EventTypeID), visit: &asked, own: v.Start,
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

// whereTo asks for the times to which the visit can be moved.
func whereTo(visit booking.VisitID) availability.VisitInput {
	return availability.VisitInput{ExcludeVisit: visit.String()}
}

// askToMoveVisit asks whether to move to start, or to which of the next open times if start is not open.
func (c *call) askToMoveVisit(v *booking.Visit, start when.Instant) error {
	p := c.moveVisitPage(v, start)
	var err error
	if p.Scopes, err = c.scopes(&v.Live()[0], ""); err != nil {
		return err
	}
	open, _, err := c.visitTimes(c.r.Context(), whereTo(v.ID), start, start+1)
	if err != nil {
		return err
	}
	if len(open) > 0 {
		p.End = c.local(open[0].End)
		return c.showMove(http.StatusOK, p)
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
	next, _, err := c.nextVisitTimes(c.r.Context(), whereTo(v.ID), start, otherTimesShown)
	if err != nil {
		return err
	}
	p.Taken = c.taken(next)
	p.Taken.AllURL, p.Taken.Closed = p.BackURL, closed
	return c.showMove(status, p)
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
	who, scope := c.client(), c.scope(&live[0])
	if who.Times = len(live); scope != booking.SeriesThis {
		if who.Times, err = c.datesOf(&live[0], scope); err != nil {
			return err
		}
	}
	if err := c.service.Gate.Count(c.r.Context(), who); err != nil {
		return err
	}
	if scope == booking.SeriesThis {
		_, err = c.service.MoveVisit(c.r.Context(), c.actor, v.ID.String(),
			booking.VisitMoveInput{Start: asked, Reason: c.r.PostForm.Get("reason")})
	} else if err = c.moveDates(&live[0], scope, asked); err != nil {
		if text := c.notMovedTogether(err); text != "" {
			p := c.moveVisitPage(&v, start)
			if p.Scopes, err = c.scopes(&live[0], string(scope)); err != nil {
				return err
			}
			p.Problem = text
			return c.showMove(http.StatusConflict, p)
		}
	}
	if err == nil {
		look := c.query.Look()
		look.Fresh = start != v.Start
		return c.redirect(views.VisitPath(visitToken(&v), look))
	}
	return c.notMoved(err, notMoved{
		page: func() views.MovePage { return c.moveVisitPage(&v, start) },
		offer: func(status int, p views.MovePage, closed bool) error {
			return c.offerVisitMoves(status, p, &v, start, closed)
		},
		over: func() error { return c.showVisit(http.StatusConflict, &v) },
	})
}

// movedVisit is visitView without hosts: at the new time there may be others.
func (c *call) movedVisit(v *booking.Visit) views.Event {
	view := c.visitView(v)
	view.Hosts = nil
	return view
}
