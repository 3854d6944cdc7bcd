package slot

import "slices"

// Find returns the open starts in [From, To), ascending, at most Limit. It offers a start on a host exactly when Check
// calls it Open.
func Find(r *Request) []Slot {
	l := r.limits()
	lo, hi := l.clip(r.From, r.To)
	if lo >= hi {
		return nil
	}
	l.needs, l.others = r.needs(&l, lo, hi), r.others(&l, lo, hi)
	openings := make([][]opening, len(r.Hosts))
	for i := range r.Hosts {
		openings[i] = l.of(&r.Hosts[i]).openings(&r.Hosts[i], lo, hi, r.Limit)
	}
	return gather(openings, r.Limit)
}

// openings returns the open starts of the host in [lo, hi), which clip has narrowed, at most limit; 0 is all.
func (l *limits) openings(h *Host, lo, hi int64, limit int) []opening {
	if l.seats == 1 && l.party == 1 && l.works == nil {
		return sweep(l, h, lo, hi, limit)
	}
	return newHost(l, h, lo, hi).judgeAll(limit, nil)
}

// Explain returns the same as Find, and also the starts on the hosts' grids in [From, To) that are not open, by start
// and then host. When Limit is reached, it reports the starts up to the last open one.
func Explain(r *Request) ([]Slot, []Closed) {
	if r.From >= r.To {
		return nil, nil
	}
	l := r.limits()
	l.needs, l.others = r.needs(&l, r.From, r.To), r.others(&l, r.From, r.To)
	openings := make([][]opening, len(r.Hosts))
	var closed []Closed
	for i := range r.Hosts {
		h := newHost(l.of(&r.Hosts[i]), &r.Hosts[i], r.From, r.To)
		closed = slices.Grow(closed, h.grid.room(r.MaxClosed))
		openings[i] = h.judgeAll(r.Limit, func(one Closed) {
			one.Host = i
			closed = append(closed, one)
		})
		if r.MaxClosed > 0 && len(closed) > r.MaxClosed {
			break
		}
	}
	slots := gather(openings, r.Limit)
	return slots, order(closed, slots, r.Limit)
}

// Check returns whether Find would return one start of Hosts[index], and why not, whatever From, To and Limit are. A
// host that does not exist has no hours.
func (r *Request) Check(start int64, index int) Verdict { return r.Waiving(start, index, 0) }

// Waiving does the same as Check but ignores the waived reasons. Booked, Held, ResourceTaken and HostsTaken can't be waived:
// bookings of a host or a resource never overlap, except for their buffers. If Buffer is waived, the time is taken without buffers. Nothing can be
// waived for hosts that don't exist and for rules without a duration.
func (r *Request) Waiving(start int64, index int, waived Reasons) Verdict {
	all := r.limits()
	all.needs, all.others = r.needs(&all, start, start+1), r.others(&all, start, start+1)
	l := &all
	if index >= 0 && index < len(r.Hosts) {
		l = all.of(&r.Hosts[index])
	}
	if index < 0 || index >= len(r.Hosts) || l.duration <= 0 {
		verdict := l.byRules(start)
		verdict.Against = l.when(start) | outsideHours
		verdict.Reason = verdict.Against.First()
		return verdict
	}
	h := newHost(l, &r.Hosts[index], start, start+1)
	on := h.grid.find(start)
	verdict := h.judge(start, h.grid.end, on, waived)
	if verdict.Reason == Open && !verdict.Begun {
		u := h.uses(start, &verdict, waived&buffer != 0, nil)
		if verdict.Works = l.worksAt(start, waived&buffer != 0, nil); l.needs != nil {
			verdict.Resources = l.needs.choose(u, waived)
		}
		if l.others != nil {
			verdict.Others = l.others.choose()
		}
	}
	return verdict
}
