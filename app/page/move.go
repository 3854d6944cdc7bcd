package page

import (
	"net/http"
	"strings"

	"daybook/app"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
	"daybook/views"
)

// showMove sends the page on which an invitee moves.
func (c *call) showMove(status int, p views.MovePage) error { return c.show(status, views.MoveView(p)) }

// moveForm shows the calendar to pick a new time, and then asks whether to move the booking to it.
func moveForm(c *call) error {
	b, e, err := c.openMovable()
	if err != nil || e == nil {
		return err
	}
	if start, err := when.Parse(c.query.Start); err == nil && start != b.Start {
		return c.askToMove(&b, e, start)
	}
	c.query.Start = ""
	cal := calendar{call: c, event: e, exclude: b.ID, own: b.Start,
		path: func(q views.Query) string { return views.MovePath(token(&b), q) }}
	p, err := cal.view(c.r.Context())
	if err != nil {
		return err
	}
	p.Title, p.Event = c.locale.T("move")+" · "+e.Title, c.movedView(&b)
	p.Moving = &views.Moving{From: c.local(b.Start), BackURL: views.BookingPath(token(&b), c.query.OfBooking())}
	return c.show(http.StatusOK, views.EventView(p))
}

// openMovable finds the booking and its event type. If it can't be moved, this shows the page for that and returns nil.
func (c *call) openMovable() (booking.Booking, *catalog.EventType, error) {
	b, err := c.open()
	if err != nil {
		return b, nil, err
	}
	e := c.setup.EventTypeByID(b.EventTypeID)
	if e == nil || !e.Active || !c.changeable(&b) {
		if c.r.Method == http.MethodPost {
			return b, nil, c.showBooking(http.StatusConflict, &b)
		}
		return b, nil, c.redirect(views.BookingPath(token(&b), c.query.OfBooking()))
	}
	c.query.Host = "" // who was chosen stays, whatever the address says
	if b.HostNamed {
		c.query.Host = b.Host.ID.String()
	}
	c.pickHost(e)
	return b, e, nil
}

// askToMove asks whether to move to start, or to which of the next open times if start is not open.
func (c *call) askToMove(b *booking.Booking, e *catalog.EventType, start when.Instant) error {
	p := c.movePage(b, start)
	var err error
	if !b.InVisit() {
		if p.Scopes, err = c.scopes(b, ""); err != nil {
			return err
		}
	}
	slot, err := c.openAt(c.r.Context(), e, start, b.ID)
	if err != nil {
		return err
	}
	if slot != nil {
		p.End = c.local(slot.End)
		return c.showMove(http.StatusOK, p)
	}
	return c.offerMoves(http.StatusOK, p, b, e, start, false)
}

func (c *call) movePage(b *booking.Booking, start when.Instant) views.MovePage {
	back := c.query
	back.Start = ""
	p := views.MovePage{
		Page: c.page(), Event: c.movedView(b), From: c.local(b.Start), To: c.local(start), End: c.local(start +
			b.End - b.Start),
		Zone: c.zone.String(), Action: views.MovePath(token(b), c.query.OfBooking()),
		Hidden:  []views.Pair{{Name: "start", Value: start.String()}},
		BackURL: views.MovePath(token(b), back.OnDay(c.local(start))),
	}
	p.Title = c.locale.T("move_title")
	return p
}

// offerMoves is the same page with other times to choose from.
func (c *call) offerMoves(status int, p views.MovePage, b *booking.Booking, e *catalog.EventType, start when.Instant,
	closed bool) (err error) {
	p.Hidden = nil
	if p.Taken, err = c.timesFrom(c.r.Context(),
		availability.OpenTimesInput{EventType: e.Slug, Host: c.hostRef(), From: start, Exclude: b.ID}); err != nil {
		return err
	}
	p.Taken.AllURL, p.Taken.Closed = p.BackURL, closed
	return c.showMove(status, p)
}

// move moves the booking to its new time.
func move(c *call) error {
	b, e, err := c.openMovable()
	if err != nil || e == nil {
		return err
	}
	if err := c.r.ParseForm(); err != nil {
		return formError(err)
	}
	asked := c.r.PostForm.Get("start")
	start, err := when.Parse(asked)
	if err != nil {
		return c.redirect(views.MovePath(token(&b), c.query.OfBooking()))
	}
	who, scope := c.client(), c.scope(&b)
	if b.InVisit() {
		scope = booking.SeriesThis
	}
	if scope != booking.SeriesThis {
		if who.Times, err = c.datesOf(&b, scope); err != nil {
			return err
		}
	}
	if err := c.service.Gate.Count(c.r.Context(), who); err != nil {
		return err
	}
	if scope == booking.SeriesThis {
		_, err = c.service.Reschedule(c.r.Context(), c.actor, b.ID.String(),
			app.RescheduleInput{Start: asked, Reason: c.r.PostForm.Get("reason")})
	} else if err = c.moveDates(&b, scope, asked); err != nil {
		if text := c.notMovedTogether(err); text != "" {
			p := c.movePage(&b, start)
			if p.Scopes, err = c.scopes(&b, string(scope)); err != nil {
				return err
			}
			p.Problem = text
			return c.showMove(http.StatusConflict, p)
		}
	}
	if err == nil {
		look := c.query.OfBooking()
		look.Fresh = start != b.Start
		return c.redirect(views.BookingPath(token(&b), look))
	}
	return c.notMoved(err, notMoved{
		page: func() views.MovePage { return c.movePage(&b, start) },
		offer: func(status int, p views.MovePage, closed bool) error {
			return c.offerMoves(status, p, &b, e, start, closed)
		},
		over: func() error { return c.showBooking(http.StatusConflict, &b) },
	})
}

// notMoved are the pages for a booking or a visit that stays where it is.
type notMoved struct {
	page  func() views.MovePage                                 // that asked
	offer func(status int, p views.MovePage, closed bool) error // it, with other times
	over  func() error                                          // its own
}

// notMoved shows why the Service did not move a booking or a visit.
func (c *call) notMoved(err error, to notMoved) error {
	wrong := fault.Refusal(err)
	switch {
	case wrong == nil || wrong.Code == fault.NotFound:
		return err
	case wrong.Field == "reason":
		p := to.page()
		p.Problem = c.locale.Labelled(c.locale.T("move_reason"), c.locale.T("error_too_long", "Count", fault.MaxReason))
		return c.showMove(http.StatusUnprocessableEntity, p)
	case wrong.Reason == "slot_taken" || wrong.Reason == "already_booked" || wrong.Reason == "visit_overlap":
		return to.offer(http.StatusConflict, to.page(), false)
	case personal[wrong.Reason] != "":
		p := to.page()
		p.Problem = c.locale.T(personal[wrong.Reason])
		return c.showMove(http.StatusConflict, p)
	case wrong.Reason == "day_full" || wrong.Reason == "too_soon":
		return to.offer(http.StatusConflict, to.page(), true)
	case strings.HasSuffix(wrong.Field, "start"):
		return to.offer(http.StatusBadRequest, to.page(), true)
	}
	return to.over() // too late, or cancelled in the meantime
}

// movedView returns what was booked, without its host if the new time may have another.
func (c *call) movedView(b *booking.Booking) views.Event {
	view := c.bookedView(b)
	if e := c.setup.EventTypeByID(b.EventTypeID); e != nil && len(e.Hosts) > 1 && c.host == nil {
		view.Hosts = nil
	}
	return view
}
