package slot

// offer is an open start of one host.
type offer struct {
	start, end int64
	seats      int32
	begun      bool
}

// sweep finds the open starts of one host in [lo, hi), at most limit. It applies the rules of judge for a single seat,
// where everything that takes time counts alike. All starts in [lo, hi) must be open by limits.when.
func sweep(l *limits, h *Host, lo, hi int64, limit int) []offer {
	c := newClock(h.zone(), lo-clockMargin, hi+l.duration+clockMargin)
	g := newGrid(l, h.Schedule, c, lo, hi, l.duration)
	taken := h.taken(Span{lo - l.before, hi + l.duration + l.after})
	q := newQuota(l, h.Booked, c)
	open := make([]offer, 0, g.room(limit))
	for g.next() {
		for _, start := range g.starts {
			end := start + l.duration
			if end > g.end {
				break
			}
			for len(taken) > 0 && taken[0].End <= start-l.before {
				taken = taken[1:]
			}
			if len(taken) > 0 && taken[0].Start < end+l.after || q.full(start, false) {
				continue
			}
			open = append(open, offer{start, end, 1, false})
			if len(open) == limit {
				return open
			}
		}
	}
	return open
}

// taken merges everything that takes the host's time near.
func (h *Host) taken(near Span) []Span {
	taken := make([]Span, 0, len(h.Booked)+len(h.TimeOff)+len(h.Busy))
	for i := range h.Booked {
		if b := blockOf(&h.Booked[i]); b.occupied.Meets(near) {
			taken = append(taken, b.occupied)
		}
	}
	taken = h.appendTimeOff(taken, near)
	return merge(appendNear(taken, h.Busy, near))
}
