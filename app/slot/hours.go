package slot

import (
	"cmp"
	"slices"
)

// A range that begins on day n ends on day n+1 at the latest, and no two offsets of a zone are 26 hours apart. So the
// days that can meet a span begin at most daysBefore before its first day and daysAfter after its last, and the eras
// that can show their hours lie within clockMargin of it.
const (
	daysBefore  = 3
	daysAfter   = 2
	clockMargin = 8 * dayMs
)

// spans returns the schedule's ranges that meet [lo, hi) as instants, by start. They may touch and, over midnight or
// where clocks go back, overlap.
func (s *Schedule) spans(c clock, lo, hi int64) []Span {
	day, last := c.day(lo)-daysBefore, c.day(hi)+daysAfter
	spans := make([]Span, 0, s.rangesIn(last-day+1))
	for ; day <= last; day++ {
		for _, r := range s.rangesOf(day) {
			span := r.on(day, c)
			if span.Start < span.End && span.End > lo && span.Start < hi {
				spans = append(spans, span)
			}
		}
	}
	if !slices.IsSortedFunc(spans, byStart) {
		slices.SortFunc(spans, byStart)
	}
	return spans
}

// Outside returns the spans of [From, To) in which each host doesn't work, or gives no session where the rules have
// dates, by host and start. There are no starts on the hosts' grids in them, so Explain does not list them. A span that
// ends before it begins has none.
func Outside(r *Request) []Closed {
	var all []Closed
	if r.To <= r.From {
		return nil
	}
	l := r.limits()
	for i := range r.Hosts {
		h := &r.Hosts[i]
		own := l.of(h)
		c := newClock(h.zone(), r.From-clockMargin, r.To+own.duration+clockMargin)
		at := r.From
		for _, s := range Merge(newGrid(own, h.Schedule, c, r.From, r.To, own.duration).spans) {
			if s.Start >= r.To {
				break
			}
			if at < s.Start {
				all = append(all, Closed{Start: at, End: s.Start, Host: i, Reason: OutsideHours})
			}
			at = max(at, s.End)
		}
		if at < r.To {
			all = append(all, Closed{Start: at, End: r.To, Host: i, Reason: OutsideHours})
		}
	}
	return all
}

// rangesIn estimates how many ranges begin on so many days.
func (s *Schedule) rangesIn(days int64) int64 {
	weekly := 0
	for _, ranges := range s.Weekly {
		weekly += len(ranges)
	}
	return (days+6)/7*int64(weekly) + 1
}

func (s *Schedule) rangesOf(day int64) []Range {
	if len(s.Overrides) > 0 {
		if ranges, ok := s.Overrides[dateOfDay(day)]; ok {
			return ranges
		}
	}
	return s.Weekly[weekdayOf(day)]
}

// on turns the range that begins on day into instants. The span is empty or reversed when a clock change swallows it.
func (r Range) on(day int64, c clock) Span {
	midnight := day * dayMs
	start, _ := c.instants(midnight + int64(r.Start)*minuteMs)
	first, last := c.instants(midnight + int64(r.End)*minuteMs)
	if r.End == dayMinutes {
		return Span{start, first}
	}
	return Span{start, last}
}

func byStart(a, b Span) int { return cmp.Compare(a.Start, b.Start) }

// Merge sorts the spans and joins, in place, spans that overlap or touch.
func Merge(spans []Span) []Span {
	if !slices.IsSortedFunc(spans, byStart) {
		slices.SortFunc(spans, byStart)
	}
	n := 0
	for _, s := range spans {
		if n > 0 && s.Start <= spans[n-1].End {
			spans[n-1].End = max(spans[n-1].End, s.End)
			continue
		}
		spans[n] = s
		n++
	}
	return spans[:n]
}
