package page

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
	"daybook/views"
)

// event is the page of an event type: its month, or the form for the picked time.
func event(v *visit) error {
	e, err := v.enterEvent()
	if err != nil || e == nil {
		return err
	}
	if v.query.Start != "" {
		return v.details(e)
	}
	return v.month(e)
}

// enterEvent finds the event type of the path, as the address chooses it. If it is closed, this shows the page for that
// and returns nil.
func (v *visit) enterEvent() (*catalog.EventType, error) {
	find := v.enterListed
	if v.r.PathValue("token") != "" {
		find = v.enterInvitation
	}
	e, err := find()
	if err != nil || e == nil {
		return nil, err
	}
	v.leadsOut(e)
	if inPerson(e) {
		v.atShop()
	}
	if v.r.Method == http.MethodPost { // the form says what is chosen
		return e, nil
	}
	return v.choose(e)
}

// enterListed is enterEvent for the event types that anybody may book.
func (v *visit) enterListed() (*catalog.EventType, error) {
	if err := v.enter(); err != nil {
		return nil, err
	}
	e := v.setup.EventType(v.r.PathValue("eventType"))
	if e == nil || e.Hidden {
		return nil, fault.Missing("event type", v.r.PathValue("eventType"))
	}
	if !e.Active {
		return nil, v.closed()
	}
	v.pickHost(e)
	return e, nil
}

// closed is the page of an event type that takes no bookings. It may be opened again, so the status is not 410.
func (v *visit) closed() error {
	return v.show(http.StatusNotFound, views.MessageView(views.Closed(v.page())))
}

// month shows what is open.
func (v *visit) month(e *catalog.EventType) error {
	c := calendar{visit: v, event: e, path: func(q views.Query) string { return v.eventPath(e, q) }}
	p, err := c.view(v.r.Context())
	if err != nil {
		return err
	}
	v.describe(&p.Page, e)
	p.Event, p.People, p.Choices = v.eventView(e), v.people(e), v.choices(e)
	if len(p.People) > 0 {
		p.Event.Hosts = nil // they are among those to choose from
	}
	return v.show(http.StatusOK, views.EventView(p))
}

// describe sets the title and description of an event type's page.
func (v *visit) describe(p *views.Page, e *catalog.EventType) {
	p.Title = e.Title
	if v.link == "" {
		whole := cmp.Or(v.setup.EventTypeByID(e.ID), e) // whatever the address chooses of it
		p.Canonical, p.LD = e.BookingURL, v.profile(nil).ServiceData(whole)
	}
	if shown := v.setup.Picture(e.Picture); shown != nil {
		p.Image = v.widest(shown)
	}
	p.Description = Summary(e.Description)
	if p.Description == "" {
		p.Description = e.Title + " · " + v.setup.Workspace.Name + " · " +
			v.locale.Duration(time.Duration(e.DurationMinutes)*time.Minute)
	}
}

// details shows the form for the picked time. If that time is no longer open, the form offers the next open ones; if it
// was never a valid time, the month is shown.
func (v *visit) details(e *catalog.EventType) error {
	ctx := v.r.Context()
	start, err := when.Parse(v.query.Start)
	if err != nil {
		v.query.Start = ""
		return v.month(e)
	}
	f := form{values: v.query.Prefill, start: start}
	slot, err := v.openAt(ctx, e, start, 0)
	if err != nil {
		return err
	}
	if slot == nil {
		if start < when.At(v.service.Now()) {
			v.query.Start = ""
			return v.month(e)
		}
		if err := v.offerTimes(ctx, e, &f); err != nil {
			return err
		}
	} else {
		f.end = slot.End
		if v.host == nil { // the form says what is booked: with whom it costs least, where that depends on the person
			f.with = slot.Host
		}
	}
	return v.showDetails(http.StatusOK, e, f)
}

// openAt is the open time at start, or nil.
func (v *visit) openAt(ctx context.Context, e *catalog.EventType, start when.Instant,
	exclude booking.BookingID) (*availability.OpenTime, error) {
	open, _, err := v.service.OpenTimes(ctx, v.actor,
		availability.OpenTimesInput{EventType: e.Slug, Host: v.hostRef(), From: start, To: start + 1, Exclude: exclude,
			Setup: v.draft, Choice: v.choice})
	if err != nil || len(open) == 0 {
		return nil, err
	}
	return &open[0], nil
}
