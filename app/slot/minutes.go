package slot

import (
	"math/bits"
	"slices"
)

// Minute is a minute in milliseconds.
const Minute = 60_000

// Minutes are the minutes at which something may begin with one host.
type Minutes struct {
	from   int64 // a whole minute
	open   []uint64
	length int64
	ends   map[int64]int64 // of starts that end otherwise than by length, as a session that has begun may
}

// FindMinutes returns for each host the open starts in [From, To) that lie on whole minutes: those of Find, whatever Limit
// is.
func FindMinutes(r *Request) []Minutes {
	l := r.limits()
	all := make([]Minutes, len(r.Hosts))
	lo, hi := l.clip(r.From, r.To)
	if lo >= hi {
		return all
	}
	l.needs, l.others = r.needs(&l, lo, hi), r.others(&l, lo, hi)
	for i := range r.Hosts {
		all[i].fill(l.of(&r.Hosts[i]), &r.Hosts[i], lo, hi)
	}
	return all
}

func (m *Minutes) fill(l *limits, h *Host, lo, hi int64) {
	m.from, m.length = lo-lo%Minute, l.duration
	m.open = make([]uint64, (hi-m.from)/Minute/64+1)
	if l.step == Minute && m.sweep(l, h, lo, hi) {
		return
	}
	for _, o := range l.openings(h, lo, hi, 0) {
		if o.start%Minute != 0 {
			continue
		}
		at := (o.start - m.from) / Minute
		m.open[at/64] |= 1 << (at % 64)
		if o.end != o.start+m.length {
			if m.ends == nil {
				m.ends = map[int64]int64{}
			}
			m.ends[o.start] = o.end
		}
	}
}

// End returns when what begins then ends, and whether that is open.
func (m *Minutes) End(start int64) (end int64, open bool) {
	at := (start - m.from) / Minute
	if start < m.from || start%Minute != 0 || at/64 >= int64(len(m.open)) || m.open[at/64]&(1<<(at%64)) == 0 {
		return 0, false
	}
	if end, ok := m.ends[start]; ok {
		return end, true
	}
	return start + m.length, true
}

// Next returns the first open start at or after from.
func (m *Minutes) Next(from int64) (start int64, ok bool) {
	at := (max(from, m.from) - m.from + Minute - 1) / Minute
	for i := at / 64; i < int64(len(m.open)); i++ {
		word := m.open[i]
		if i == at/64 {
			word &= ^uint64(0) << (at % 64)
		}
		if word != 0 {
			return m.from + (i*64+int64(bits.TrailingZeros64(word)))*Minute, true
		}
	}
	return 0, false
}

// sweep finds the open starts of every minute in [lo, hi), as the sweep of a grid does: by spans of starts, of which each
// span of hours opens one and each that is taken closes one, so that only what else is asked of a start is asked minute
// by minute. It answers for sessions of one, in parts too, and reports false where the starts have to be judged. 60 days
// of three services with four hosts take 7 to 12 ms of processor time by it and 40 to 65 start by start; those with
// parts, rooms and a second person 42 and 254 (BenchmarkVisits in package app).
func (m *Minutes) sweep(l *limits, h *Host, lo, hi int64) bool {
	if l.seats != 1 || l.party != 1 || l.dates != nil || l.works != nil && l.place != 0 || l.duration <= 0 {
		return false
	}
	if h.Schedule == nil {
		return true
	}
	c := newClock(h.zone(), lo-l.before-clockMargin, hi+l.duration+clockMargin)
	hours := h.Schedule.spans(c, lo, hi+l.duration)
	if slices.ContainsFunc(hours, func(s Span) bool { return s.Start%Minute != 0 }) {
		return false // its minutes are no whole ones
	}
	hours = Merge(hours)
	for _, s := range hours {
		m.set(max(lo, s.Start), min(hi, s.End), true)
	}
	whole := [1]Work{{Span{0, l.duration}, Span{-l.before, l.duration + l.after}}}
	works := l.works
	if works == nil {
		works = whole[:]
	}
	taken := l.takenOf(h, Span{lo - l.before, hi + l.duration + l.after})
	for _, w := range works {
		free := lo
		for _, s := range hours {
			m.set(free, s.Start-w.Own.Start, false)
			free = max(free, s.End-w.Own.End+1)
		}
		m.set(free, hi, false)
		for _, s := range taken {
			m.set(s.Start-w.Occupied.End+1, s.End-w.Occupied.Start, false)
		}
	}
	if r := newRest(l, h, c); r.asks() {
		for at, ok := m.Next(lo); ok; at, ok = m.Next(at + 1) {
			if !r.open(at) {
				m.set(at, at+1, false)
			}
		}
	}
	return true
}

// set opens or closes the whole minutes in [from, to).
func (m *Minutes) set(from, to int64, open bool) {
	first := max(0, from-m.from+Minute-1) / Minute
	behind := min(int64(len(m.open))*64, (to-m.from+Minute-1)/Minute)
	for first < behind {
		n := min(64-first%64, behind-first)
		these := ^uint64(0) >> (64 - n) << (first % 64)
		if open {
			m.open[first/64] |= these
		} else {
			m.open[first/64] &^= these
		}
		first += n
	}
}
