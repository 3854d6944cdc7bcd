package availability

import (
	"slices"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/when"
)

// travels reports whether the search has to know where bookings take place: it is for a booking at a place, and some
// service of its hosts needs time for the way.
func (q *Search) travels() bool {
	if q.place == 0 {
		return false
	}
	serves := func(e *catalog.EventType) bool {
		return slices.ContainsFunc(q.everybody(), func(h *catalog.Host) bool { return e.ServedBy(h.ID) })
	}
	for i := range q.setup.EventTypes {
		if e := &q.setup.EventTypes[i]; e.TravelMinutes() > 0 && serves(e) {
			return true
		}
	}
	return q.event.TravelMinutes() > 0
}

// ways are the times for the way of a workspace's event types, by their ids; nil for a search that doesn't travel.
type ways map[catalog.EventTypeID]time.Duration

func (q *Search) ways() ways {
	if !q.travels() {
		return nil
	}
	all := ways{}
	for i := range q.setup.EventTypes {
		if e := &q.setup.EventTypes[i]; e.TravelMinutes() > 0 {
			all[e.ID] = time.Duration(e.TravelMinutes()) * time.Minute
		}
	}
	if m := q.event.TravelMinutes(); m > 0 { // a draft's
		all[q.event.ID] = time.Duration(m) * time.Minute
	}
	return all
}

// longest returns the most time for the way that lies between two bookings.
func (w ways) longest() (most time.Duration) {
	for _, d := range w {
		most = max(most, d)
	}
	return most
}

// eachOccupied reads what takes the hosts' time, with the places where ways count.
func (w ways) eachOccupied(r Reader, hosts []catalog.HostID, from, to, held when.Instant,
	row func(host int, o booking.Occupation)) error {
	if w == nil {
		return r.EachOccupied(hosts, false, from, to, held, row)
	}
	return r.EachOccupied(hosts, true, from.Add(-w.longest()), to.Add(w.longest()), held, func(host int, o booking.Occupation) {
		o.Travel = w[o.EventType]
		row(host, o)
	})
}
