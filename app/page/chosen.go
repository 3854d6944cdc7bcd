package page

import (
	"slices"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/views"
)

// gathered returns what the visitor has chosen on the page of the business so far, in the order in which they did. All of
// it can be one visit; the rest is left out of the address. A preview has nothing, nor has a page in the flow of another
// site: it is as tall as its content, so the way on would be out of sight.
func (c *call) gathered() *basket {
	b := &basket{}
	if c.gathers() {
		for _, of := range c.query.Beside() {
			if item, _ := c.item(of, b.items); item.event != nil {
				b.items = append(b.items, item)
			}
		}
	}
	c.query = c.gathering(c.query, b.items)
	return b
}

// gathers reports whether services can be chosen on the page of the business.
func (c *call) gathers() bool { return c.draft == nil && c.query.Embed != views.Inline }

// gathering returns the query of the business's page for these services.
func (c *call) gathering(q views.Query, items []basketItem) views.Query {
	beside := make([]views.BasketOf, len(items))
	for i, item := range items {
		beside[i] = views.BasketOf{Service: item.event.Slug, AddOns: addOnIDs(item.event)}
		if item.host != nil {
			beside[i].Host = item.host.ID.String()
		}
	}
	q = q.WithBeside(beside)
	q.Same, q.Adding, q.Chosen = false, false, false
	return q
}

// keepGathered makes the way back to the page of the business keep what was chosen there. A service that was simply opened
// is not chosen: the address says so of one alone.
func (c *call) keepGathered(p *views.Page, items ...basketItem) {
	if c.gathers() && c.link == "" && (len(items) > 1 || c.query.Chosen || c.query.Adding) {
		p.Workspace.URL = views.IndexPath(c.slug(), c.gathering(c.query.Look(), items))
	}
}

// shopQuery leads to the page of the business, or to that of a host, with what is chosen there.
func (c *call) shopQuery(host string) views.Query {
	q := c.query.HostPage(host)
	q.With, q.Hosts, q.Also = c.query.With, c.query.Hosts, c.query.Also
	return q
}

// addTaking lets a service of the business's page be chosen with others, and be given up again. Once one is chosen, the
// service itself leads to the times for all of them; one that can't be among them leads to its own, and says so.
func (c *call) addTaking(view *views.Event, e *catalog.EventType, b *basket) {
	if !c.gathers() {
		return
	}
	at := func(items []basketItem) string {
		q := c.shopQuery(c.query.Host)
		q.Search = c.query.Search
		return views.ServicePath(c.slug(), e.Slug, c.gathering(q, items))
	}
	if i := slices.IndexFunc(b.items, func(item basketItem) bool { return item.event.ID == e.ID }); i >= 0 {
		view.Taken, view.TakeURL = true, at(slices.Delete(slices.Clone(b.items), i, i+1))
		view.URL = c.basketPath(b.items, false, false)
		return
	}
	chosen, err := e.Chosen(e.Fit(catalog.Choice{}))
	if err != nil || len(b.items) == booking.MaxVisitItems || !c.joins(e, b.items) {
		view.Alone = len(b.items) > 0
		return
	}
	item := basketItem{event: chosen}
	if c.host != nil && e.ServedBy(c.host.ID) {
		item.host = c.host
	}
	all := append(slices.Clone(b.items), item)
	view.TakeURL = at(all)
	if len(b.items) > 0 {
		view.URL = c.basketPath(all, false, false)
	}
}

// chosenView returns what is chosen, what it takes and costs in all, and where its times are; nil for nothing.
func (c *call) chosenView(b *basket) *views.Chosen {
	if len(b.items) == 0 {
		return nil
	}
	v := &views.Chosen{Sum: c.basketEvent(b), URL: c.basketPath(b.items, false, false)}
	for i, item := range b.items {
		view := c.itemView(item)
		q := c.shopQuery(c.query.Host)
		q.Search = c.query.Search
		view.RemoveURL = views.IndexPath(c.slug(), c.gathering(q, slices.Delete(slices.Clone(b.items), i, i+1)))
		v.Items = append(v.Items, view)
	}
	return v
}
