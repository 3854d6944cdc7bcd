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
func event(c *call) error {
	e, err := c.enterEvent()
	if err != nil || e == nil {
		return err
	}
	b, _ := c.basket(e)
	switch {
	case b != nil && c.query.Adding:
		return c.offerMore(b)
	case b != nil && c.query.Start != "":
		return c.basketDetails(b)
	case b != nil:
		return c.basketMonth(b)
	case c.query.Start != "":
		return c.details(e)
	}
	return c.month(e)
}

// enterEvent finds the event type of the path, as the address chooses it. If it is closed, this shows the page for that
// and returns nil.
func (c *call) enterEvent() (*catalog.EventType, error) {
	find := c.enterListed
	if c.r.PathValue("token") != "" {
		find = c.enterInvitation
	}
	e, err := find()
	if err != nil || e == nil {
		return nil, err
	}
	c.leadsOut(e)
	if inPerson(e) {
		c.atShop()
	}
	if c.r.Method == http.MethodPost { // the form says what is chosen
		return e, nil
	}
	return c.choose(e)
}

// enterListed is enterEvent for the event types that anybody may book.
func (c *call) enterListed() (*catalog.EventType, error) {
	if err := c.enter(); err != nil {
		return nil, err
	}
	e := c.setup.EventType(c.r.PathValue("eventType"))
	if e == nil || e.Hidden {
		return nil, fault.Missing("event type", c.r.PathValue("eventType"))
	}
	if !e.Active {
		return nil, c.closed()
	}
	c.pickHost(e)
	return e, nil
}

// closed is the page of an event type that takes no bookings. It may be opened again, so the status is not 410.
func (c *call) closed() error {
	return c.showMessage(http.StatusNotFound, views.Closed(c.page()))
}

// month shows what is open.
func (c *call) month(e *catalog.EventType) error {
	cal := calendar{call: c, event: e, path: func(q views.Query) string { return c.eventPath(e, q) }}
	p, err := cal.view(c.r.Context())
	if err != nil {
		return err
	}
	c.describe(&p.Page, e)
	c.keepGathered(&p.Page, basketItem{e, c.host})
	p.Event, p.People, p.Choices = c.eventView(e), c.people(e), c.choices(e)
	p.Event.AddURL = c.addURL(e)
	if p.WaitURL, err = c.waitURL(e); err != nil {
		return err
	}
	if len(p.People) > 0 {
		p.Event.Hosts = nil // they are among those to choose from
	}
	return c.show(http.StatusOK, views.EventView(p))
}

// describe sets the title and description of an event type's page.
func (c *call) describe(p *views.Page, e *catalog.EventType) {
	p.Title = e.Title
	if c.link == "" {
		whole := cmp.Or(c.setup.EventTypeByID(e.ID), e) // whatever the address chooses of it
		p.Canonical, p.LD = e.BookingURL, c.profile(nil).ServiceData(whole)
	}
	if shown := c.setup.Picture(e.Picture); shown != nil {
		p.Image = c.linked(shown)
	}
	p.Description = Summary(e.Description)
	if p.Description == "" {
		p.Description = c.inShort(e)
	}
}

// inShort says what is booked in a sentence, for search engines, where the business has no words of its own.
func (c *call) inShort(e *catalog.EventType) string {
	values := []any{"Title", e.Title, "Name", c.setup.Workspace.Name,
		"Duration", c.locale.Duration(time.Duration(e.DurationMinutes) * time.Minute)}
	if low, _, _ := c.setup.Prices(e); low != nil {
		price := c.locale.Money(views.Money{Amount: low.Amount, Currency: low.Currency})
		return c.locale.T("found_priced", append(values, "Price", price)...)
	}
	return c.locale.T("found_service", values...)
}

// details shows the form for the picked time. If that time is no longer open, the form offers the next open ones; if it
// was never a valid time, the month is shown.
func (c *call) details(e *catalog.EventType) error {
	ctx := c.r.Context()
	start, err := when.Parse(c.query.Start)
	if err != nil {
		c.query.Start = ""
		return c.month(e)
	}
	known, err := c.prefilled()
	if err != nil {
		return err
	}
	f := form{values: known, start: start}
	slot, err := c.openAt(ctx, e, start, 0)
	if err != nil {
		return err
	}
	if slot == nil {
		if start < when.At(c.service.Now()) {
			c.query.Start = ""
			return c.month(e)
		}
		if err := c.offerTimes(ctx, e, &f); err != nil {
			return err
		}
	} else {
		f.end = slot.End
		if c.host == nil { // the form says what is booked: with whom it costs least, where that depends on the person
			f.with = slot.Host
		}
	}
	return c.showDetails(http.StatusOK, e, f)
}

// openAt returns the open time at start, or nil.
func (c *call) openAt(ctx context.Context, e *catalog.EventType, start when.Instant,
	exclude booking.BookingID) (*availability.OpenTime, error) {
	open, _, err := c.service.OpenTimes(ctx, c.actor,
		availability.OpenTimesInput{EventType: e.Slug, Host: c.hostRef(), From: start, To: start + 1, Exclude: exclude,
			Setup: c.draft, Choice: c.choice})
	if err != nil || len(open) == 0 {
		return nil, err
	}
	return &open[0], nil
}
