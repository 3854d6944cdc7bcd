package page

import (
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/money"
	"daybook/views"
)

// maxNames is how many hosts are named; if there are more, none is.
const maxNames = 4

// needs says what an event type requires, before anything is chosen.
func (c *call) needs(e *catalog.EventType) (all []string) {
	for _, r := range e.Requires {
		kind := c.setup.Workspace.Settings.Consent(r.Consent)
		switch {
		case kind == nil:
		case r.Within > 0:
			all = append(all, c.locale.T("agree_page_within", "What", kind.Name, "Count", r.Within))
		default:
			all = append(all, c.locale.T("agree_page", "What", kind.Name))
		}
	}
	return all
}

// eventView returns an event type as customers see it.
func (c *call) eventView(e *catalog.EventType) views.Event {
	view := views.Event{
		Title: e.Title, Text: e.Description, Duration: time.Duration(e.DurationMinutes) * time.Minute,
		Price: shownMoney(e.Price), OnSite: e.Price != nil && !c.paysAhead(e),
		Picture: image(c.setup.Picture(e.Picture), ""), Location: e.Location,
		Online: booking.Online(e.Location), Approval: e.RequiresApproval || len(e.Requires) > 0, Needs: c.needs(e),
		URL: c.eventPath(e, c.query.HostPage(c.query.Host)),
	}
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
