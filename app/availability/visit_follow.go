package availability

import (
	"cmp"
	"slices"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/slot"
	"daybook/app/when"
)

// Follow places the services of a visit at a start against which rules stand that are waived: one behind the other, in the
// order given and without a wait, whatever that order may be; those that move keep the distances that they have. Each has
// the host for whom the fewest rules must be waived, see Find; where one person must do all of it, that is whoever takes
// the first. against are the rules that were waived. The search is of no use after it. Errors: those of Find, about the
// item.
func (v *Visit) Follow(tx Reader, start when.Instant) (places []booking.VisitPlace, against slot.Reasons, err error) {
	at, last := start, catalog.HostID(0)
	for i, q := range v.items {
		if v.choice.SamePerson == booking.MustSamePerson {
			q.hosts = slices.DeleteFunc(slices.Clone(q.hosts), func(h *catalog.Host) bool { return !v.does(h.ID, last) })
		}
		keep := v.keep[i]
		if v.choice.SamePerson == booking.PreferSamePerson {
			keep = cmp.Or(keep, last)
		}
		if q.moved != nil {
			at = start + q.moved.Start - v.items[0].moved.Start
		}
		q.Within(&booking.VisitStep{Later: i > 0})
		p, err := q.Find(tx, at, keep)
		if v.waiving && fault.Refusal(err) != nil {
			q.waived |= slot.ReasonsOf(slot.Buffer)
			p, err = q.Find(tx, at, keep)
		}
		if err != nil {
			return nil, 0, InItem(err, i)
		}
		places = append(places, booking.VisitPlace{Item: i, Host: p.Host.ID, Start: at, End: p.End,
			Waits: booking.StayOf(&p.Taken, false).Waits})
		at, last, against = p.End, p.Host.ID, against|p.Waived
	}
	return places, against, nil
}

// Against refuses a start at which the visit can't be arranged: what stands against its first service does against all
// of it, where nothing else can come first.
func (v *Visit) Against(tx Reader, start when.Instant) error {
	if v.choice.Order == booking.OrderGiven && v.BeginsFirst() {
		if _, err := v.items[0].Find(tx, start, 0); err != nil {
			return err
		}
	}
	if v.items[0].moved != nil {
		return fault.Conflictf("slot_taken", "The visit doesn't fit at %s: ask for availability of its services.", start)
	}
	return fault.Conflictf("slot_taken", "These services don't fit one after the other at %s. Choose one of "+
		"details.alternatives, or ask for availability of the same items.", start)
}

// SlotOf returns a visit that is placed so.
func (v *Visit) SlotOf(places []booking.VisitPlace) *Slot {
	path := make([]placed, len(places))
	for i, p := range places {
		path[i] = placed{item: p.Item, id: p.Host, start: int64(p.Start), end: int64(p.End)}
	}
	return &v.slots([][]placed{path})[0]
}

// does reports whether the host can do all of the visit, and is the one who does what comes before, 0 for nothing.
func (v *Visit) does(host, before catalog.HostID) bool {
	if before != 0 {
		return host == before
	}
	return !slices.ContainsFunc(v.items, func(q *Search) bool {
		return !slices.ContainsFunc(q.hosts, func(h *catalog.Host) bool { return h.ID == host })
	})
}

// Waiving makes Follow waive every rule that can be waived, to tell which of them stand against a start: buffers only
// where they do, since a time for which they are waived is taken without.
func (v *Visit) Waiving() {
	v.waiving = true
	for _, q := range v.items {
		q.business, q.waived = true, slot.ReasonsOf(booking.Overridable...)&^slot.ReasonsOf(slot.Buffer)
	}
}
