package catalog

import (
	"fmt"

	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/money"
)

// Terms are the length and the price of an event type with one host. A nil field means that of the event type; a price
// of 0 means free.
type Terms struct {
	EventType       EventTypeID  `json:"-"` // 0 in a set-up file, which names the slug
	Slug            string       `json:"slug"`
	DurationMinutes *int         `json:"durationMinutes,omitempty"`
	Parts           []Part       `json:"parts,omitempty"` // of a service in parts, as many; their sum is the length
	Price           *money.Money `json:"price,omitempty"`
}

// TermsFields describes the terms of a host.
var TermsFields = field.Resource{
	Text: "What the host takes for one of the services, where that differs from the event type.",
	Fields: []field.Field{
		{Name: "slug", Text: "Slug of the event type.", InFile: true, Required: true},
		{Name: "durationMinutes", Text: "How long it takes with this host; left out it is the event type's.", Least: 1,
			Most: maxDuration, InFile: true},
		{Name: "parts", Text: "How long each part of a service in parts takes with this host: as many as the event type has.",
			InFile: true},
		{Name: "price", Text: "What it costs with this host; left out it is the event type's, 0 is free.", InFile: true},
	},
}

// CheckTerms normalises the host's terms against the event types of the workspace, and finds each by its id, else its
// slug. field names the host's place in the input, for errors. A list may name only event types that the host serves.
// Errors: bad_request.
func (h *Host) CheckTerms(field string, types []EventType) error {
	var p fault.Problems
	seen := map[EventTypeID]bool{}
	kept := h.EventTypes[:0:0]
	for i, t := range h.EventTypes {
		at := fmt.Sprintf("%s.eventTypes[%d]", field, i)
		e := t.of(types)
		if e == nil || !e.ServedBy(h.ID) {
			p.Add(fault.Invalid(at+".slug", "%q is no event type that %s serves", t.Slug, h.Name))
			continue
		}
		t.EventType, t.Slug = e.ID, e.Slug
		if seen[e.ID] {
			p.Add(fault.Invalid(at+".slug", "%s stands twice", e.Slug))
		}
		seen[e.ID] = true
		p.Add(t.check(at, e))
		if t.DurationMinutes != nil || t.Price != nil {
			kept = append(kept, t)
		}
	}
	h.EventTypes = kept
	return p.Err()
}

// DropTerms removes the terms of event types that the host no longer serves.
func (h *Host) DropTerms(types []EventType) {
	kept := make([]Terms, 0, len(h.EventTypes))
	for _, t := range h.EventTypes {
		if e := t.of(types); e != nil && e.ServedBy(h.ID) {
			t.Slug = e.Slug
			kept = append(kept, t)
		}
	}
	h.EventTypes = kept
}

// CheckOwn checks the terms that hosts have for the event type, which is about to be saved. at names its place in the
// input. Errors: bad_request for price or parts.
func (e *EventType) CheckOwn(at string, hosts []Host) error {
	for i := range hosts {
		for _, t := range hosts[i].EventTypes {
			if t.EventType != e.ID || e.ID == 0 || !e.ServedBy(hosts[i].ID) {
				continue
			}
			if t.checkParts(at, e) != nil {
				return fault.Invalid(at+".parts", "%s has a length of their own for it, which doesn't fit: clear that first",
					hosts[i].Name)
			}
			if err := t.check(at, e); err != nil {
				wrong := fault.As(err)
				return fault.Invalid(at+".price", "%s's own price of it doesn't fit any more: %s", hosts[i].Name, wrong.Error())
			}
		}
	}
	return nil
}

// of returns the event type that the terms are about, or nil.
func (t *Terms) of(types []EventType) *EventType {
	for i := range types {
		if e := &types[i]; t.EventType != 0 && e.ID == t.EventType || t.EventType == 0 && e.Slug == t.Slug {
			return e
		}
	}
	return nil
}

// checkParts normalises the parts, and the length by them. Errors: bad_request where they don't fit the event type.
func (t *Terms) checkParts(at string, e *EventType) error {
	switch {
	case len(e.Parts) == 0 && len(t.Parts) > 0:
		return fault.Invalid(at+".parts", "%s has no parts: give durationMinutes", e.Title)
	case len(e.Parts) > 0 && len(t.Parts) == 0 && t.DurationMinutes != nil:
		return fault.Invalid(at+".durationMinutes", "%s is in parts: give the length of each in parts", e.Title)
	case len(t.Parts) == 0:
		return nil
	case len(t.Parts) != len(e.Parts):
		return fault.Invalid(at+".parts", "must be %d, as many as the event type has", len(e.Parts))
	}
	total := 0
	if t.DurationMinutes != nil {
		total = *t.DurationMinutes
	}
	parts, total, err := checkParts(at+".parts", t.Parts, total)
	if err == nil {
		t.Parts, t.DurationMinutes = parts, &total
	}
	return err
}

func (t *Terms) check(at string, e *EventType) error {
	if err := t.checkParts(at, e); err != nil {
		return err
	}
	if d := t.DurationMinutes; d != nil && (*d < 1 || *d > maxDuration) {
		return fault.Invalid(at+".durationMinutes", "must lie between %d and %d", 1, maxDuration)
	}
	if t.Price == nil {
		return nil
	}
	in := e.PricedIn()
	if t.Price.Currency == "" && in != "" {
		t.Price = &money.Money{Amount: t.Price.Amount, Currency: in}
	}
	if _, err := money.CheckMoney(at+".price", t.Price); err != nil {
		return err
	}
	if in != "" && t.Price.Amount != 0 && t.Price.Currency != in {
		return fault.Invalid(at+".price.currency", "must be the event type's currency, %s", in)
	}
	if e.Payment == PayOnline {
		return money.CheckChargeable(at+".price", t.Price)
	}
	return nil
}

// With returns the event type with the host's own length and price, and with the choice applied (see Chosen). The
// result has no terms of hosts. e must come from a Setup, or from Chosen of one that does.
func (e *EventType) With(host HostID) *EventType {
	if e.terms == nil {
		return e
	}
	own := *e
	own.terms = nil
	t := e.terms[host]
	if t == nil {
		return &own
	}
	if t.DurationMinutes != nil {
		own.DurationMinutes, _ = e.choice.apply(*t.DurationMinutes, nil)
		own.Parts = e.choice.lengthen(t.Parts)
	}
	if t.Price != nil {
		_, own.Price = e.choice.apply(0, t.Price)
	}
	if own.Price != nil && own.Price.Amount == 0 {
		own.Price = nil
	}
	return &own
}

// Varies reports whether the length or the price depends on the host.
func (e *EventType) Varies() bool { return e.terms != nil }

// Lengths returns the least and the most minutes that the event type takes with any of its hosts.
func (e *EventType) Lengths() (least, most int) {
	least, most = e.DurationMinutes, e.DurationMinutes
	for i, h := range e.Hosts {
		n := e.With(h.ID).DurationMinutes
		if i == 0 {
			least, most = n, n
		}
		least, most = min(least, n), max(most, n)
	}
	return least, most
}

// Cheapest returns the lowest price with any of its hosts, nil if that is free, and whether it costs more with another
// host.
func (e *EventType) Cheapest() (price *money.Money, dearer bool) {
	price = e.Price
	amount := func(m *money.Money) int64 {
		if m == nil {
			return 0
		}
		return m.Amount
	}
	for i, h := range e.Hosts {
		p := e.With(h.ID).Price
		if i == 0 {
			price = p
		}
		dearer = dearer || amount(p) != amount(price)
		if amount(p) < amount(price) {
			price = p
		}
	}
	return price, dearer
}

// linkTerms gives the event types the terms of their hosts, and the terms the slugs of now. Terms of an event type that
// the host doesn't serve any more are kept out.
func (s *Setup) linkTerms() {
	for i := range s.Hosts {
		h := &s.Hosts[i]
		h.DropTerms(s.EventTypes)
		for j := range h.EventTypes {
			e := s.EventTypeByID(h.EventTypes[j].EventType)
			if e.terms == nil {
				e.terms = map[HostID]*Terms{}
			}
			e.terms[h.ID] = &h.EventTypes[j]
		}
	}
}
