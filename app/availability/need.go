package availability

import (
	"slices"

	"daybook/app/catalog"
	"daybook/app/slot"
	"daybook/app/when"
)

// fillNeeds adds what is taken besides the host to the request, with what takes the time of the resources that can be
// taken.
func (q *Search) fillNeeds(r Reader, req *slot.Request, lower, upper when.Instant) error {
	if len(q.needs) == 0 {
		return nil
	}
	ids := catalog.Needed(q.needs)
	all, err := r.OccupiedResources(ids, lower, upper, q.held)
	if err != nil {
		return err
	}
	req.Resources = make([]slot.Resource, len(ids))
	for i, id := range ids {
		resource := q.setup.Resource(id)
		if resource == nil {
			continue // no need is served by it
		}
		if !q.stays {
			req.Resources[i] = resource.Calendar()
		}
		for _, o := range all[i] {
			switch into := &req.Resources[i]; {
			case o.Held && q.passes[o.For]:
			case o.ID == 0 && !o.Held:
				into.Busy = append(into.Busy, o.Booking.Occupied)
			case !q.ignores(o.ID):
				into.Booked = append(into.Booked, o.Booking)
			}
		}
		q.work.spent += len(all[i]) * rowWork
	}
	req.Needs = make([]slot.Need, len(q.needs))
	for i := range q.needs {
		req.Needs[i].Work = q.needs[i].During == catalog.DuringWork
		for _, id := range q.serving(i) {
			at, _ := slices.BinarySearch(ids, id)
			req.Needs[i].OneOf = append(req.Needs[i].OneOf, at)
		}
	}
	return nil
}

// serving returns the resources that can meet the i-th need, the one to take first in front: the one that the booking
// has for it, others that it has, and then those that the fewest active event types need.
func (q *Search) serving(i int) []catalog.ResourceID {
	if q.stays {
		return q.needs[i].OneOf
	}
	ids := slices.DeleteFunc(q.setup.Serving(&q.needs[i]), q.isUnknown)
	slices.SortStableFunc(ids, func(a, b catalog.ResourceID) int { return q.rank(i, a) - q.rank(i, b) })
	return ids
}

func (q *Search) rank(need int, id catalog.ResourceID) int {
	switch at := slices.IndexFunc(q.has, func(r catalog.ResourceRef) bool { return r.ID == id }); {
	case at < 0:
		return 2
	case at != need:
		return 1
	}
	return 0
}

// startWork returns what checking a start costs, in starts of an event type without needs: looking up a resource takes
// a fourth of one, and somebody who may be taken beside the host as much as a host. Each work of a service in parts is looked at by itself.
func (q *Search) startWork() int {
	return (1 + len(catalog.Needed(q.needs))/4 + len(q.others)) * max(1, 2*len(q.rules.Works))
}

// resourcesOf returns the resources that the verdict has found, one for each need.
func (q *Search) resourcesOf(v *slot.Verdict) []catalog.ResourceRef {
	if len(v.Resources) == 0 {
		return nil
	}
	ids, refs := catalog.Needed(q.needs), make([]catalog.ResourceRef, len(v.Resources))
	for i, at := range v.Resources {
		refs[i] = catalog.ResourceRef{ID: ids[at], Name: q.setup.Resource(ids[at]).Name}
		if v.Works != nil && q.needs[i].During == catalog.DuringWork {
			refs[i].During = catalog.DuringWork
		}
	}
	return refs
}
