package slot

import (
	"slices"
	"time"
)

// The oracle decides the same questions the long way: it reads the wall clock of
// every minute by time.In and looks at minutes only. It shares no code with the
// package. All times given to it have to be whole minutes.

// diary is what every minute of some days shows on the wall clock of a zone.
type diary struct {
	from        int64   // Unix minute of wall[0]
	wall        []int64 // wall-clock minutes as if UTC
	low         int64   // the least of wall
	first, last []int   // by wall - low: indexes of wall, -1 in a gap
}

func newDiary(zone *time.Location, from, to int64) *diary {
	d := &diary{from: from}
	for m := from; m < to; m++ {
		t := time.Unix(m*60, 0).In(zone)
		d.wall = append(d.wall, time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), 0, 0, time.UTC).Unix()/60)
	}
	d.low = slices.Min(d.wall)
	d.first = slices.Repeat([]int{-1}, int(slices.Max(d.wall)-d.low)+1)
	d.last = slices.Clone(d.first)
	for i, w := range d.wall {
		if d.first[w-d.low] < 0 {
			d.first[w-d.low] = i
		}
		d.last[w-d.low] = i
	}
	return d
}

// at returns the indexes of the first and last minute that show w; in a gap, the
// minute after it. Times beyond the diary are clamped to it.
func (d *diary) at(w int64) (first, last int) {
	i := w - d.low
	switch {
	case i < 0:
		return 0, 0
	case i >= int64(len(d.first)):
		return len(d.wall), len(d.wall)
	case d.first[i] >= 0:
		return d.first[i], d.last[i]
	}
	for d.first[i] < 0 {
		i++
	}
	return d.first[i], d.first[i]
}

// plan is a host's hours by the minute.
type plan struct {
	*diary
	inside, onGrid []bool
	dated          bool // the grid is some dates, whatever the hours are
}

func newPlan(s *Schedule, d *diary, step int64, dates []int64) *plan {
	p := &plan{d, make([]bool, len(d.wall)), make([]bool, len(d.wall)), dates != nil}
	for _, start := range dates {
		p.onGrid[start/60_000-d.from] = true
	}
	if p.dated {
		return p
	}
	firstDay, lastDay := slices.Min(d.wall)/1440+1, slices.Max(d.wall)/1440-1
	for day := firstDay; day < lastDay; day++ {
		date := time.Unix(day*86400, 0).UTC()
		ranges := s.Weekly[date.Weekday()]
		if o, ok := s.Overrides[Date{date.Year(), date.Month(), date.Day()}]; ok {
			ranges = o
		}
		for _, r := range ranges {
			start, _ := d.at(day*1440 + int64(r.Start))
			endFirst, end := d.at(day*1440 + int64(r.End))
			if r.End == 1440 {
				end = endFirst
			}
			for i := start; i < end; i++ {
				p.inside[i] = true
				p.onGrid[i] = p.onGrid[i] || int64(i-start)%step == 0
			}
		}
	}
	return p
}

// covers asks minute by minute whether one of [start, end) is in s.
func covers(s Span, start, end int64) bool {
	for m := start; m < end; m += 60_000 {
		if s.Start <= m && m < s.End {
			return true
		}
	}
	return false
}

func anyCovers(spans []Span, start, end int64) bool {
	return slices.ContainsFunc(spans, func(s Span) bool { return covers(s, start, end) })
}

// takes is how long the host takes.
func takes(r *Request, h *Host) time.Duration {
	if h.Duration > 0 {
		return h.Duration
	}
	return r.Rules.Duration
}

// verdict is what Waiving has to say of start.
func (p *plan) verdict(r *Request, h *Host, start int64, waived ...Reason) Verdict {
	ms := time.Duration.Milliseconds
	end := start + ms(takes(r, h))
	v := Verdict{End: end, Occupied: Span{start - ms(r.Rules.BufferBefore), end + ms(r.Rules.BufferAfter)}}
	joined := v
	session, others := p.split(h, start)
	party := max(1, r.Rules.Party)
	if len(session) > 0 && seatsOf(session)+party <= r.Rules.Seats {
		joined = Verdict{Begun: true, End: session[0].End, Occupied: session[0].Occupied}
		for _, b := range session {
			joined.End = max(joined.End, b.End)
			joined.Occupied.Start = min(joined.Occupied.Start, b.Occupied.Start)
			joined.Occupied.End = max(joined.Occupied.End, b.Occupied.End)
		}
	}
	if !joined.Begun {
		others = h.Booked
	}
	all := p.against(r, h, start, &joined, party > r.Rules.Seats, others)
	for _, why := range all {
		if v.Reason == Open && (why == Booked || why == ResourceTaken || !slices.Contains(waived, why)) {
			v.Reason = why
		}
	}
	if v.Reason == Open {
		v, v.Waived = joined, ReasonsOf(all...)
		v.Seats = r.Rules.Seats - seatsOf(session)
		if bare := (Span{start, v.End}); slices.Contains(waived, Buffer) && v.Occupied != bare {
			v.Occupied, v.Waived = bare, ReasonsOf(append(all, Buffer)...)
		}
		if !v.Begun {
			if v.Resources = assigned(r, v.Occupied, false, nil); v.Resources == nil {
				v.Resources = assigned(r, v.Occupied, true, nil)
			}
		}
	}
	v.Against = ReasonsOf(all...)
	return v
}

// against is everything that stands against the start, by precedence.
func (p *plan) against(r *Request, h *Host, start int64, v *Verdict, full bool, others []Booking) (all []Reason) {
	ms := time.Duration.Milliseconds
	i := int(start/60_000 - p.from)
	meetsOther := func(own bool, from, to int64) bool {
		return slices.ContainsFunc(others, func(b Booking) bool {
			if own {
				return covers(Span{b.Start, b.End}, from, to)
			}
			return covers(b.Occupied, from, to) && !covers(Span{b.Start, b.End}, start, v.End)
		})
	}
	tooShort := slices.ContainsFunc(others, func(b Booking) bool {
		way := max(r.Rules.Travel, b.Travel)
		if r.Rules.Place == 0 || b.Place == 0 || r.Rules.Place == b.Place || covers(Span{b.Start, b.End}, start, v.End) {
			return false
		}
		return start >= b.End && start-b.End < ms(way) || v.End <= b.Start && b.Start-v.End < ms(way)
	})
	needy := len(r.Needs) > 0 && !v.Begun
	placed, bare := false, false // its needs can be met, with and without its buffers
	if needy {
		placed = assigned(r, v.Occupied, false, nil) != nil
		bare = assigned(r, Span{start, v.End}, true, nil) != nil
	}
	for _, stands := range []struct {
		why Reason
		so  bool
	}{
		{Inactive, r.Rules.Inactive},
		{InPast, start < r.Now},
		{TooSoon, start >= r.Now && start < r.Now+ms(r.Rules.MinimumNotice)},
		{TooFar, start > r.Now+ms(r.Rules.Window) && start >= r.Now+ms(r.Rules.MinimumNotice)},
		{OutsideHours, p.dated && !p.onGrid[i] || !p.dated && slices.Contains(p.inside[i:i+int((v.End-start)/60_000)], false)},
		{OffGrid, p.inside[i] && !p.onGrid[i]},
		{Booked, full || meetsOther(true, start, v.End)},
		{Buffer, meetsOther(false, v.Occupied.Start, v.Occupied.End) || tooShort || needy && !placed && bare},
		{TimeOff, anyCovers(h.TimeOff, v.Occupied.Start, v.Occupied.End)},
		{Busy, anyCovers(h.Busy, v.Occupied.Start, v.Occupied.End)},
		{ResourceTaken, needy && !placed && !bare},
		{DayFull, r.Rules.MaxPerDay > 0 && p.sessionsOn(h, start, v.Begun) >= r.Rules.MaxPerDay},
		{HostWeekFull, !v.Begun && anyCovers(h.Full, start, start+1)},
		{WeekFull, !v.Begun && anyCovers(r.Full, start, start+1)},
	} {
		if stands.so {
			all = append(all, stands.why)
		}
	}
	return all
}

// assigned tries every way to give each need a resource of its own, the preferred ones first, and returns the first that
// is free by the minute; bare ignores the buffers of bookings.
func assigned(r *Request, span Span, bare bool, so []int) []int {
	if len(so) == len(r.Needs) {
		return so
	}
	for _, i := range r.Needs[len(so)].OneOf {
		if slices.Contains(so, i) || !usable(r, &r.Resources[i], span, bare) {
			continue
		}
		if all := assigned(r, span, bare, append(slices.Clone(so), i)); all != nil {
			return all
		}
	}
	return nil
}

// resourceHours keeps the hours of the last resources.
var resourceHours = map[*Resource]*plan{}

func usable(r *Request, of *Resource, span Span, bare bool) bool {
	if of.Schedule != nil {
		hours := resourceHours[of]
		if hours == nil {
			if len(resourceHours) > 50 {
				clear(resourceHours)
			}
			hours = newPlan(of.Schedule, diaryOf(of.Schedule.Zone, r), 1, nil)
			resourceHours[of] = hours
		}
		if slices.Contains(hours.inside[span.Start/60_000-hours.from:span.End/60_000-hours.from], false) {
			return false
		}
	}
	return !anyCovers(of.TimeOff, span.Start, span.End) && !anyCovers(of.Busy, span.Start, span.End) &&
		!slices.ContainsFunc(of.Booked, func(b Booking) bool {
			return covers(Span{b.Start, b.End}, span.Start, span.End) || !bare && covers(b.Occupied, span.Start, span.End)
		})
}

// seatsOf is how many seats the bookings take.
func seatsOf(session []Booking) (n int) {
	for _, b := range session {
		n += max(1, b.Seats)
	}
	return n
}

// split parts the session at start from the host's other bookings.
func (p *plan) split(h *Host, start int64) (session, others []Booking) {
	for _, b := range h.Booked {
		if b.Same && b.Start == start {
			session = append(session, b)
		} else {
			others = append(others, b)
		}
	}
	return session, others
}

func (p *plan) sessionsOn(h *Host, start int64, without bool) int {
	starts := map[int64]bool{}
	day := func(ms int64) int64 { return p.wall[ms/60_000-p.from] / 1440 }
	for _, b := range h.Booked {
		if b.Same && day(b.Start) == day(start) && !(without && b.Start == start) {
			starts[b.Start] = true
		}
	}
	return len(starts)
}
