package booking

import (
	"slices"

	"daybook/app/catalog"
	"daybook/app/slot"
	"daybook/app/when"
)

// Around is what a subject beside the host keeps free around a booking, where that is not what its host does: in a visit,
// whoever goes on with a neighbour has no buffer there.
type Around struct {
	catalog.Subject
	BusyStart, BusyEnd when.Instant
}

// Around returns from when to when the booking takes the subject, with what is kept free around it; the zero subject is its
// host.
func (t *Taken) Around(of catalog.Subject) (busyStart, busyEnd when.Instant) {
	for _, a := range t.Arounds {
		if a.Subject == of {
			return a.BusyStart, a.BusyEnd
		}
	}
	return t.BusyStart, t.BusyEnd
}

// Reach returns the time in which the booking takes anybody or anything.
func (t *Taken) Reach() (from, to when.Instant) {
	from, to = t.BusyStart, t.BusyEnd
	for _, a := range t.Arounds {
		from, to = min(from, a.BusyStart), max(to, a.BusyEnd)
	}
	return from, to
}

// SetAround makes the booking take each subject, its host as the zero one, from when to when do says, which is given what
// it takes now.
func (t *Taken) SetAround(do func(of catalog.Subject, busyStart, busyEnd when.Instant) (from, to when.Instant)) {
	all := t.Subjects(0)
	spans := make([]Around, len(all))
	for i, of := range all {
		from, to := t.Around(of)
		from, to = do(of, from, to)
		spans[i] = Around{of, from, to}
	}
	t.BusyStart, t.BusyEnd, t.Arounds = spans[0].BusyStart, spans[0].BusyEnd, nil
	for _, a := range spans[1:] {
		if a.BusyStart != t.BusyStart || a.BusyEnd != t.BusyEnd {
			t.Arounds = append(t.Arounds, a)
		}
	}
	t.Parts = slices.Clone(t.Parts)
	if last := len(t.Parts) - 1; last >= 0 {
		t.Parts[0].BusyStart, t.Parts[last].BusyEnd = t.BusyStart, t.BusyEnd
	}
}

// within returns the works with the time around the first and the last that the subject has.
func (t *Taken) within(works []slot.Work, of catalog.Subject) []slot.Work {
	from, to := t.Around(of)
	works[0].Occupied.Start, works[len(works)-1].Occupied.End = int64(from), int64(to)
	return works
}

// Neighbour is the booking of a visit that comes right before another one.
type Neighbour struct {
	*Taken
	Host catalog.HostID
}

// Has reports whether it takes the subject of a booking with that host, which the zero subject stands for.
func (n *Neighbour) Has(of catalog.Subject, host catalog.HostID) bool {
	if n == nil {
		return false
	}
	if of == (catalog.Subject{}) {
		of = catalog.OfHost(host)
	}
	if of == catalog.OfHost(n.Host) {
		return true
	}
	for b := range n.Beside() {
		if b.Subject == of {
			return true
		}
	}
	return false
}

// ComeFrom takes the buffer before it from all that come from the booking of the visit before it, and reports whether
// there was one.
func (n *Neighbour) ComeFrom(before *Neighbour) (changed bool) {
	n.SetAround(func(of catalog.Subject, from, to when.Instant) (when.Instant, when.Instant) {
		if from < n.Start && before.Has(of, n.Host) {
			from, changed = n.Start, true
		}
		return from, to
	})
	return changed
}

// GoOn takes the buffer behind it from all that go on with the next booking of the visit, and reports whether there was
// one.
func (n *Neighbour) GoOn(next *Neighbour) (changed bool) {
	n.SetAround(func(of catalog.Subject, from, to when.Instant) (when.Instant, when.Instant) {
		if to > n.End && next.Has(of, n.Host) {
			to, changed = n.End, true
		}
		return from, to
	})
	return changed
}
