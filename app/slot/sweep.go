package slot

// candidate is a start on a host's grid.
type candidate struct {
	start, end int64
	seats      int // remaining when open
	begun      bool
	reason     Reason
}

// candidates judges the starts of one host in [lo, hi) until limit are open, and
// keeps the open ones, with closed also the others.
func candidates(l *limits, h *Host, lo, hi int64, limit int, closed bool) []candidate {
	v := newHost(l, h, lo, hi)
	var kept []candidate
	for open := 0; v.grid.next(); {
		for _, start := range v.grid.starts {
			verdict := v.judge(start, v.grid.end, true)
			if verdict.Reason != Open && !closed {
				continue
			}
			kept = append(kept, candidate{start, verdict.End, verdict.Seats, verdict.Begun, verdict.Reason})
			if verdict.Reason != Open {
				continue
			}
			if open++; open == limit {
				return kept
			}
		}
	}
	return kept
}

// sweep finds the open starts of one host in [lo, hi), at most limit, by the rules
// of judge for a single seat: then whatever takes time takes it alike. All starts
// in [lo, hi) have to be open by limits.when.
func sweep(l *limits, h *Host, lo, hi int64, limit int) []candidate {
	c := newClock(h.zone(), lo-clockMargin, hi+l.duration+clockMargin, nil)
	g := newGrid(l, h.Schedule, c, lo, hi, l.duration)
	taken := h.taken(Span{lo - l.before, hi + l.duration + l.after})
	q := newQuota(l, h.Booked, c)
	var open []candidate
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
			open = append(open, candidate{start: start, end: end, seats: 1})
			if len(open) == limit {
				return open
			}
		}
	}
	return open
}

// taken merges all that takes the host's time near.
func (h *Host) taken(near Span) []Span {
	taken := make([]Span, 0, len(h.Booked)+len(h.TimeOff)+len(h.Busy))
	for i := range h.Booked {
		if b := blockOf(&h.Booked[i]); b.occupied.Meets(near) {
			taken = append(taken, b.occupied)
		}
	}
	taken = appendNear(taken, h.TimeOff, near)
	return merge(appendNear(taken, h.Busy, near))
}
