package page

import (
	"time"

	"daybook/app/catalog"
	"daybook/app/id"
	"daybook/views"
)

// pickHost sets who is asked for. One who doesn't serve the event type, or can't be booked, is left out of the address:
// an old link still leads to the calendar.
func (v *visit) pickHost(e *catalog.EventType) {
	ref := v.query.Host
	v.query.Host = ""
	id, err := id.Parse[catalog.HostIDKind](ref)
	if err != nil || !e.ServedBy(id) {
		return
	}
	if h := v.setup.Host(id); h.Active {
		v.host, v.query.Host = h, ref
	}
}

// hostRef is who is asked for as the Service expects it.
func (v *visit) hostRef() string { return v.query.Host }

// people are those to choose from, whoever is free first; nil where only one can be booked.
func (v *visit) people(e *catalog.EventType) []views.Person {
	if v.invited.HostID != 0 {
		return nil
	}
	at := func(id string) string { return v.eventPath(e, v.query.WithHost(id)) }
	all := []views.Person{{URL: at(""), Picked: v.host == nil}}
	for _, ref := range e.Hosts {
		h := v.setup.Host(ref.ID)
		if !h.Active {
			continue
		}
		p := v.person(h)
		p.URL, p.Picked = at(h.ID.String()), v.host == h
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

// person is a host as visitors see them.
func (v *visit) person(h *catalog.Host) views.Person {
	return views.Person{Name: h.Name, About: h.About, Initial: views.Monogram(h.Name),
		Picture: image(v.setup.Picture(h.Picture), "")}
}

// addTerms sets the length and the price that hold with whom is asked for: the least where it depends on the person, or
// on the add-ons.
func (v *visit) addTerms(view *views.Event, e *catalog.EventType) {
	if !e.Varies() && len(e.AddOns) == 0 {
		return
	}
	if v.host != nil {
		e = e.With(v.host.ID)
		view.OnSite = e.Price != nil && !v.paysAhead(e)
		v.addPayment(view, e)
	}
	least, most := v.setup.Minutes(e)
	view.Duration, view.Longer = time.Duration(least)*time.Minute, 0
	if most > least {
		view.Longer = time.Duration(most) * time.Minute
	}
	low, high, more := v.setup.Prices(e)
	view.Price, view.From = shownMoney(low), more || high != nil && (low == nil || low.Amount < high.Amount)
	if view.From && low == nil {
		in := e.PricedIn()
		if high != nil {
			in = high.Currency
		}
		view.Price = &views.Money{Currency: in}
	}
}
