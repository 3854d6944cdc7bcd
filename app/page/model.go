package page

import (
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/money"
	"daybook/app/when"
	"daybook/views"
)

// maxNames is how many hosts are named; if there are more, none is.
const maxNames = 4

// needs says what an event type requires, and whether a booking of it waits until that was checked: never of who has shown
// to have it, see looksAtConsents, and on a device with an open page perhaps.
func (c *call) needs(e *catalog.EventType) (all []string, waits bool) {
	key, within := "agree_page", "agree_page_within"
	switch met, known := c.consented[e.ID]; {
	case met:
		key, within = "agree_page_met", "agree_page_met"
	case c.actor.Contact != 0 && !known:
		key, within = "agree_page_own", "agree_page_own_within"
	default:
		waits = len(e.Requires) > 0
	}
	for _, r := range e.Requires {
		kind := c.setup.Workspace.Settings.Consent(r.Consent)
		switch {
		case kind == nil:
		case r.Within > 0:
			all = append(all, c.locale.T(within, "What", kind.Name, "Count", r.Within))
		default:
			all = append(all, c.locale.T(key, "What", kind.Name))
		}
	}
	return all, waits
}

// looksAtConsents finds out whether the customer whose page is open on this device has what the event type requires for a
// booking that starts then.
func (c *call) looksAtConsents(e *catalog.EventType, start when.Instant) error {
	if len(e.Requires) == 0 || c.actor.Contact == 0 {
		return nil
	}
	lacks, err := c.service.LackingOwn(c.r.Context(), c.actor, e, start)
	if err != nil {
		return err
	}
	if c.consented == nil {
		c.consented = map[catalog.EventTypeID]bool{}
	}
	c.consented[e.ID], c.personal = len(lacks) == 0, true
	return nil
}

// eventView returns an event type as customers see it.
func (c *call) eventView(e *catalog.EventType) views.Event {
	view := views.Event{
		Title: e.Title, Text: e.Description, Duration: time.Duration(e.DurationMinutes) * time.Minute,
		Price: shownMoney(e.Price), OnSite: e.Price != nil && !c.paysAhead(e),
		Picture: image(c.setup.Picture(e.Picture), ""), Location: e.Location,
		Online: booking.Online(e.Location), Approval: e.RequiresApproval,
		URL: c.eventPath(e, c.query.HostPage(c.query.Host)),
	}
	var waits bool
	view.Needs, waits = c.needs(e)
	view.Approval = view.Approval || waits
	view.Category = e.Category
	c.addPayment(&view, e)
	c.addPlace(&view, e)
	c.addTerms(&view, e)
	addChosen(&view, e)
	if c.host != nil {
		view.Hosts = []string{c.host.Name}
	} else if len(e.Hosts) <= maxNames {
		for _, h := range c.setup.ActiveHosts(e) {
			view.Hosts = append(view.Hosts, h.Name)
		}
	}
	return view
}

// bookedView returns what was booked, with the price, the place and the host at the time of booking.
func (c *call) bookedView(b *booking.Booking) views.Event {
	view := views.Event{Title: b.EventType}
	if e := c.setup.EventTypeByID(b.EventTypeID); e != nil {
		view = c.eventView(e)
	}
	view.Duration, view.Longer, view.From = b.End.Time().Sub(b.Start.Time()), 0, false
	c.addBookedPayment(&view, b)
	c.addBookedPlace(&view, b)
	view.Hosts = []string{b.Host.Name}
	addBooked(&view, b)
	view.Approval = false // its status shows that
	return view
}

func shownMoney(m *money.Money) *views.Money {
	if m == nil {
		return nil
	}
	return &views.Money{Amount: m.Amount, Currency: m.Currency}
}
