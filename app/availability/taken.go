package availability

import (
	"slices"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/slot"
	"daybook/app/when"
)

// things returns whose time each of the Resources of a request is: all that may be taken besides people.
func (q *Search) things() []catalog.Subject {
	return catalog.SubjectsOf(nil, catalog.Needed(q.needs)...)
}

// fillNeeds adds what is taken besides the host to the request, with what takes the time of the things that can be taken.
func (q *Search) fillNeeds(r Reader, req *slot.Request, lower, upper when.Instant) error {
	if len(q.needs) == 0 {
		return nil
	}
	things := q.things()
	all, err := r.OccupiedThings(things, lower, upper, q.held)
	if err != nil {
		return err
	}
	req.Resources = make([]slot.Resource, len(things))
	for i, of := range things {
		resource := q.setup.Resource(catalog.ResourceID(of.ID))
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
			req.Needs[i].OneOf = append(req.Needs[i].OneOf, slices.Index(things, catalog.OfResource(id)))
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

// taken returns what a booking with the host takes by the verdict on the request.
func (q *Search) taken(h *catalog.Host, req *slot.Request, start when.Instant, v *slot.Verdict) booking.Taken {
	t := booking.Taken{Start: start, End: when.Instant(v.End), BusyStart: when.Instant(v.Occupied.Start),
		BusyEnd: when.Instant(v.Occupied.End), Place: q.place, Resources: q.resourcesOf(v),
		Parts: booking.PartsOf(v.Works), Hosts: q.together(h, v)}
	q.around(&t, req, v)
	return t
}

// shared adds to the place what the session takes that a booking joins. What only a hold of it takes counts where the
// event type still needs it, and so has locked it.
func (q *Search) shared(r Reader, p *Place) error {
	if len(q.setup.Resources) == 0 && !q.setup.Workspace.HasOthers {
		return nil
	}
	session, err := r.SessionTaken(q.event.ID, p.Host.ID, p.Start, q.held)
	if err != nil {
		return err
	}
	var all []catalog.Subject
	needed := q.setup.Beside(q.event)
	for _, s := range session {
		if !s.Held || slices.Contains(needed, s.Subject) {
			all = append(all, s.Subject)
		}
	}
	p.SetBeside(q.setup, p.Host, all)
	p.SetAround(func(of catalog.Subject, from, to when.Instant) (when.Instant, when.Instant) {
		if at := slices.IndexFunc(session, func(s SessionTaken) bool { return s.Subject == of }); at >= 0 {
			return session[at].BusyStart, session[at].BusyEnd
		}
		return from, to
	})
	return nil
}

// SessionTaken is somebody or something that a session takes besides its host, and when.
type SessionTaken struct {
	booking.Around
	Held bool // by holds only
}

// needed returns the first resources that would meet the need for which the start is closed.
func (v *Result) needed(c *slot.Closed) (refs []catalog.ResourceRef) {
	if c.Reason != slot.ResourceTaken && !c.Things {
		return nil
	}
	for _, id := range v.search.needs[c.Need].OneOf {
		if r := v.search.setup.Resource(id); r != nil && len(refs) < maxNamed {
			refs = append(refs, catalog.ResourceRef{ID: id, Name: r.Name})
		}
	}
	return refs
}
