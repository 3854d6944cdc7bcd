package slot

import "math/bits"

// others are the hosts whom a session takes beside its own; see Request.Others. Nil is nobody.
type others struct {
	n      int // how many are taken
	hosts  []host
	lacks  []Reasons // of each, what stands against the start that was asked for last
	waived Reasons   // what must be waived for it
}

// others returns whom a search for starts in [lo, hi) finds beside its hosts, or nil where it needs nobody.
func (r *Request) others(l *limits, lo, hi int64) *others {
	if r.Beside <= 0 {
		return nil
	}
	longest := l.duration
	for i := range r.Hosts {
		longest = max(longest, r.Hosts[i].Duration.Milliseconds())
	}
	o := &others{n: r.Beside, hosts: make([]host, len(r.Others)), lacks: make([]Reasons, len(r.Others))}
	for i := range r.Others {
		o.hosts[i].fillOther(l, &r.Others[i], lo, hi, longest)
	}
	return o
}

// fillOther prepares what judging needs of somebody who has no grid and no caps of their own.
func (v *host) fillOther(l *limits, h *Host, lo, hi, longest int64) {
	v.limits, v.lead, v.joining = l, l.wide.Start, h.Joins
	near := Span{lo - l.wide.Start, hi + longest + l.wide.End}
	if h.Schedule != nil && l.dates == nil {
		v.open = Merge(h.Schedule.spans(newClock(h.zone(), near.Start-clockMargin, near.End+clockMargin), lo, hi+longest))
	}
	v.block(h.Booked, near)
	v.timeOff = Merge(h.appendTimeOff(nil, near))
	v.busy = Merge(appendNear(nil, h.Busy, near))
}

// beside returns the others of a session with the host, from the first start on; nil for nil.
func (o *others) beside(h *Host) *others {
	if o == nil {
		return nil
	}
	own := &others{n: o.n, hosts: append([]host(nil), o.hosts...), lacks: append([]Reasons(nil), o.lacks...)}
	if h.Other > 0 && h.Other <= len(own.hosts) {
		own.hosts[h.Other-1].limits = nil // nobody stands beside themselves
	}
	return own
}

// waivable are the reasons against somebody that can be waived, and never are these that take their time: the order in
// which sets of them are tried.
var waivable = func() (sets []Reasons) {
	all := []Reasons{outsideHours, buffer, timeOff, busy}
	for n := range len(all) + 1 {
		for which := range uint(1) << len(all) {
			if bits.OnesCount(which) != n {
				continue
			}
			var set Reasons
			for i, r := range all {
				if which&(1<<i) != 0 {
					set |= r
				}
			}
			sets = append(sets, set)
		}
	}
	return sets
}()

// against says what stands against a session that takes u, by the others: the least of what can be waived so that enough
// of them can be taken, rather what is waived; else hostsTaken. Starts come in ascending order.
func (o *others) against(start int64, u use, waived Reasons) Reasons {
	for i := range o.hosts {
		o.lacks[i] = o.hosts[i].lacks(start, u)
	}
	for _, set := range waivable {
		if set&^waived == 0 && o.enough(set) {
			o.waived = set
			return set
		}
	}
	for _, set := range waivable {
		if o.enough(set) {
			return set
		}
	}
	return hostsTaken
}

// free reports whether against would say that nothing stands against the session.
func (o *others) free(start int64, u use) bool {
	n := o.n
	for i := range o.hosts {
		if n > 0 && o.hosts[i].lacks(start, u) == 0 {
			n--
		}
	}
	return n <= 0
}

// lacks says what stands against taking somebody for the session.
func (v *host) lacks(start int64, u use) (all Reasons) {
	if v.limits == nil {
		return hostsTaken
	}
	v.seek(start)
	for len(v.open) > 0 && v.open[0].End <= start {
		v.open = v.open[1:]
	}
	u = u.joined(v.joining, &v.joined)
	whole := [1]Work{{u.own, u.occupied}}
	parts := u.works
	if len(parts) == 0 {
		parts = whole[:]
	}
	for _, w := range parts {
		if v.dates == nil && !v.opens(w.Own) {
			all |= outsideHours
		}
		all |= v.takenIn(start, w.Own, w.Occupied, false)
	}
	return all
}

// enough reports whether as many as are needed can be taken where these reasons are waived.
func (o *others) enough(waived Reasons) bool {
	n := 0
	for _, lacks := range o.lacks {
		if lacks&^waived == 0 {
			n++
		}
	}
	return n >= o.n
}

// partly returns the first work of a session, counted from 1, for which alone too few of them can be taken, whatever is
// waived; 0 where there are enough for each, but not the same.
func (o *others) partly(start int64, u use) int {
	for i, w := range u.works {
		one, n := use{own: w.Own, occupied: w.Occupied, works: u.works[i : i+1]}, 0
		for j := range o.hosts {
			if o.hosts[j].lacks(start, one)&^(outsideHours|buffer|timeOff|busy) == 0 {
				n++
			}
		}
		if n < o.n {
			return i + 1
		}
	}
	return 0
}

// choose returns who is taken for the start that was asked for last: the first against whom nothing stands but what must
// be waived.
func (o *others) choose() []int {
	chosen := make([]int, 0, o.n)
	for i, lacks := range o.lacks {
		if lacks&^o.waived == 0 && len(chosen) < o.n {
			chosen = append(chosen, i)
		}
	}
	return chosen
}
