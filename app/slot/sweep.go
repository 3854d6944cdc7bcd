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
	q := newQuota(l, h.Booked, c)
	open, weeks := make([]opening, 0, g.room(limit)), len(l.full)+len(h.Full) > 0
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
			if weeks && l.weeks(start, h.Full) != 0 {
				continue
			}
			if l.needs != nil {
				own := Span{start, end}
				if l.needs.against(use{own, Span{start - l.before, end + l.after}, nil}, func() use { return use{own, own, nil} }) != 0 {
					continue
				}
			}
			if l.others != nil && l.others.against(start, use{Span{start, end}, Span{start - l.before, end + l.after}, nil}, 0) != 0 {
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
