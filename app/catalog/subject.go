package catalog

import (
	"cmp"
	"slices"
)

// Subject is somebody or something whose time bookings take.
type Subject struct {
	Kind SubjectKind
	ID   int64 // among those of the kind
}

// SubjectKind says what a subject is. The numbers are stored, and transactions lock subjects in their order.
type SubjectKind int

const (
	SubjectHost     SubjectKind = 0
	SubjectResource SubjectKind = 1
)

// OfHost returns the host as a subject.
func OfHost(id HostID) Subject { return Subject{SubjectHost, int64(id)} }

// OfResource returns the resource as a subject.
func OfResource(id ResourceID) Subject { return Subject{SubjectResource, int64(id)} }

// SubjectsOf returns these hosts and resources as subjects.
func SubjectsOf(hosts []HostID, resources ...ResourceID) []Subject {
	all := make([]Subject, 0, len(hosts)+len(resources))
	for _, id := range hosts {
		all = append(all, OfHost(id))
	}
	for _, id := range resources {
		all = append(all, OfResource(id))
	}
	return all
}

// Locks are the subjects that a transaction locks before it books, so that no other one takes the same.
type Locks []Subject

// And returns both; what is in both may stand twice.
func (l Locks) And(more Locks) Locks { return slices.Concat(l, more) }

// Without returns what of l is not in done, each once and in the order in which it is locked.
func (l Locks) Without(done Locks) Locks {
	l = slices.Clone(l)
	l.Sort()
	return slices.DeleteFunc(slices.Compact(l), func(one Subject) bool { return slices.Contains(done, one) })
}

// Sort puts them in the order in which they are locked, the same in every transaction: by kind, then by id.
func (l Locks) Sort() {
	slices.SortFunc(l, func(a, b Subject) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.ID, b.ID)) })
}

// None reports whether there is nothing to lock.
func (l Locks) None() bool { return len(l) == 0 }

// Locks returns what a transaction must lock before it books the event type. Callers lock what the booking itself takes,
// too, which may no longer serve the event type.
func (s *Setup) Locks(e *EventType) Locks {
	l := make(Locks, len(e.Hosts))
	for i, h := range e.Hosts {
		l[i] = OfHost(h.ID)
	}
	return append(l, s.Beside(e)...)
}

// Beside returns those of which bookings of the event type take some beside their host.
func (s *Setup) Beside(e *EventType) []Subject {
	if len(e.Needs) == 0 {
		return nil
	}
	return SubjectsOf(e.others, e.Needed()...)
}
