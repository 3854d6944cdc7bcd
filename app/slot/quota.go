package slot

import "slices"

// quota counts the sessions of the event type on the local days of a host.
type quota struct {
	clock  clock
	perDay int
	days   []int64 // of the sessions' starts, ascending
	day    int64   // the last day that was asked for
	count  int     // the sessions on that day
}

// newQuota returns nil when the rules have no cap.
func newQuota(l *limits, booked []Booking, c clock) *quota {
	if l.perDay <= 0 {
		return nil
	}
	starts := make([]int64, 0, len(booked))
	for i := range booked {
		if booked[i].Same {
			starts = append(starts, booked[i].Start)
		}
	}
	slices.Sort(starts)
	starts = slices.Compact(starts)
	for i, start := range starts {
		starts[i] = c.day(start)
	}
	slices.Sort(starts)
	return &quota{clock: c, perDay: l.perDay, days: starts, day: -1 << 62}
}

// weeks says whether start lies in a full week of all hosts, or in one of those of one host.
func (l *limits) weeks(start int64, ofHost []Span) (all Reasons) {
	at := Span{start, start + 1}
	if slices.ContainsFunc(ofHost, at.Meets) {
		all = hostWeekFull
	}
	if slices.ContainsFunc(l.full, at.Meets) {
		all |= weekFull
	}
	return all
}

// full reports whether the day of start has as many sessions as it may. The session at start is not counted when it
// would be joined.
func (q *quota) full(start int64, joined bool) bool {
	if q == nil {
		return false
	}
	if day := q.clock.day(start); day != q.day {
		from, _ := slices.BinarySearch(q.days, day)
		to, _ := slices.BinarySearch(q.days, day+1)
		q.day, q.count = day, to-from
	}
	if joined {
		return q.count-1 >= q.perDay
	}
	return q.count >= q.perDay
}
