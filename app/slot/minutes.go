package slot

import "math/bits"

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
