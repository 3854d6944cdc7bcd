package page

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/id"
	"daybook/app/slot"
	"daybook/app/when"
	"daybook/views"
)

// offeredAtOnce is how many services are offered to be added at most; others are found by their names.
const offeredAtOnce = 60

// basket is a visit that a visitor puts together: the services, and whether one person does all.
type basket struct {
	items []basketItem
	same  bool
}

type basketItem struct {
	event *catalog.EventType // as it is chosen
	host  *catalog.Host      // nil is whoever is free
}

// basket returns the visit of the address, or nil where it is one service. first is the service of the path, as it is
// chosen. What can't be in the visit is left out of the address, and gone says so.
func (c *call) basket(first *catalog.EventType) (b *basket, gone bool) {
	if c.query.With == "" && !c.query.Adding {
		c.query.Same = false
		return nil, false
	}
	b = &basket{items: []basketItem{{first, c.host}}}
	for _, of := range c.query.Beside() {
		item, whole := c.item(of, b.items)
		gone = gone || !whole
		if item.event != nil {
			b.items = append(b.items, item)
		}
	}
	if b.same = c.query.Same && len(b.items) > 1 && len(c.sharedHosts(b.items)) > 0; b.same {
		who := b.items[0].host
		if who != nil && !slices.Contains(c.sharedHosts(b.items), who) {
			who = nil
		}
		for i := range b.items {
			b.items[i].host = who
		}
	}
	if !c.begins(first) {
		b.items, gone = b.items[:1], true
	}
	c.address(b.items, b.same)
	if len(b.items) == 1 && !c.query.Adding {
		return nil, gone
	}
	return b, gone
}

// item returns a service of an address, to be added to those; without an event where it can't be. whole reports whether it
// is as the address has it.
func (c *call) item(of views.BasketOf, items []basketItem) (item basketItem, whole bool) {
	e := c.setup.EventType(of.Service)
	if len(items) == booking.MaxVisitItems || e == nil || !c.joins(e, items) {
		return item, false
	}
	choice := e.Fit(catalog.Choice{AddOns: of.AddOns})
	whole = len(of.AddOns) == 0 || slices.Equal(choice.AddOns, of.AddOns)
	chosen, err := e.Chosen(choice)
	if err != nil {
		return item, false
	}
	item.event = chosen
	if ref, err := id.Parse[catalog.HostIDKind](of.Host); err == nil && e.ServedBy(ref) && c.setup.Host(ref).Active {
		item.host = c.setup.Host(ref)
	} else if of.Host != "" {
		whole = false
	}
	return item, whole
}

// address sets the query to that of the visit.
func (c *call) address(items []basketItem, same bool) { c.query = c.basketQuery(c.query, items, same) }

// basketQuery returns the query for the page of the first service.
func (c *call) basketQuery(q views.Query, items []basketItem, same bool) views.Query {
	var beside []views.BasketOf
	for i, item := range items {
		ref, addOns := "", addOnIDs(item.event)
		if item.host != nil {
			ref = item.host.ID.String()
		}
		if i == 0 {
			q.Host = ref
			q = q.WithChoice(addOns, q.Seats)
			continue
		}
		if same {
			ref = ""
		}
		beside = append(beside, views.BasketOf{Service: item.event.Slug, Host: ref, AddOns: addOns})
	}
	q = q.WithBeside(beside)
	q.Same = same && len(items) > 1
	return q
}

func addOnIDs(e *catalog.EventType) (ids []string) {
	for _, a := range e.TakenAddOns() {
		ids = append(ids, a.ID)
	}
	return ids
}

// basketPath returns the address of the visit with these services. One alone counts as chosen.
func (c *call) basketPath(items []basketItem, same, adding bool) string {
	q := c.query
	q.Start, q.Search = "", ""
	q = c.basketQuery(q, items, same)
	q.Adding, q.Chosen = adding, len(items) == 1 && !adding
	return views.EventPath(c.slug(), items[0].event.Slug, q)
}

// begins reports whether a visit can begin with the service of the path, as it is chosen.
func (c *call) begins(e *catalog.EventType) bool {
	return c.link == "" && c.draft == nil && c.choice.Seats < 2
}

// joins reports whether a service can be added to a visit: it is listed, not in it, takes place where the others do, is paid as they are, and no question of theirs has its key.
func (c *call) joins(e *catalog.EventType, items []basketItem) bool {
	if !e.Listed() || len(c.setup.ActiveHosts(e)) == 0 {
		return false
	}
	place := booking.PlaceOf(c.setup, e)
	for _, item := range items {
		if item.event.ID == e.ID || !c.near(place, booking.PlaceOf(c.setup, item.event)) || !askTogether(e, item.event) ||
			c.setup.WaitsForPayment(e) && c.setup.WaitsForPayment(item.event) && e.PricedIn() != item.event.PricedIn() {
			return false
		}
	}
	return true
}

// near reports whether no way lies between two places.
func (c *call) near(a, b slot.Place) bool {
	return a == 0 || b == 0 || a == b || !slices.ContainsFunc(c.setup.EventTypes,
		func(e catalog.EventType) bool { return e.TravelMinutes() > 0 })
}

// askTogether reports whether one answer to each key serves both. Keys are made of labels, and those of labels without
// Latin letters are all alike.
func askTogether(a, b *catalog.EventType) bool {
	for _, q := range a.Questions {
		for _, other := range b.Questions {
			if q.Key == other.Key && (q.Type != other.Type || !slices.Equal(q.Options, other.Options) ||
				!strings.EqualFold(strings.TrimSpace(q.Label), strings.TrimSpace(other.Label))) {
				return false
			}
		}
	}
	return true
}

// addURL returns the address at which another service is added to the one of the page, or "".
func (c *call) addURL(e *catalog.EventType) string {
	items := []basketItem{{e, c.host}}
	if !c.begins(e) || !c.more(items) {
		return ""
	}
	return c.basketPath(items, false, true)
}

// more reports whether another service can be added.
func (c *call) more(items []basketItem) bool {
	return len(items) < booking.MaxVisitItems && slices.ContainsFunc(c.setup.EventTypes,
		func(e catalog.EventType) bool { return c.joins(&e, items) })
}

// sharedHosts returns those who do all of the services.
func (c *call) sharedHosts(items []basketItem) (all []*catalog.Host) {
	for _, h := range c.setup.ActiveHosts(items[0].event) {
		if !slices.ContainsFunc(items, func(item basketItem) bool { return !item.event.ServedBy(h.ID) }) {
			all = append(all, c.setup.Host(h.ID))
		}
	}
	return all
}

// input returns the search for the times of the visit.
func (b *basket) input() availability.VisitInput {
	in := availability.VisitInput{VisitChoice: b.choice()}
	for _, item := range b.items {
		of := booking.VisitItem{EventType: item.event.Slug, AddOns: addOnIDs(item.event)}
		if item.host != nil {
			of.Host = item.host.ID.String()
		}
		in.Items = append(in.Items, of)
	}
	return in
}

// choice arranges the services in whichever order ends first: customers rarely care which one comes first, and more
// starts are open so.
func (b *basket) choice() booking.VisitChoice {
	same := booking.PreferSamePerson
	if b.same {
		same = booking.MustSamePerson
	}
	return booking.VisitChoice{Order: booking.OrderAny, SamePerson: same}
}

// varies reports whether length or price depends on who does it.
func (b *basket) varies() bool {
	return slices.ContainsFunc(b.items, func(i basketItem) bool { return i.host == nil && i.event.Varies() })
}

// visitTimes returns the open times of a visit in [from, to), and where the search stopped early.
func (c *call) visitTimes(ctx context.Context, in availability.VisitInput, from, to when.Instant) ([]availability.OpenTime,
	when.Instant, error) {
	found, stopped, err := c.service.VisitOpenTimes(ctx, c.actor, in, from, to)
	return openTimes(found), stopped, err
}

// nextVisitTimes returns the next n of them.
func (c *call) nextVisitTimes(ctx context.Context, in availability.VisitInput, from when.Instant, n int) (
	[]availability.OpenTime, when.Instant, error) {
	found, stopped, err := c.service.VisitNextTimes(ctx, c.actor, in, from, n)
	return openTimes(found), stopped, err
}

func openTimes(found []availability.Slot) []availability.OpenTime {
	open := make([]availability.OpenTime, len(found))
	for i, s := range found {
		open[i] = availability.OpenTime{Start: s.Start, End: s.End}
	}
	return open
}

// basketMonth shows when the visit is possible.
func (c *call) basketMonth(b *basket) error {
	first, asked := b.items[0].event, b.input()
	cal := calendar{call: c, event: first, visit: &asked, path: func(q views.Query) string { return c.eventPath(first, q) }}
	p, err := cal.view(c.r.Context())
	if err != nil {
		return err
	}
	p.Event, p.Basket = c.basketEvent(b), c.basketView(b)
	p.Title = c.basketTitle(b)
	c.keepGathered(&p.Page, b.items...)
	if p.WaitURL, err = c.waitURL(b.services()...); err != nil {
		return err
	}
	return c.show(http.StatusOK, views.EventView(p))
}

func (c *call) basketTitle(b *basket) string {
	var titles []string
	for _, item := range b.items {
		titles = append(titles, item.event.Title)
	}
	return strings.Join(titles, ", ")
}

// basketEvent returns the visit as customers see it: what it takes and costs in all.
func (c *call) basketEvent(b *basket) views.Event {
	view := views.Event{Title: c.locale.T("basket_visit")}
	longest, priced := time.Duration(0), true
	var now *views.Money // what is paid online when it is booked
	services := make([]*catalog.EventType, len(b.items))
	for i, item := range b.items {
		services[i] = item.event
	}
	for i, item := range b.items {
		of := c.itemView(item)
		if !item.event.FillsWait(services) { // else it may take no time more
			view.Duration += of.Duration
		}
		longest += cmp.Or(of.Longer, of.Duration)
		whole := c.eventView(item.event)
		view.Approval = view.Approval || whole.Approval
		for _, need := range whole.Needs {
			if !slices.Contains(view.Needs, need) {
				view.Needs = append(view.Needs, need)
			}
		}
		now = addMoney(now, c.dueNow(item))
		if i == 0 {
			view.Location, view.Online = whole.Location, whole.Online
		} else if view.Location != whole.Location {
			view.Location = ""
		}
		switch {
		case of.Price == nil:
		case view.Price == nil:
			sum := *of.Price
			view.Price, view.From, view.OnSite = &sum, of.From, true
		case view.Price.Currency != of.Price.Currency:
			priced = false
		default:
			view.Price.Amount += of.Price.Amount
			view.From = view.From || of.From
		}
	}
	if longest > view.Duration {
		view.Longer = longest
	}
	if !priced {
		view.Price, view.From, view.OnSite = nil, false, false
	}
	addOnline(&view, now)
	return view
}

// dueNow returns what is paid online for a service of the visit when it is booked; nil for nothing.
func (c *call) dueNow(item basketItem) *views.Money {
	e := item.event
	if item.host != nil {
		e = e.With(item.host.ID)
	}
	switch {
	case !c.paysAhead(e):
		return nil
	case e.PaysOnline():
		return shownMoney(e.Price)
	}
	return shownMoney(e.DepositDue())
}

// itemView returns a service of the visit as customers see it.
func (c *call) itemView(item basketItem) views.BasketItem {
	e := item.event
	if item.host != nil {
		e = e.With(item.host.ID)
	}
	v := views.BasketItem{Slug: e.Slug, Title: e.Title, Duration: time.Duration(e.DurationMinutes) * time.Minute,
		Price: shownMoney(e.Price)}
	for _, a := range e.TakenAddOns() {
		v.AddOns = append(v.AddOns, a.Title)
	}
	if item.host == nil && e.Varies() {
		least, most := c.setup.Minutes(e)
		low, high, more := c.setup.Prices(e)
		v.Duration, v.Price = time.Duration(least)*time.Minute, shownMoney(low)
		v.From = more || high != nil && (low == nil || low.Amount < high.Amount)
		if most > least {
			v.Longer = time.Duration(most) * time.Minute
		}
		if v.From && low == nil {
			v.Price = &views.Money{Currency: e.PricedIn()}
		}
	}
	return v
}

// basketView returns what can be chosen of the visit.
func (c *call) basketView(b *basket) *views.Basket {
	first := b.items[0].event
	v := &views.Basket{Action: c.eventPath(first, views.Query{}), Same: b.same}
	q := c.query.WithChoice(nil, 0)
	q.Host, q.Hosts, q.Also, q.Same, q.Start = "", "", "", false, ""
	v.Hidden = q.Pairs()
	shared := c.sharedHosts(b.items)
	v.CanBeSame = len(shared) > 0 && slices.ContainsFunc(b.items, func(i basketItem) bool { return len(c.setup.ActiveHosts(i.event)) > 1 })
	for i, item := range b.items {
		view := c.itemView(item)
		rest := slices.Delete(slices.Clone(b.items), i, i+1)
		view.RemoveURL = c.basketPath(rest, b.same && len(rest) > 1, false)
		hosts := c.activeHosts(item.event)
		if b.same {
			hosts = shared
		}
		if len(hosts) > 1 && (i == 0 || !b.same) {
			view.People = []views.BasketPerson{{Picked: item.host == nil}}
			for _, h := range hosts {
				view.People = append(view.People, views.BasketPerson{ID: h.ID.String(), Name: h.Name, Picked: h == item.host})
			}
		}
		if len(item.event.AddOns) > 0 {
			chosen := c.choice
			c.choice = catalog.Choice{AddOns: addOnIDs(item.event)}
			for _, g := range c.choices(item.event).Groups {
				g.Of = views.AddOnsField(i)
				view.Groups = append(view.Groups, g)
			}
			c.choice = chosen
		}
		v.Items = append(v.Items, view)
	}
	if c.more(b.items) {
		v.AddURL = c.basketPath(b.items, b.same, true)
	}
	return v
}

func (c *call) activeHosts(e *catalog.EventType) (all []*catalog.Host) {
	for _, h := range c.setup.ActiveHosts(e) {
		all = append(all, c.setup.Host(h.ID))
	}
	return all
}

// offerMore lists the services that can be added to the visit.
func (c *call) offerMore(b *basket) error {
	if !c.more(b.items) {
		c.query.Adding = false
		if len(b.items) == 1 {
			return c.month(b.items[0].event)
		}
		return c.basketMonth(b)
	}
	p := views.BasketPage{Page: c.page(), BackURL: c.basketPath(b.items, b.same, false)}
	p.Title = c.locale.T("basket_add")
	c.keepGathered(&p.Page, b.items...)
	if p.Event = c.basketEvent(b); len(b.items) == 1 {
		p.Event = c.eventView(b.items[0].event)
		p.Event.Text, p.Event.Picture = "", views.Image{}
	}
	var all []views.Event
	joined := 0
	for i := range c.setup.EventTypes {
		e := &c.setup.EventTypes[i]
		if !c.joins(e, b.items) {
			continue
		}
		joined++
		chosen, err := e.Chosen(e.Fit(catalog.Choice{}))
		if err != nil {
			continue
		}
		item := c.itemView(basketItem{event: chosen})
		view := views.Event{Title: e.Title, Text: e.Description, Category: e.Category, Duration: item.Duration, Longer: item.Longer,
			Price: item.Price, From: item.From, Words: OtherWords(c.setup, e)}
		if !Matches(view, c.query.Search) {
			continue
		}
		if len(all) == offeredAtOnce {
			p.More = true
			break
		}
		view.URL = c.basketPath(append(slices.Clone(b.items), basketItem{event: chosen}), b.same, false)
		all = append(all, view)
	}
	p.Categories = Categories(all, c.locale.T("shop_other"))
	if joined >= searchedFrom || c.query.Search != "" {
		q := c.query
		q.Search, q.Start = "", ""
		p.Search = &views.Search{Text: c.query.Search, Hidden: q.Pairs(), Action: c.eventPath(b.items[0].event, views.Query{})}
	}
	return c.show(http.StatusOK, views.BasketView(p))
}
