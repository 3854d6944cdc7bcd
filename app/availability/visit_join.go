package availability

import (
	"slices"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/slot"
	"daybook/app/when"
)

// Within makes the search find the place of one of a visit's bookings: at any minute unless it comes first, and without
// buffers between it and its neighbours for whoever, and whatever, goes on.
func (q *Search) Within(step *booking.VisitStep) {
	if step.Later {
		q.rules.Step = time.Millisecond
	}
	q.rules.Joins = slot.Joins{Before: step.JoinsBefore, After: step.JoinsAfter}
	q.step = step
}

// join makes the request one for a booking with the host beside its neighbours. next is the host of the one behind it,
// where the booking itself isn't known, or 0.
func (q *Search) join(req *slot.Request, host catalog.HostID, before, after *booking.Neighbour, next catalog.HostID) {
	joins := func(of catalog.Subject) slot.Joins {
		return slot.Joins{Before: before.Has(of, host), After: after.Has(of, host) || next != 0 && of == catalog.OfHost(next)}
	}
	if q.rules.Seats > 1 { // a session has one time for all its seats
		before, after, next = nil, nil, 0
	}
	own := joins(catalog.Subject{})
	req.Rules.Joins.Before, req.Rules.Joins.After = req.Rules.Joins.Before || own.Before, req.Rules.Joins.After || own.After
	for i, h := range q.others {
		req.Others[i].Joins = joins(catalog.OfHost(h.ID))
		trim(req.Others[i].Booked, before, after, catalog.OfHost(h.ID), host)
	}
	for i, h := range q.hosts {
		trim(req.Hosts[i].Booked, before, after, catalog.OfHost(h.ID), host)
	}
	for i, of := range q.things() {
		req.Resources[i].Joins = joins(of)
		trim(req.Resources[i].Booked, before, after, of, host)
	}
}

// trim takes the buffers that face the booking from its neighbours among what takes the time of a subject: they are the
// bookings of it that end, or begin, when the neighbour does.
func trim(booked []slot.Booking, before, after *booking.Neighbour, of catalog.Subject, host catalog.HostID) {
	goesOn, comesFrom := before.Has(of, host), after.Has(of, host)
	for i := range booked {
		b := &booked[i]
		if goesOn && b.End == int64(before.End) {
			b.Occupied.End = b.End
		}
		if comesFrom && b.Start == int64(after.Start) {
			b.Occupied.Start = b.Start
		}
	}
}

// stay makes the request one for a booking that keeps its place: it has buffers where it has them now.
func (q *Search) stay(req *slot.Request) {
	joins := func(of catalog.Subject) slot.Joins {
		from, to := q.moved.Around(of)
		return slot.Joins{Before: from == q.moved.Start, After: to == q.moved.End}
	}
	req.Rules.Joins = joins(catalog.Subject{})
	for i, h := range q.others {
		req.Others[i].Joins = joins(catalog.OfHost(h.ID))
	}
	for i, of := range q.things() {
		req.Resources[i].Joins = joins(of)
	}
}

// around sets what is kept free around each of those whom a booking takes beside its host.
func (q *Search) around(taken *booking.Taken, req *slot.Request, v *slot.Verdict) {
	if v.Begun || v.Waived.Has(slot.Buffer) || req.Rules.Joins == (slot.Joins{}) &&
		!slices.ContainsFunc(req.Others, func(h slot.Host) bool { return h.Joins != slot.Joins{} }) &&
		!slices.ContainsFunc(req.Resources, func(r slot.Resource) bool { return r.Joins != slot.Joins{} }) {
		return // all is kept free alike
	}
	found := map[catalog.Subject]slot.Joins{}
	for i, h := range q.others {
		found[catalog.OfHost(h.ID)] = req.Others[i].Joins
	}
	for i, of := range q.things() {
		found[of] = req.Resources[i].Joins
	}
	taken.SetAround(func(s catalog.Subject, from, to when.Instant) (when.Instant, when.Instant) {
		joins, beside := found[s]
		if !beside {
			return from, to
		}
		if from = taken.Start; !joins.Before {
			from = from.Add(-q.rules.BufferBefore)
		}
		if to = taken.End; !joins.After {
			to = to.Add(q.rules.BufferAfter)
		}
		return from, to
	})
}

// staysInVisit reports whether the booking keeps its place among its neighbours.
func (q *Search) staysInVisit() bool { return q.stays && q.moved != nil && q.moved.Visit != nil }

// shared returns the people and resources that several services of the visit may take beside their hosts.
func (v *Visit) shared() func(of catalog.Subject) bool {
	times := map[catalog.Subject]int{}
	for _, q := range v.items {
		mine := map[catalog.Subject]bool{}
		for _, h := range q.everybody() {
			mine[catalog.OfHost(h.ID)] = true
		}
		for _, of := range q.things() {
			mine[of] = true
		}
		for of := range mine {
			times[of]++
		}
	}
	return func(of catalog.Subject) bool { return times[of] > 1 }
}

// loosen returns the request of an item without buffers for what a neighbour may take, too: what is open by it is judged
// again where the neighbours are known, see apartAll.
func (o *openings) loosen(item int, req *slot.Request, shared func(of catalog.Subject) bool) *slot.Request {
	q, loose := o.of.items[item], *req
	loose.Others, loose.Resources = slices.Clone(req.Others), slices.Clone(req.Resources)
	for i, h := range q.others {
		both := shared(catalog.OfHost(h.ID))
		loose.Others[i].Joins = slot.Joins{Before: both, After: both}
	}
	for i, of := range q.things() {
		both := shared(of)
		loose.Resources[i].Joins = slot.Joins{Before: both, After: both}
	}
	return &loose
}

// takesBeside reports whether the item may take the host beside the one who does it.
func (v *Visit) takesBeside(item int, host catalog.HostID) bool {
	return slices.ContainsFunc(v.items[item].others, func(h *catalog.Host) bool { return h.ID == host })
}
