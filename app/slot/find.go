package slot

import "time"

// Find returns the open starts in [From, To), ascending, at most Limit. It offers
// a start on a host exactly when Check calls it Open.
func Find(r *Request) []Slot {
	l := r.limits()
	lo, hi := l.clip(r.From, r.To)
	if lo >= hi {
		return nil
	}
	runs := make([][]candidate, len(r.Hosts))
	for i := range r.Hosts {
		if l.seats == 1 {
			runs[i] = sweep(&l, &r.Hosts[i], lo, hi, r.Limit)
		} else {
			runs[i] = candidates(&l, &r.Hosts[i], lo, hi, r.Limit, false)
		}
	}
	slots, _ := gather(runs, r.Limit)
	return slots
}

// Explain returns what Find does and also the starts of the hosts' grids in
// [From, To) that are not open, by start and then host. With a Limit that is
// reached, it tells of the starts up to the last open one.
func Explain(r *Request) ([]Slot, []Closed) {
	l := r.limits()
	if r.From >= r.To {
		return nil, nil
	}
	runs := make([][]candidate, len(r.Hosts))
	for i := range r.Hosts {
		runs[i] = candidates(&l, &r.Hosts[i], r.From, r.To, r.Limit, true)
	}
	return gather(runs, r.Limit)
}

// Check says what Find would of one start on Hosts[index], whatever From, To and
// Limit are. A host that does not exist has no hours.
func (r *Request) Check(start int64, index int) Verdict {
	l := r.limits()
	if index < 0 || index >= len(r.Hosts) {
		verdict := l.byRules(start)
		verdict.Reason = OutsideHours
		return verdict
	}
	if reason := l.when(start); reason != Open {
		verdict := l.byRules(start)
		verdict.Reason = reason
		return verdict
	}
	v := newHost(&l, &r.Hosts[index], start, start+1)
	on := v.grid.find(start)
	return v.judge(start, v.grid.end, on)
}

func (h *Host) zone() *time.Location {
	if h.Schedule == nil || h.Schedule.Zone == nil {
		return time.UTC
	}
	return h.Schedule.Zone
}
