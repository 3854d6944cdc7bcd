package availability

import (
	"slices"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/slot"
)

// takeNeeds makes the search find what the event type needs besides the host.
func (q *Search) takeNeeds(e *catalog.EventType) {
	q.needs, q.others = e.Needs, nil
	n, of := e.Others()
	if q.beside = n; n == 0 {
		return
	}
	q.needs = slices.DeleteFunc(slices.Clone(e.Needs), func(n catalog.Need) bool { return n.Together() })
	for _, id := range of {
		if h := q.setup.Host(id); h != nil && h.Active {
			q.others = append(q.others, h)
		}
	}
}

// preferOthers puts those in front whom a booking that is moved has beside its host.
func (q *Search) preferOthers(b *booking.Booking) {
	if q.beside == 0 || len(b.Hosts) == 0 {
		return
	}
	q.others = slices.Clone(q.others)
	has := func(h *catalog.Host) int {
		if b.With(h.ID) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(q.others, func(a, b *catalog.Host) int { return has(a) - has(b) })
}

// keepOthers makes the search find just those whom the booking has.
func (q *Search) keepOthers() {
	q.beside, q.others = 0, nil
	if q.moved == nil {
		return
	}
	for _, ref := range q.moved.Others() {
		if h := q.setup.Host(ref.ID); h != nil {
			q.beside, q.others = q.beside+1, append(q.others, h)
		}
	}
}

// WithoutUnknown leaves those out whose calendars can't be read. The error is conflict calendar_unknown where too few are
// left beside the host, or a need has no other resource.
func (q *Search) WithoutUnknown(unknown []catalog.CalendarOwner) error {
	if len(unknown) == 0 {
		return nil
	}
	q.unknown = unknown
	for i := range q.needs {
		ids := q.setup.Serving(&q.needs[i])
		if len(ids) > 0 && !slices.ContainsFunc(ids, func(id catalog.ResourceID) bool { return !q.isUnknown(id) }) {
			return refuseUnknown(q.setup.Resource(ids[0]).Name)
		}
	}
	if q.beside == 0 {
		return nil
	}
	all := q.others
	q.others = slices.DeleteFunc(slices.Clone(all), func(h *catalog.Host) bool { return isUnknown(h, unknown) })
	if len(q.others) == len(all) {
		return nil
	}
	enough := func(leader *catalog.Host) bool {
		n := len(q.others)
		if slices.Contains(q.others, leader) {
			n--
		}
		return n >= q.beside
	}
	if len(q.hosts) == 0 || slices.ContainsFunc(q.hosts, enough) {
		return nil
	}
	first := slices.IndexFunc(all, func(h *catalog.Host) bool { return isUnknown(h, unknown) })
	return refuseUnknown(all[first].Name)
}

// isUnknown reports whether a calendar of the resource can't be read, for which it isn't taken.
func (q *Search) isUnknown(id catalog.ResourceID) bool {
	return slices.Contains(q.unknown, catalog.CalendarOwner{Resource: id})
}

// fillOthers adds those who may be taken beside the hosts to the request. fill sets what takes the time of one.
func (q *Search) fillOthers(req *slot.Request, fill func(h *catalog.Host, into *slot.Host)) {
	if q.beside == 0 {
		return
	}
	req.Beside, req.Others = q.beside, make([]slot.Host, len(q.others))
	for i, h := range q.others {
		req.Others[i] = h.Calendar()
		if at := slices.Index(q.hosts, h); at >= 0 {
			req.Hosts[at].Other = i + 1
		}
		fill(h, &req.Others[i])
	}
}

// everybody returns the hosts and those who may be taken beside them, each once, the hosts first.
func (q *Search) everybody() []*catalog.Host {
	all := q.hosts
	for _, h := range q.others {
		if !slices.Contains(q.hosts, h) {
			all = append(all[:len(all):len(all)], h)
		}
	}
	return all
}

func hostIDs(hosts []*catalog.Host) []catalog.HostID {
	ids := make([]catalog.HostID, len(hosts))
	for i, h := range hosts {
		ids[i] = h.ID
	}
	return ids
}

// together returns who does a booking of the host by the verdict: all, the host first, or nobody where that is one.
func (q *Search) together(h *catalog.Host, v *slot.Verdict) []catalog.HostRef {
	if len(v.Others) == 0 {
		return nil
	}
	refs := []catalog.HostRef{{ID: h.ID, Name: h.Name}}
	for _, i := range v.Others {
		refs = append(refs, catalog.HostRef{ID: q.others[i].ID, Name: q.others[i].Name})
	}
	return refs
}

// otherNamed returns the first of those of whom too few are free at a closed start.
func (v *Result) otherNamed(c *slot.Closed) (refs []catalog.HostRef) {
	if c.Reason != slot.HostsTaken {
		return nil
	}
	for _, h := range v.search.others {
		if h != v.search.hosts[c.Host] && len(refs) < maxNamed && v.search.mayName(h.ID) {
			refs = append(refs, catalog.HostRef{ID: h.ID, Name: h.Name})
		}
	}
	return refs
}
