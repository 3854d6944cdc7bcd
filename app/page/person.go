package page

import (
	"time"

	"daybook/app/catalog"
	"daybook/app/id"
	"daybook/views"
)

// pickHost sets who is asked for. One who doesn't serve the event type, or can't be booked, is left out of the address:
// an old link still leads to the calendar.
func (c *call) pickHost(e *catalog.EventType) {
	ref := c.query.Host
	c.query.Host = ""
	id, err := id.Parse[catalog.HostIDKind](ref)
	if err != nil || !e.ServedBy(id) {
		return
	}
	if h := c.setup.Host(id); h.Active {
		c.host, c.query.Host = h, ref
	}
}

// hostRef returns who is asked for as the Service expects it.
func (c *call) hostRef() string { return c.query.Host }

// people returns those to choose from, whoever is free first; nil where only one can be booked.
func (c *call) people(e *catalog.EventType) []views.Person {
	if c.invited.HostID != 0 {
		return nil
	}
	at := func(id string) string { return c.eventPath(e, c.query.WithHost(id)) }
	all := []views.Person{{URL: at(""), Picked: c.host == nil}}
	for _, ref := range e.Hosts {
		h := c.setup.Host(ref.ID)
		if !h.Active {
			continue
		}
		p := c.person(h)
		p.URL, p.Picked = at(h.ID.String()), c.host == h
		if e.Varies() {
			own := e.With(h.ID)
			p.Duration, p.Price = time.Duration(own.DurationMinutes)*time.Minute, shownMoney(own.Price)
		}
		all = append(all, p)
	}
	if len(all) <= 2 {
		return nil
	}
	return all
}

// person returns a host as visitors see them.
func (c *call) person(h *catalog.Host) views.Person {
	return views.Person{Name: h.Name, About: h.About, Initial: views.Monogram(h.Name),
		Picture: image(c.setup.Picture(h.Picture), "")}
}

// addTerms sets the length and the price that hold with whom is asked for: the least where it depends on the person, or
// on the add-ons.
func (c *call) addTerms(view *views.Event, e *catalog.EventType) {
	if !e.Varies() && len(e.AddOns) == 0 {
		return
	}
	if c.host != nil {
		e = e.With(c.host.ID)
		view.OnSite = e.Price != nil && !c.paysAhead(e)
		c.addPayment(view, e)
	}
	least, most := c.setup.Minutes(e)
	view.Duration, view.Longer = time.Duration(least)*time.Minute, 0
	if most > least {
		view.Longer = time.Duration(most) * time.Minute
	}
	low, high, more := c.setup.Prices(e)
	view.Price, view.From = shownMoney(low), more || high != nil && (low == nil || low.Amount < high.Amount)
	if view.From && low == nil {
		in := e.PricedIn()
		if high != nil {
			in = high.Currency
		}
		view.Price = &views.Money{Currency: in}
	}
}
