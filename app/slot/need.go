package slot

import (
	"slices"
	"sort"
	"time"
)

// Need is a room or a thing that a booking takes besides its host: one of these indexes into Request.Resources, the
// preferred one first. A resource serves one need of a booking.
type Need struct {
	OneOf []int
	Work  bool // it is taken exactly while the host is, else all the while, with the buffers
}

// Resource is a room, a chair or a thing that bookings take besides a host, and what takes its time. The lists may be
// in any order, and may overlap.
type Resource struct {
	Schedule *Schedule // when it can be used; nil is always
	Booked   []Booking
	TimeOff  []Span
	Absences []Absence // time off that comes again, on the clock of the schedule, or with nil of their own zone
	Busy     []Span
	Joins    Joins
}

// needs are the needs of a request, and the ways to meet them: first that against which nothing stands, then those in the
// buffers of others, in busy times, and in both.
type needs struct {
	of     []Need
	joins  []Joins // of each resource
	joined []Work  // room for the works of one that joins
	ways   []way
}

// way is what takes the time of each resource, as disjoint spans by start, but for what those reasons stand for.
type way struct {
	without Reasons // buffer, busy
	taken   [][]Span
}

// needs returns the needs of a search for starts in [lo, hi), or nil where there are none.
func (r *Request) needs(l *limits, lo, hi int64) *needs {
	if len(r.Needs) == 0 {
		return nil
	}
	longest := l.duration
	for i := range r.Hosts {
		longest = max(longest, r.Hosts[i].Duration.Milliseconds())
	}
	near := Span{lo - l.wide.Start, hi + longest + l.wide.End}
	n := &needs{of: r.Needs, joins: make([]Joins, len(r.Resources))}
	for i := range r.Resources {
		n.joins[i] = r.Resources[i].Joins
	}
	shut := make([][]Span, len(r.Resources))
	for i := range r.Resources {
		shut[i] = r.Resources[i].shut(near)
	}
	for _, without := range []Reasons{0, buffer, busy, busy | buffer} {
		if without&busy != 0 && !r.busyThings() {
			break
		}
		w := way{without, make([][]Span, len(r.Resources))}
		for i := range r.Resources {
			w.taken[i] = r.Resources[i].takenNear(near, shut[i], without)
		}
		n.ways = append(n.ways, w)
	}
	return n
}

// busyThings reports whether any resource has busy times.
func (r *Request) busyThings() bool {
	return slices.ContainsFunc(r.Resources, func(one Resource) bool { return len(one.Busy) > 0 })
}

// shut returns when the resource can't be used near, whoever wants it.
func (r *Resource) shut(near Span) []Span {
	return appendAbsences(appendNear(r.closed(near), r.TimeOff, near), r.Absences, r.zone(), near)
}

// takenNear returns shut and what takes the resource's time near, but for busy times or the buffers of bookings where they
// are left out.
func (r *Resource) takenNear(near Span, shut []Span, without Reasons) []Span {
	taken := slices.Clone(shut)
	if without&busy == 0 {
		taken = appendNear(taken, r.Busy, near)
	}
	for i := range r.Booked {
		own, occupied := r.Booked[i].spans()
		if without&buffer != 0 {
			occupied = own
		}
		if occupied.Meets(near) {
			taken = append(taken, occupied)
		}
	}
	return Merge(taken)
}

func (r *Resource) zone() *time.Location {
	return (&Host{Schedule: r.Schedule}).zone()
}

// closed returns the spans of near in which the resource can't be used by its hours.
func (r *Resource) closed(near Span) (closed []Span) {
	if r.Schedule == nil {
		return nil
	}
	c := newClock(r.zone(), near.Start-clockMargin, near.End+clockMargin)
	at := near.Start
	for _, open := range Merge(r.Schedule.spans(c, near.Start, near.End)) {
		if at < open.Start {
			closed = append(closed, Span{at, open.Start})
		}
		at = max(at, open.End)
	}
	if at < near.End {
		closed = append(closed, Span{at, near.End})
	}
	return closed
}

// against says what stands against a session by the needs: Buffer where they could be met if it, and all others, had no
// time around them, as in plain, and Busy where they could be met but for busy times. Of several such ways one that is
// waived counts.
func (n *needs) against(u use, plain func() use, waived Reasons) Reasons {
	if n.met(n.ways[0].taken, u) {
		return 0
	}
	found := resourceTaken
	for _, w := range n.ways[1:] {
		if found != resourceTaken && w.without&^waived != 0 {
			continue
		}
		which := u
		if w.without&buffer != 0 {
			which = plain()
		}
		if !n.met(w.taken, which) {
			continue
		}
		if found = w.without; found&^waived == 0 {
			break
		}
	}
	return found
}

// unmet returns the index of the first need that can't be met beside those before it, without buffers, for which the
// reason stands: ResourceTaken, or Busy.
func (n *needs) unmet(plain use, why Reasons) int {
	taken := n.ways[len(n.ways)-1].taken
	if why == busy {
		taken = n.ways[1].taken
	}
	for i := range n.of {
		if few := (needs{of: n.of[:i+1], joins: n.joins}); !few.met(taken, plain) {
			return i
		}
	}
	return 0
}

// partly returns the first work of a session, counted from 1, in which alone the needs can't be met, without buffers; 0
// where they could be in each, but not by the same resources, and where a wait is in the way.
func (n *needs) partly(plain use) int {
	taken := n.ways[len(n.ways)-1].taken
	for i, w := range plain.works {
		if !n.met(taken, use{own: w.Own, occupied: w.Occupied, works: plain.works[i : i+1]}) {
			return i + 1
		}
	}
	return 0
}

// choose returns the resource of each need that a session takes whose start is open, with what is waived: of all ways to
// meet the needs the one that prefers most for the first need, then for the second, and so on.
func (n *needs) choose(u use, waived Reasons) []int {
	at := slices.IndexFunc(n.ways, func(w way) bool { return w.without&^waived == 0 && n.met(w.taken, u) })
	if at < 0 {
		return nil
	}
	m := n.matching(n.ways[at].taken, u)
	chosen := make([]int, 0, len(n.of))
	for i := range n.of {
		for j, r := range n.of[i].OneOf {
			if m.free[i][j] && !slices.Contains(chosen, r) && m.rest(i+1, append(chosen, r)) {
				chosen = append(chosen, r)
				break
			}
		}
	}
	if len(chosen) < len(n.of) {
		return nil
	}
	return chosen
}

// met reports whether each need can have a resource of its own that is free while it is needed.
func (n *needs) met(taken [][]Span, u use) bool {
	if len(n.of) == 1 { // nearly always
		return slices.ContainsFunc(n.of[0].OneOf, func(r int) bool { return n.of[0].free(taken[r], u.joined(n.joins[r], &n.joined)) })
	}
	return n.matching(taken, u).rest(0, nil)
}

// free reports whether a resource that is taken then can meet the need of a session.
func (n *Need) free(taken []Span, u use) bool {
	if !n.Work || u.works == nil {
		return isFree(taken, u.occupied)
	}
	return !slices.ContainsFunc(u.works, func(w Work) bool { return !isFree(taken, w.Occupied) })
}

// isFree reports whether none of the disjoint spans, by start, meets span.
func isFree(taken []Span, span Span) bool {
	i := sort.Search(len(taken), func(i int) bool { return taken[i].End > span.Start })
	return i == len(taken) || taken[i].Start >= span.End
}

// matching looks for a resource of its own for each need, by augmenting paths in the graph of needs and free resources
// (bipartite matching; H. W. Kuhn, 1955).
type matching struct {
	of   []Need
	free [][]bool // by need, as OneOf
}

func (n *needs) matching(taken [][]Span, u use) matching {
	m := matching{n.of, make([][]bool, len(n.of))}
	for i := range n.of {
		for _, r := range n.of[i].OneOf {
			m.free[i] = append(m.free[i], n.of[i].free(taken[r], u.joined(n.joins[r], &n.joined)))
		}
	}
	return m
}

// rest reports whether the needs from the first on can be met by free resources that are not used.
func (m matching) rest(first int, used []int) bool {
	with := map[int]int{} // resource → need
	for i := first; i < len(m.of); i++ {
		if !m.augment(i, used, with, map[int]bool{}) {
			return false
		}
	}
	return true
}

// augment gives the need a resource, for which others may change theirs.
func (m matching) augment(need int, used []int, with map[int]int, seen map[int]bool) bool {
	for j, r := range m.of[need].OneOf {
		if !m.free[need][j] || seen[r] || slices.Contains(used, r) {
			continue
		}
		seen[r] = true
		if other, has := with[r]; !has || m.augment(other, used, with, seen) {
			with[r] = need
			return true
		}
	}
	return false
}
