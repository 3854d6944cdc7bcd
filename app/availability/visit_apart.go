package availability

import (
	"slices"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/slot"
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
	if !a.joinsAfter(k) {
		s.End += rules.BufferAfter.Milliseconds()
	}
	return s
}

// joinsAfter reports whether the same host does what follows the service of the path.
func (a *arranging) joinsAfter(k int) bool {
	for i := k + 1; i < len(a.path) && !a.path[k].within; i++ {
		if !a.path[i].within {
			return a.path[i].before
		}
	}
	return false
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
// several need is taken by one at a time with its buffers, as is whoever is taken beside a host, and a host's cap counts
// them all.
func (a *arranging) apartAll() bool {
	var before []booking.Occupation
	rooms := map[catalog.ResourceID][]slot.Booking{}
	for i, p := range a.path {
		q := a.of.items[p.item]
		from := a.later[p.item]
		if i == 0 {
			from = a.from[p.item]
		}
		req := joined(from, p.before, a.joinsAfter(i))
		req.Hosts, req.Resources = slices.Clone(req.Hosts), slices.Clone(req.Resources)
		host := &req.Hosts[p.host]
		host.Booked = slices.Clone(host.Booked)
		for _, o := range before {
			if o.Host == p.id {
				o.Same, o.Alone = o.EventType == q.event.ID && !o.Later, o.InParts
				host.Booked = append(host.Booked, o.Booking)
			}
		}
		req.Others = slices.Clone(req.Others)
		for j, h := range q.others {
			other := &req.Others[j]
			other.Booked = slices.Clone(other.Booked)
			for _, o := range before {
				if o.Host == h.ID {
					other.Booked = append(other.Booked, o.Booking)
				}
			}
		}
		ids := catalog.Needed(q.needs)
		for j := range req.Resources {
			req.Resources[j].Booked = slices.Concat(req.Resources[j].Booked, rooms[ids[j]])
		}
		verdict := req.Waiving(p.start, p.host, 0)
		if verdict.Reason != slot.Open {
			return false
		}
		works := verdict.Works
		if works == nil {
			works = []slot.Work{{Own: slot.Span{Start: p.start, End: verdict.End}, Occupied: verdict.Occupied}}
		}
		for k, w := range works {
			taken := booking.Occupation{Booking: slot.Booking{Start: w.Own.Start, End: w.Own.End, Occupied: w.Occupied},
				EventType: q.event.ID, Host: p.id, InParts: verdict.Works != nil, Later: k > 0}
			before = append(before, taken)
			for _, j := range verdict.Others {
				taken.Host, taken.InParts, taken.Later = q.others[j].ID, true, true
				before = append(before, taken)
			}
		}
		for j, at := range verdict.Resources {
			spans := []slot.Work{{Own: slot.Span{Start: p.start, End: verdict.End}, Occupied: verdict.Occupied}}
			if q.needs[j].During == catalog.DuringWork && verdict.Works != nil {
				spans = verdict.Works
			}
			for _, w := range spans {
				rooms[ids[at]] = append(rooms[ids[at]], slot.Booking{Start: w.Own.Start, End: w.Own.End, Occupied: w.Occupied})
			}
		}
	}
	return true
}
