package catalog

import (
	"slices"

	"daybook/app/money"
)

// Minutes returns the shortest and the longest time that an event type takes with any of its active hosts, in minutes,
// with the shortest add-ons of required groups.
func (s *Setup) Minutes(e *EventType) (least, most int) {
	for i, own := range s.ways(e) {
		n := own.DurationMinutes
		if i == 0 {
			least, most = n, n
		}
		least, most = min(least, n), max(most, n)
	}
	more := e.unchosen().Least(func(a *AddOn) int64 { return int64(a.Minutes) })
	return least + more, most + more
}

// Prices returns the lowest and the highest price of an event type with any of its active hosts, with the cheapest
// add-ons of required groups; nil means free. more is true if other add-ons cost something.
func (s *Setup) Prices(e *EventType) (low, high *money.Money, more bool) {
	for i, own := range s.ways(e) {
		p := own.Price
		if i == 0 {
			low, high = p, p
		}
		if p.Units() < low.Units() {
			low = p
		}
		if p.Units() > high.Units() {
			high = p
		}
	}
	if added := e.unchosen().Least(func(a *AddOn) int64 { return a.Price.Units() }); added > 0 {
		low, high = low.Plus(added, e.PricedIn()), high.Plus(added, e.PricedIn())
	}
	costs := func(a AddOn) bool { return a.Price.Units() > 0 }
	return low, high, e.choice == nil && slices.ContainsFunc(e.AddOns, costs)
}

// PricedIn returns the currency that the price, the fees and the add-ons of an event type share, or "" if nothing costs
// anything.
func (e *EventType) PricedIn() string {
	for _, m := range []*money.Money{e.Price, e.NoShowFee, e.LateCancellationFee} {
		if m.Units() != 0 && m.Currency != "" {
			return m.Currency
		}
	}
	for i := range e.AddOns {
		if p := e.AddOns[i].Price; p.Units() != 0 && p.Currency != "" {
			return p.Currency
		}
	}
	return ""
}

// unchosen returns the add-ons as long as nothing is chosen.
func (e *EventType) unchosen() Extras {
	if e.choice != nil {
		return Extras{}
	}
	return e.extras()
}

// ways returns an event type as each of its active hosts does it; without any, as it says itself.
func (s *Setup) ways(e *EventType) (all []*EventType) {
	for _, ref := range e.Hosts {
		if h := s.Host(ref.ID); h != nil && h.Active {
			all = append(all, e.With(h.ID))
		}
	}
	if len(all) == 0 {
		all = append(all, e)
	}
	return all
}
