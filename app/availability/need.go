package availability

import (
	"slices"

	"daybook/app/catalog"
	"daybook/app/slot"
	"daybook/app/when"
)

// fillNeeds adds the needs of the event type to the request, with what takes the time of the resources that can meet
// them.
func (q *Search) fillNeeds(r Reader, req *slot.Request, lower, upper when.Instant) error {
	if len(q.event.Needs) == 0 {
		return nil
	}
	ids := q.event.Needed()
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
		req.Resources[i] = resource.Calendar()
		for _, o := range all[i] {
			if o.ID == 0 || o.ID != q.exclude {
				req.Resources[i].Booked = append(req.Resources[i].Booked, o.Booking)
			}
		}
		q.work.spent += len(all[i]) * rowWork
	}
	req.Needs = make([]slot.Need, len(q.event.Needs))
	for i := range q.event.Needs {
		for _, id := range q.setup.Serving(&q.event.Needs[i], q.has) {
			at, _ := slices.BinarySearch(ids, id)
			req.Needs[i].OneOf = append(req.Needs[i].OneOf, at)
		}
	}
	return nil
}

// startWork returns what checking a start costs, in starts of an event type without needs: looking up a resource takes
// a fourth of one.
func (q *Search) startWork() int { return 1 + len(q.event.Needed())/4 }

// resourcesOf returns the resources that the verdict has found, one for each need.
func (q *Search) resourcesOf(v *slot.Verdict) []catalog.ResourceRef {
	if len(v.Resources) == 0 {
		return nil
	}
	ids, refs := q.event.Needed(), make([]catalog.ResourceRef, len(v.Resources))
	for i, at := range v.Resources {
		refs[i] = catalog.ResourceRef{ID: ids[at], Name: q.setup.Resource(ids[at]).Name}
	}
	return refs
}

// sharedResources returns what the session takes that a booking joins.
func (q *Search) sharedResources(r Reader, host catalog.HostID, start when.Instant) ([]catalog.ResourceRef, error) {
	ids, err := r.SessionResources(q.event.ID, host, start, q.held)
	if err != nil {
		return nil, err
	}
	var refs []catalog.ResourceRef
	for _, id := range ids {
		if resource := q.setup.Resource(id); resource != nil {
			refs = append(refs, catalog.ResourceRef{ID: id, Name: resource.Name})
		}
	}
	return refs, nil
}
