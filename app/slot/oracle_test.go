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

// worksOf is when the host is taken by a session.
func worksOf(r *Request, h *Host) []Work {
	if h.Duration > 0 {
		return h.Works
	}
	return r.Rules.Works
}

func moved(s Span, by int64) Span { return Span{s.Start + by, s.End + by} }

// verdict is what Waiving has to say of start.
func (p *plan) verdict(r *Request, h *Host, start int64, waived ...Reason) Verdict {
	ms := time.Duration.Milliseconds
	end := start + ms(takes(r, h))
	v := Verdict{End: end, Occupied: Span{start - ms(r.Rules.BufferBefore), end + ms(r.Rules.BufferAfter)}}
	joined := v
	session, others := p.split(h, start)
	party, seats, works := max(1, r.Rules.Party), r.Rules.Seats, worksOf(r, h)
	if works != nil {
		seats = 1
	}
	if len(session) > 0 && seatsOf(session)+party <= seats {
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
	all := p.against(r, h, start, &joined, party > seats, others, waived...)
	for _, why := range all {
		if v.Reason == Open && (why == Booked || why == ResourceTaken || why == HostsTaken || !slices.Contains(waived, why)) {
			v.Reason = why
		}
	}
	if v.Reason == Open {
		v, v.Waived = joined, ReasonsOf(all...)
		v.Seats = seats - seatsOf(session)
		plain := slices.Contains(waived, Buffer)
		margins := v.Occupied != Span{start, v.End}
		for _, w := range works {
			margins = margins || w.Own != w.Occupied
			if plain {
				w.Occupied = w.Own
			}
			v.Works = append(v.Works, Work{moved(w.Own, start), moved(w.Occupied, start)})
		}
		if plain && margins {
			v.Occupied, v.Waived = Span{start, v.End}, ReasonsOf(append(all, Buffer)...)
		}
		if !v.Begun {
			for _, w := range oracleWays(waived...) {
				if v.Resources == nil {
					v.Resources = assigned(r, v.Occupied, v.Works, w, nil)
				}
			}
		}
	}
	v.Against = ReasonsOf(all...)
	if v.Reason == Open && !v.Begun && r.Beside > 0 {
		_, v.Others = team(r, h, worksOrAll(r, h, start, &joined), waived)
	}
	return v
}

// worksOrAll is when a session takes whoever does it.
func worksOrAll(r *Request, h *Host, start int64, v *Verdict) (works []Work) {
	for _, w := range worksOf(r, h) {
		works = append(works, Work{moved(w.Own, start), moved(w.Occupied, start)})
	}
	if works == nil {
		works = []Work{{Span{start, v.End}, v.Occupied}}
	}
	return works
}

// hostHours keeps the hours of the last others.
var hostHours = map[*Host]*plan{}

// lacking is what stands against taking somebody beside a host, by the minute.
func lacking(r *Request, o *Host, works []Work) (all []Reason) {
	ms := time.Duration.Milliseconds
	hours := hostHours[o]
	if hours == nil {
		if len(hostHours) > 50 {
			clear(hostHours)
		}
		hours = newPlan(o.Schedule, diaryOf(o.Schedule.Zone, r), 1, nil)
		hostHours[o] = hours
	}
	for _, w := range works {
		if r.Rules.Dates == nil && slices.Contains(hours.inside[w.Own.Start/60_000-hours.from:w.Own.End/60_000-hours.from], false) {
			all = append(all, OutsideHours)
		}
		for _, b := range o.Booked {
			way := max(r.Rules.Travel, b.Travel)
			away := r.Rules.Place != 0 && b.Place != 0 && r.Rules.Place != b.Place
			switch {
			case covers(Span{b.Start, b.End}, w.Own.Start, w.Own.End):
				all = append(all, Booked)
			case covers(b.Occupied, w.Occupied.Start, w.Occupied.End),
				away && w.Own.Start >= b.End && w.Own.Start-b.End < ms(way),
				away && w.Own.End <= b.Start && b.Start-w.Own.End < ms(way):
				all = append(all, Buffer)
			}
		}
		if anyCovers(o.TimeOff, w.Occupied.Start, w.Occupied.End) {
			all = append(all, TimeOff)
		}
		if anyCovers(o.Busy, w.Occupied.Start, w.Occupied.End) {
			all = append(all, Busy)
		}
	}
	return all
}

// team is what must be waived to have enough others beside the host, the least of it, and who they then are.
func team(r *Request, h *Host, works []Work, waived []Reason) (must []Reason, who []int) {
	stands := make([][]Reason, len(r.Others))
	for i := range r.Others {
		if stands[i] = lacking(r, &r.Others[i], works); i == h.Other-1 {
			stands[i] = []Reason{HostsTaken}
		}
	}
	names, best := []Reason{OutsideHours, Buffer, TimeOff, Busy}, -1
	cost := func(set int) (n int) { // that of what isn't waived comes first
		size := 0
		for i, name := range names {
			if set&(1<<i) != 0 {
				size++
				if !slices.Contains(waived, name) {
					n = 1000
				}
			}
		}
		return n + 100*size + set
	}
	for set := range 1 << len(names) {
		var some []int
		for i := range stands {
			if !slices.ContainsFunc(stands[i], func(why Reason) bool {
				at := slices.Index(names, why)
				return at < 0 || set&(1<<at) == 0
			}) {
				some = append(some, i)
			}
		}
		if len(some) < r.Beside || best >= 0 && cost(set) >= cost(best) {
			continue
		}
		best, who, must = set, some[:r.Beside], nil
		for i, name := range names {
			if set&(1<<i) != 0 {
				must = append(must, name)
			}
		}
	}
	if best < 0 {
		return []Reason{HostsTaken}, nil
	}
	return must, who
}

// against is everything that stands against the start, by precedence.
func (p *plan) against(r *Request, h *Host, start int64, v *Verdict, full bool, others []Booking, waived ...Reason) (all []Reason) {
	ms := time.Duration.Milliseconds
	i := int(start/60_000 - p.from)
	var works, plain []Work
	for _, w := range worksOf(r, h) {
		w = Work{moved(w.Own, start), moved(w.Occupied, start)}
		works, plain = append(works, w), append(plain, Work{w.Own, w.Own})
	}
	parts := works
	if parts == nil {
		parts = []Work{{Span{start, v.End}, v.Occupied}}
	}
	anyPart := func(holds func(Work) bool) bool { return slices.ContainsFunc(parts, holds) }
	closed := anyPart(func(w Work) bool {
		return slices.Contains(p.inside[w.Own.Start/60_000-p.from:w.Own.End/60_000-p.from], false)
	})
	meetsOther := func(own bool) bool {
		return anyPart(func(w Work) bool {
			return slices.ContainsFunc(others, func(b Booking) bool {
				if own {
					return covers(Span{b.Start, b.End}, w.Own.Start, w.Own.End)
				}
				return covers(b.Occupied, w.Occupied.Start, w.Occupied.End) && !covers(Span{b.Start, b.End}, w.Own.Start, w.Own.End)
			})
		})
	}
	tooShort := anyPart(func(w Work) bool {
		return slices.ContainsFunc(others, func(b Booking) bool {
			way := max(r.Rules.Travel, b.Travel)
			if r.Rules.Place == 0 || b.Place == 0 || r.Rules.Place == b.Place ||
				covers(Span{b.Start, b.End}, w.Own.Start, w.Own.End) {
				return false
			}
			return w.Own.Start >= b.End && w.Own.Start-b.End < ms(way) || w.Own.End <= b.Start && b.Start-w.Own.End < ms(way)
		})
	})
	needy := len(r.Needs) > 0 && !v.Begun
	placed := oracleWay{} // how its needs can be met
	if needy {
		placed = metBy(r, start, v, works, plain, waived...)
	}
	var beside []Reason
	if r.Beside > 0 && !v.Begun {
		beside, _ = team(r, h, worksOrAll(r, h, start, v), waived)
	}
	lacks := func(why Reason) bool { return slices.Contains(beside, why) }
	for _, stands := range []struct {
		why Reason
		so  bool
	}{
		{Inactive, r.Rules.Inactive},
		{InPast, start < r.Now},
		{TooSoon, start >= r.Now && start < r.Now+ms(r.Rules.MinimumNotice)},
		{TooFar, start > r.Now+ms(r.Rules.Window) && start >= r.Now+ms(r.Rules.MinimumNotice)},
		{OutsideHours, p.dated && !p.onGrid[i] || !p.dated && closed || lacks(OutsideHours)},
		{OffGrid, p.inside[i] && !p.onGrid[i]},
		{Booked, full || meetsOther(true)},
		{Buffer, meetsOther(false) || tooShort || placed.bare || lacks(Buffer)},
		{TimeOff, lacks(TimeOff) || anyPart(func(w Work) bool { return anyCovers(h.TimeOff, w.Occupied.Start, w.Occupied.End) })},
		{Busy, placed.calm || lacks(Busy) || anyPart(func(w Work) bool { return anyCovers(h.Busy, w.Occupied.Start, w.Occupied.End) })},
		{ResourceTaken, placed.none},
		{HostsTaken, lacks(HostsTaken)},
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

// oracleWay is a way to meet needs: without the buffers of bookings, without busy times; or there is none.
type oracleWay struct{ bare, calm, none bool }

// oracleWays are those that can be taken with what is waived, the best first.
func oracleWays(waived ...Reason) (all []oracleWay) {
	for _, w := range []oracleWay{{}, {bare: true}, {calm: true}, {bare: true, calm: true}} {
		if w.allowed(waived) {
			all = append(all, w)
		}
	}
	return all
}

func (w oracleWay) allowed(waived []Reason) bool {
	return !(w.bare && !slices.Contains(waived, Buffer) || w.calm && !slices.Contains(waived, Busy))
}

// metBy is the best way to meet the needs of a session: one that is waived, or else any.
func metBy(r *Request, start int64, v *Verdict, works, plain []Work, waived ...Reason) oracleWay {
	for _, ways := range [][]oracleWay{oracleWays(waived...), oracleWays(Buffer, Busy)} {
		for _, w := range ways {
			span, parts := v.Occupied, works
			if w.bare {
				span, parts = Span{start, v.End}, plain
			}
			if assigned(r, span, parts, w, nil) != nil {
				return w
			}
		}
	}
	return oracleWay{none: true}
}

// assigned tries every way to give each need a resource of its own, the preferred ones first, and returns the first that
// is free by the minute.
func assigned(r *Request, span Span, works []Work, way oracleWay, so []int) []int {
	if len(so) == len(r.Needs) {
		return so
	}
	for _, i := range r.Needs[len(so)].OneOf {
		spans := []Span{span}
		if r.Needs[len(so)].Work && works != nil {
			spans = nil
			for _, w := range works {
				spans = append(spans, w.Occupied)
			}
		}
		if slices.Contains(so, i) ||
			slices.ContainsFunc(spans, func(s Span) bool { return !usable(r, &r.Resources[i], s, way) }) {
			continue
		}
		if all := assigned(r, span, works, way, append(slices.Clone(so), i)); all != nil {
			return all
		}
	}
	return nil
}

// resourceHours keeps the hours of the last resources.
var resourceHours = map[*Resource]*plan{}

func usable(r *Request, of *Resource, span Span, way oracleWay) bool {
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
	return !anyCovers(of.TimeOff, span.Start, span.End) && (way.calm || !anyCovers(of.Busy, span.Start, span.End)) &&
		!slices.ContainsFunc(of.Booked, func(b Booking) bool {
			return covers(Span{b.Start, b.End}, span.Start, span.End) || !way.bare && covers(b.Occupied, span.Start, span.End)
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
		if b.Same && !b.Alone && b.Start == start {
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

// part is the first part of a session against which the reason stands when it is the only one.
func (p *plan) part(r *Request, h *Host, start int64, why Reason) int {
	parts := worksOf(r, h)
	if !slices.Contains([]Reason{OutsideHours, Booked, Buffer, TimeOff, Busy, ResourceTaken, HostsTaken}, why) {
		return 0
	}
	for i, w := range parts {
		if why == HostsTaken {
			if must, _ := team(r, h, []Work{{moved(w.Own, start), moved(w.Occupied, start)}}, nil); slices.Contains(must, HostsTaken) {
				return i + 1
			}
			continue
		}
		alone := *r
		alone.Hosts, alone.Beside = nil, 0
		if why != ResourceTaken {
			alone.Needs = nil
		}
		alone.Rules.Party = 1
		alone.Rules.Works = []Work{w}
		one := *h
		one.Works = alone.Rules.Works
		v := Verdict{End: start + w.Own.End, Occupied: moved(w.Occupied, start)}
		if slices.Contains(p.against(&alone, &one, start, &v, false, h.Booked), why) {
			return i + 1
		}
	}
	return 0
}
