package slot

import (
	"math"
	"slices"
)

// grid walks the windows of a host: the unions of ranges that meet or touch. Each range keeps its own grid; a start
// that two of them give counts once.
type grid struct {
	spans  []Span // by start
	step   int64
	lo, hi int64   // starts outside [lo, hi) are left out
	starts []int64 // of the current window, ascending
	end    int64   // of the current window
}

// newGrid lays the schedule over [lo, hi); durations may end at hi+reach.
func newGrid(l *limits, s *Schedule, c clock, lo, hi, reach int64) grid {
	g := grid{step: l.step, lo: lo, hi: hi, end: math.MinInt64}
	switch {
	case l.duration <= 0:
	case l.dates != nil:
		g.spans, g.step = onDates(l.dates, lo, hi, reach), reach
	case s != nil:
		g.spans = s.spans(c, lo, hi+reach)
	}
	return g
}

// onDates are windows around the starts in [lo, hi) and those before them that a session of [lo, hi) can lie in. Each
// is as long as reach, and so has one start.
func onDates(dates []int64, lo, hi, reach int64) []Span {
	from, _ := slices.BinarySearch(dates, lo)
	to, _ := slices.BinarySearch(dates, hi)
	spans := make([]Span, 0, max(0, to-from))
	for _, start := range dates[min(from, to):to] {
		spans = append(spans, Span{start, start + reach})
	}
	return spans
}

// room returns the most starts that there can be, or limit when that is less.
func (g *grid) room(limit int) int {
	n := int64(0)
	for _, s := range g.spans {
		n += max(0, (min(s.End, g.hi)-max(s.Start, g.lo))/g.step+1)
	}
	if limit > 0 {
		n = min(n, int64(limit))
	}
	return int(n)
}

// next moves to the next window and reports whether there is one.
func (g *grid) next() bool {
	if len(g.spans) == 0 || g.spans[0].Start >= g.hi {
		return false
	}
	g.starts, g.end = g.starts[:0], g.spans[0].Start
	mixed := false
	for len(g.spans) > 0 && g.spans[0].Start <= g.end {
		mixed = mixed || g.spans[0].Start < g.end
		g.add(g.spans[0])
		g.end = max(g.end, g.spans[0].End)
		g.spans = g.spans[1:]
	}
	if mixed {
		slices.Sort(g.starts)
		g.starts = slices.Compact(g.starts)
	}
	return true
}

// add appends the starts of one range: its start, + step, + 2 steps, before its end.
func (g *grid) add(s Span) {
	first, end := s.Start, min(s.End, g.hi)
	if first < g.lo {
		first += (g.lo - first + g.step - 1) / g.step * g.step
	}
	if first >= end {
		return
	}
	g.starts = slices.Grow(g.starts, int((end-first)/g.step)+1)
	for start := first; start < end; start += g.step {
		g.starts = append(g.starts, start)
	}
}

// find moves to the window that holds instant and reports whether instant is one of its starts. Without such a window,
// end is left at or before instant.
func (g *grid) find(instant int64) (on bool) {
	for g.next() && g.end <= instant {
	}
	_, on = slices.BinarySearch(g.starts, instant)
	return on
}
