package catalog

import (
	"fmt"
	"slices"

	"daybook/app/fault"
)

// MaxTogether is how many hosts may work together in one session.
const MaxTogether = 5

// Together reports whether the need is of other hosts.
func (n *Need) Together() bool { return n.Hosts != 0 || len(n.Of) > 0 }

// checkTogether checks the i-th need, which is of other hosts. Errors: bad_request.
func (e *EventType) checkTogether(at string, i int, hosts []Host) error {
	n := &e.Needs[i]
	switch {
	case len(n.OneOf) > 0 || n.During != "":
		return fault.Invalid(at, "give either oneOf and during, or hosts and of")
	case n.Hosts < 2 || n.Hosts > MaxTogether:
		return fault.Invalid(at+".hosts", "must lie between %d and %d, the host who leads among them", 2, MaxTogether)
	case len(n.Of) > maxOneOf:
		return fault.Invalid(at+".of", "at most %d", maxOneOf)
	case slices.ContainsFunc(e.Needs[:i], func(n Need) bool { return n.Together() }):
		return fault.Invalid(at, "only one need may be of hosts")
	}
	if len(n.Of) == 0 {
		n.Of = nil
	}
	for j, id := range n.Of {
		switch {
		case !slices.ContainsFunc(hosts, func(h Host) bool { return h.ID == id }):
			return fault.Invalid(fmt.Sprintf("%s.of[%d]", at, j), "there is no host %s", id)
		case slices.Contains(n.Of[:j], id):
			return fault.Invalid(fmt.Sprintf("%s.of[%d]", at, j), "%s stands twice", id)
		}
	}
	of := n.among(e)
	enough := func(leader HostRef) bool {
		return len(slices.DeleteFunc(slices.Clone(of), func(id HostID) bool { return id == leader.ID })) >= n.Hosts-1
	}
	if len(e.Hosts) > 0 && !slices.ContainsFunc(e.Hosts, enough) {
		return fault.Invalid(at+".of", "%d hosts work together, but too few are named beside the one who leads", n.Hosts)
	}
	return nil
}

// among returns the hosts of whom the need takes some.
func (n *Need) among(e *EventType) []HostID {
	if len(n.Of) > 0 {
		return n.Of
	}
	ids := make([]HostID, len(e.Hosts))
	for i, h := range e.Hosts {
		ids[i] = h.ID
	}
	return ids
}

// Others returns how many hosts each session takes beside the one who leads, and of whom, in the order in which they are
// preferred; the one who leads may be among them. They are the same in an event type that shows only some of its hosts.
func (e *EventType) Others() (n int, of []HostID) {
	for i := range e.Needs {
		if need := &e.Needs[i]; need.Together() {
			return need.Hosts - 1, e.others
		}
	}
	return 0, nil
}

// linkOthers fills in whom Others returns: those whom the workspace has.
func (e *EventType) linkOthers(s *Setup) {
	e.others = nil
	for i := range e.Needs {
		if need := &e.Needs[i]; need.Together() {
			for _, id := range need.among(e) {
				if s.Host(id) != nil {
					e.others = append(e.others, id)
				}
			}
		}
	}
}
