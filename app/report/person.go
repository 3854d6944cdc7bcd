package report

import (
	"cmp"
	"slices"
	"strings"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/money"
)

// HostFigures are the figures of one host over a span.
type HostFigures struct {
	HostID *catalog.HostID `json:"hostId"` // nil is nobody: what was received without saying for whom
	Name   string          `json:"name"`
	// OpenFrom is the first day of the span of which it is known when the host was at work, a date; nil while none is.
	OpenFrom *string `json:"openFrom"`
	PersonFigures
	// ByDay has the latest maxDays days of which there is something to tell, the earliest first; only if it is asked for.
	ByDay []HostDayFigures `json:"byDay,omitempty"`
}

// HostDayFigures are the figures of one day of a host.
type HostDayFigures struct {
	Date string `json:"date"`
	PersonFigures
}

// PersonFigures are sums of a host. Bookings count on the day on which they start, for the host who leads, and money on the
// day on which it was received, both in the zone of the figures; minutes on days of the host's own zone that are over.
type PersonFigures struct {
	Totals Totals `json:"totals"`
	// In minutes; nil where it is not known when the host was at work. Sums are of the days of which it is known.
	Open          *int64        `json:"open"`
	Booked        *int64        `json:"booked"`        // of Open, for bookings of which the host is one
	BookedOutside *int64        `json:"bookedOutside"` // outside of Open
	Utilisation   *float64      `json:"utilisation"`   // Booked ÷ Open; nil for 0
	Value         []money.Money `json:"value"`         // prices less discounts of what took place or will
	Revenue       []money.Money `json:"revenue"`       // received less given back, products and tips included
	Products      []money.Money `json:"products"`      // of Revenue, products that the host sold
	Tips          []money.Money `json:"tips"`          // of Revenue
	ShowRate      *float64      `json:"showRate"`      // as in Figures
}

// hostOf returns the host of that id, or where it is spoken of that name, if the actor may know of it. Errors: not_found.
func hostOf(setup *catalog.Setup, a app.Actor, ref string, spoken bool) (*catalog.Host, error) {
	for i := range setup.Hosts {
		h := &setup.Hosts[i]
		if (h.ID.String() == ref || spoken && strings.EqualFold(h.Name, ref)) && a.Limits.Knows(setup, h.ID) {
			return h, nil
		}
	}
	return nil, fault.Missing("host", ref)
}

// person puts figures and minutes together; either may be nil.
func person(f *Figures, w *worked) (p PersonFigures) {
	if f == nil {
		f = &Figures{}
	}
	own := *f
	own.finish()
	p = PersonFigures{Totals: own.Totals, Value: own.Value, Revenue: own.Revenue, Products: amounts(own.products),
		Tips: amounts(own.tips), ShowRate: own.ShowRate}
	if w == nil {
		return p
	}
	minutes := func(ms int64) *int64 {
		n := (ms + 30_000) / 60_000
		return &n
	}
	p.Open, p.Booked, p.BookedOutside = minutes(w.open), minutes(w.booked), minutes(w.outside)
	if w.open > 0 {
		rate := float64(w.booked) / float64(w.open)
		p.Utilisation = &rate
	}
	return p
}

// hosts returns the figures of all hosts with any, or of the one that is asked for.
func (t *tally) hosts(setup *catalog.Setup) []HostFigures {
	ids := map[catalog.HostID]bool{}
	if t.person != 0 {
		ids[t.person] = true
	} else {
		for id := range t.byHost {
			ids[id] = true
		}
		for id := range t.work.sums {
			ids[id] = true
		}
	}
	all := make([]HostFigures, 0, len(ids))
	for id := range ids {
		row := HostFigures{PersonFigures: person(t.byHost[id], t.work.sums[id])}
		if id != 0 {
			row.HostID = &id
		}
		if h := setup.Host(id); h != nil {
			row.Name = h.Name
		}
		if w := t.work.sums[id]; w != nil {
			first := dateOf(w.first)
			row.OpenFrom = &first
		}
		all = append(all, row)
	}
	id := func(h *HostFigures) catalog.HostID {
		if h.HostID == nil {
			return 0
		}
		return *h.HostID
	}
	slices.SortFunc(all, func(a, b HostFigures) int {
		return cmp.Or(b.Totals.Total-a.Totals.Total, cmp.Compare(id(&a), id(&b)))
	})
	if t.person != 0 {
		all[0].ByDay = t.hostDays()
	}
	return all
}

func (t *tally) hostDays() []HostDayFigures {
	work := map[string]*worked{}
	for day, w := range t.work.days {
		work[dateOf(day)] = w
	}
	dates := map[string]bool{}
	for date := range t.personDays {
		dates[date] = true
	}
	for date := range work {
		dates[date] = true
	}
	days := []HostDayFigures{}
	for date := range dates {
		days = append(days, HostDayFigures{date, person(t.personDays[date], work[date])})
	}
	slices.SortFunc(days, func(a, b HostDayFigures) int { return cmp.Compare(a.Date, b.Date) })
	return days[max(0, len(days)-maxDays):]
}
