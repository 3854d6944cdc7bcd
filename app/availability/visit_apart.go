package availability

import (
	"slices"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/slot"
	"daybook/app/when"
)

// apart reports whether the last service of the path, with its buffers, meets nothing that its host does in the visit
// before it.
func (a *arranging) apart() bool {
	last := len(a.path) - 1
	for k := range last {
		if a.path[k].id == a.path[last].id && a.occupied(k).Meets(a.occupied(last)) && a.worksMeet(k, last) {
			return false
		}
	}
	return true
}

// occupied returns what the service of the path takes of its host from its start to its end, with its buffers.
func (a *arranging) occupied(k int) slot.Span {
	p := &a.path[k]
	rules := &a.of.items[p.item].rules
	s := slot.Span{Start: p.start, End: p.end}
	if !p.before {
		s.Start -= rules.BufferBefore.Milliseconds()
	}
	// Whether who is here goes on beside another, where that may be, apartAll tells.
	if next := a.following(k); next == nil || !next.same && !a.of.takesBeside(next.item, p.id) {
		s.End += rules.BufferAfter.Milliseconds()
	}
	return s
}

// following returns what follows the service of the path; nil where that lies in a wait, or is the last.
func (a *arranging) following(k int) *placed {
	for i := k + 1; i < len(a.path) && !a.path[k].within; i++ {
		if !a.path[i].within {
			return &a.path[i]
		}
	}
	return nil
}

// worksMeet reports whether two services of the path meet while their host works.
func (a *arranging) worksMeet(k, last int) bool {
	for _, w := range a.taken(k) {
		if slices.ContainsFunc(a.taken(last), w.Meets) {
			return true
		}
	}
	return false
}

// taken returns what the service of the path takes of its host, with its buffers and those around its works.
func (a *arranging) taken(k int) []slot.Span {
	p, whole := &a.path[k], a.occupied(k)
	works := a.works[p.item][p.host]
	if works == nil {
		return []slot.Span{whole}
	}
	spans := make([]slot.Span, len(works))
	for i, w := range works {
		spans[i] = w.At(p.start).Occupied
	}
	spans[0].Start, spans[len(spans)-1].End = whole.Start, whole.End
	return spans
}

// apartAll judges the services of the path one by one, each beside those before it as if these were booked: a room that
// several need is taken by one at a time, as is whoever is taken beside a host, and a host's cap counts them all. Each
// takes what it would take by itself, with all buffers behind it; what the next one goes on with has none between.
func (a *arranging) apartAll() bool {
	taken, behind := make([]booking.Taken, len(a.path)), -1
	for i, p := range a.path {
		q, before := a.of.items[p.item], -1
		if !p.within {
			before, behind = behind, i
		}
		from := a.later[p.item]
		if i == 0 {
			from = a.from[p.item]
		}
		next := catalog.HostID(0) // who does what follows
		if f := a.following(i); f != nil {
			next = f.id
		}
		req := joined(from, p.same, next == p.id)
		req.Hosts, req.Others, req.Resources = slices.Clone(req.Hosts), slices.Clone(req.Others), slices.Clone(req.Resources)
		host := &req.Hosts[p.host]
		host.Booked = a.alsoBooked(host.Booked, catalog.OfHost(p.id), q, taken[:i])
		for j, h := range q.others {
			req.Others[j].Booked = a.alsoBooked(req.Others[j].Booked, catalog.OfHost(h.ID), q, taken[:i])
		}
		for j, of := range q.things() {
			req.Resources[j].Booked = a.alsoBooked(req.Resources[j].Booked, of, q, taken[:i])
		}
		var neighbour *booking.Neighbour
		if before >= 0 {
			neighbour = a.of.neighbour(a.path[before].item, &taken[before], a.path[before].id)
		}
		q.join(req, p.id, neighbour, nil, next)
		verdict := req.Waiving(p.start, p.host, 0)
		if verdict.Reason != slot.Open {
			return false
		}
		taken[i] = q.taken(q.hosts[p.host], req, when.Instant(p.start), &verdict)
		if neighbour != nil {
			neighbour.GoOn(&booking.Neighbour{Taken: &taken[i], Host: p.id})
		}
	}
	return true
}

// alsoBooked returns what takes the time of the subject with what the services of the path before one of q take of it.
func (a *arranging) alsoBooked(booked []slot.Booking, of catalog.Subject, q *Search, taken []booking.Taken) []slot.Booking {
	booked = slices.Clone(booked)
	for k := range taken {
		t, p := &taken[k], &a.path[k]
		one := booking.Neighbour{Taken: t, Host: p.id}
		if !one.Has(of, 0) {
			continue
		}
		leads, works := of == catalog.OfHost(p.id), t.Works()
		if !leads {
			works = t.Takes(of)
		}
		for j, w := range works {
			booked = append(booked, slot.Booking{Start: w.Own.Start, End: w.Own.End, Occupied: w.Occupied,
				Same: leads && j == 0 && a.of.items[p.item].event.ID == q.event.ID, Alone: !leads || len(t.Parts) > 0})
		}
	}
	return booked
}

// neighbour returns the item of the visit as what is before the next one; of a session, which others share, nil.
func (v *Visit) neighbour(item int, taken *booking.Taken, host catalog.HostID) *booking.Neighbour {
	if v.items[item].rules.Seats > 1 {
		return nil
	}
	return &booking.Neighbour{Taken: taken, Host: host}
}
