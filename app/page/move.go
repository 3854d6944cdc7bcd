package page

import (
	"net/http"

	"daybook/app"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
	"daybook/views"
)

// moveForm shows the calendar to pick a new time, and then asks whether to move the booking to it.
func moveForm(v *visit) error {
	b, e, err := v.openMovable()
	if err != nil || e == nil {
		return err
	}
	if start, err := when.Parse(v.query.Start); err == nil && start != b.Start {
		return v.askToMove(&b, e, start)
	}
	v.query.Start = ""
	c := calendar{visit: v, event: e, exclude: b.ID, own: b.Start,
		path: func(q views.Query) string { return views.MovePath(token(&b), q) }}
	p, err := c.view(v.r.Context())
	if err != nil {
		return err
	}
	p.Title, p.Event = v.locale.T("move")+" · "+e.Title, v.movedView(&b)
	p.Moving = &views.Moving{From: v.local(b.Start), BackURL: views.BookingPath(token(&b), v.query.Look())}
	return v.show(http.StatusOK, views.EventView(p))
}

// openMovable finds the booking and its event type. If it can't be moved, this shows the page for that and returns nil.
func (v *visit) openMovable() (booking.Booking, *catalog.EventType, error) {
	b, err := v.open()
	if err != nil {
		return b, nil, err
	}
	e := v.setup.EventTypeByID(b.EventTypeID)
	if e == nil || !e.Active || !v.changeable(&b) {
		if v.r.Method == http.MethodPost {
			return b, nil, v.showBooking(http.StatusConflict, &b)
		}
		return b, nil, v.redirect(views.BookingPath(token(&b), v.query.Look()))
	}
	v.query.Host = "" // who was chosen stays, whatever the address says
	if b.HostNamed {
		v.query.Host = b.Host.ID.String()
	}
	v.pickHost(e)
	return b, e, nil
}

// askToMove asks whether to move to start, or to which of the next open times if start is not open.
func (v *visit) askToMove(b *booking.Booking, e *catalog.EventType, start when.Instant) error {
	p := v.movePage(b, start)
	slot, err := v.openAt(v.r.Context(), e, start, b.ID)
	if err != nil {
		return err
	}
	if slot != nil {
		p.End = v.local(slot.End)
		return v.show(http.StatusOK, views.MoveView(p))
	}
	return v.offerMoves(http.StatusOK, p, b, e, start, false)
}

func (v *visit) movePage(b *booking.Booking, start when.Instant) views.MovePage {
	back := v.query
	back.Start = ""
	p := views.MovePage{
		Page: v.page(), Event: v.movedView(b), From: v.local(b.Start), To: v.local(start), End: v.local(start +
			b.End - b.Start),
		Zone: v.zone.String(), Action: views.MovePath(token(b), v.query.Look()),
		Hidden:  []views.Pair{{Name: "start", Value: start.String()}},
		BackURL: views.MovePath(token(b), back.OnDay(v.local(start))),
	}
	p.Title = v.locale.T("move_title")
	return p
}

// offerMoves is the same page with other times to choose from.
func (v *visit) offerMoves(status int, p views.MovePage, b *booking.Booking, e *catalog.EventType, start when.Instant,
	closed bool) (err error) {
	p.Hidden = nil
	if p.Taken, err = v.timesFrom(v.r.Context(),
		availability.OpenTimesInput{EventType: e.Slug, Host: v.hostRef(), From: start, Exclude: b.ID}); err != nil {
		return err
	}
	p.Taken.AllURL, p.Taken.Closed = p.BackURL, closed
	return v.show(status, views.MoveView(p))
}

// move moves the booking to its new time.
func move(v *visit) error {
	b, e, err := v.openMovable()
	if err != nil || e == nil {
		return err
	}
	if err := v.r.ParseForm(); err != nil {
		return formError(err)
	}
	asked := v.r.PostForm.Get("start")
	start, err := when.Parse(asked)
	if err != nil {
		return v.redirect(views.MovePath(token(&b), v.query.Look()))
	}
	if err := v.service.Form.Count(v.r.Context(), v.client()); err != nil {
		return err
	}
	_, err = v.service.Reschedule(v.r.Context(), v.actor, b.ID.String(),
		app.RescheduleInput{Start: asked, Reason: v.r.PostForm.Get("reason")})
	if err == nil {
		look := v.query.Look()
		look.Fresh = start != b.Start
		return v.redirect(views.BookingPath(token(&b), look))
	}
	return v.notMoved(&b, e, start, err)
}

// notMoved shows why the Service did not move the booking.
func (v *visit) notMoved(b *booking.Booking, e *catalog.EventType, start when.Instant, err error) error {
	wrong := fault.Refusal(err)
	switch {
	case wrong == nil || wrong.Code == fault.NotFound:
		return err
	case wrong.Field == "reason":
		p := v.movePage(b, start)
		p.Problem = v.locale.Labelled(v.locale.T("move_reason"), v.locale.T("error_too_long", "Count", fault.MaxReason))
		return v.show(http.StatusUnprocessableEntity, views.MoveView(p))
	case wrong.Reason == "slot_taken" || wrong.Reason == "already_booked":
		return v.offerMoves(http.StatusConflict, v.movePage(b, start), b, e, start, false)
	case personal[wrong.Reason] != "":
		p := v.movePage(b, start)
		p.Problem = v.locale.T(personal[wrong.Reason])
		return v.show(http.StatusConflict, views.MoveView(p))
	case wrong.Reason == "day_full" || wrong.Reason == "too_soon":
		return v.offerMoves(http.StatusConflict, v.movePage(b, start), b, e, start, true)
	case wrong.Field == "start":
		return v.offerMoves(http.StatusBadRequest, v.movePage(b, start), b, e, start, true)
	}
	return v.showBooking(http.StatusConflict, b) // too late, or cancelled in the meantime
}

// movedView is what was booked, without its host if the new time may have another.
func (v *visit) movedView(b *booking.Booking) views.Event {
	view := v.bookedView(b)
	if e := v.setup.EventTypeByID(b.EventTypeID); e != nil && len(e.Hosts) > 1 && v.host == nil {
		view.Hosts = nil
	}
	return view
}
