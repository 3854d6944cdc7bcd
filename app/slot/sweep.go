package slot

// opening is an open start of one host.
type opening struct {
	start, end int64
	seats      int32
	begun      bool
}

// sweep finds the open starts of one host in [lo, hi), at most limit. It applies the rules of judge for a single seat,
// where everything that takes time counts alike. All starts in [lo, hi) must be open by limits.when.
func sweep(l *limits, h *Host, lo, hi int64, limit int) []opening {
	c := newClock(h.zone(), lo-clockMargin, hi+l.duration+clockMargin)
	g := newGrid(l, h.Schedule, c, lo, hi, l.duration)
	taken := l.takenOf(h, Span{lo - l.before, hi + l.duration + l.after})
	rest := newRest(l, h, c)
	open := make([]opening, 0, g.room(limit))
	for g.next() {
		for _, start := range g.starts {
			end := start + l.duration
			if end > g.end {
				break
			}
			for len(taken) > 0 && taken[0].End <= start-l.before {
				taken = taken[1:]
			}
			if len(taken) > 0 && taken[0].Start < end+l.after || !rest.open(start) {
				continue
			}
			open = append(open, opening{start, end, 1, false})
			if len(open) == limit {
				return open
			}
		}
	}
	return open
}

// rest is what a start needs besides hours and a free host: room in the host's day and week, and what is taken beside
// the host. Starts are asked for in ascending order.
type rest struct {
	*limits
	quota *quota
	full  []Span // Host.Full
	weeks bool   // some are full
	works []Work // of the start that was asked for last
}

func newRest(l *limits, h *Host, c clock) rest {
	return rest{limits: l, quota: newQuota(l, h.Booked, c), full: h.Full, weeks: len(l.full)+len(h.Full) > 0}
}

// asks reports whether there is anything of it.
func (r *rest) asks() bool { return r.quota != nil || r.weeks || r.needs != nil || r.others != nil }

// open reports whether nothing of it stands against a session of its own that begins then.
func (r *rest) open(start int64) bool {
	if r.quota.full(start, false) || r.weeks && r.limits.weeks(start, r.full) != 0 {
		return false
	}
	if r.needs == nil && r.others == nil {
		return true
	}
	would := r.byRules(start)
	u := r.uses(start, &would, false, r.works[:0])
	r.works = u.works
	return (r.needs == nil || r.needs.met(r.needs.ways[0].taken, u)) && (r.others == nil || r.others.free(start, u))
}

// takenOf merges everything that takes the host's time near. Where there is a way to another place, a booking takes
// what no occupied span may enter, so that the booking itself keeps clear of the way: its buffers may lie in it.
func (l *limits) takenOf(h *Host, near Span) []Span {
	taken := make([]Span, 0, len(h.Booked)+len(h.TimeOff)+len(h.Busy))
	for i := range h.Booked {
		b := &h.Booked[i]
		way := l.way(b)
		if b.clearOf(near, way) {
			continue
		}
		own, s := b.spans()
		if way > 0 {
			s = Span{min(s.Start, own.Start-way+l.after), max(s.End, own.End+way-l.before)}
		}
		if s.Meets(near) {
			taken = append(taken, s)
		}
	}
	taken = h.appendTimeOff(taken, near)
	return Merge(appendNear(taken, h.Busy, near))
}
