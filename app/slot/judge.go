package slot

import "slices"

// against says everything that stands against a start, and what the booking would take if nothing did: a session of its
// own, or a seat of one that has begun. Of several ways to find others, one that is waived counts. It is the only statement of the rules. window is the end of the union of hours
// that holds start (at or before start when none does), and onGrid says whether start is on a grid. Starts come in
// ascending order.
func (v *host) against(start, window int64, onGrid bool, waived Reasons) (all Reasons, would Verdict) {
	all, would = v.when(start), v.byRules(start)
	v.seek(start)
	session := v.session(start)
	if v.joins(session) {
		would = Verdict{Begun: true, End: session.own.End, Occupied: session.occupied}
	}
	if v.outside(start, would.End, window) {
		all |= outsideHours
	}
	if window > start && !onGrid {
		all |= offGrid // outside every window there is no grid
	}
	all |= v.taken(start, &would) // a session without enough seats overlaps itself: Booked
	if v.needs != nil && !would.Begun {
		all |= v.needs.against(v.uses(start, &would, false, nil), func() use { return v.uses(start, &would, true, nil) }, waived)
	}
	if v.others != nil && !would.Begun {
		all |= v.others.against(start, v.uses(start, &would, false, nil), waived)
	}
	if v.party > v.seats {
		all |= booked
	}
	if v.quota.full(start, would.Begun) {
		all |= dayFull
	}
	if v.capped && !would.Begun {
		all |= v.weeks(start, v.full)
	}
	would.Seats = v.seats - session.seats
	return all, would
}

// judge decides on a start by what stands against it, but for what is waived. Nothing waives Booked, Held,
// ResourceTaken and HostsTaken.
func (v *host) judge(start, window int64, onGrid bool, waived Reasons) Verdict {
	all, verdict := v.against(start, window, onGrid, waived)
	waived &^= booked | held | resourceTaken | hostsTaken
	if left := all &^ waived; left != 0 {
		verdict = v.byRules(start)
		verdict.Reason = left.First()
	} else {
		verdict.Waived = all
		if bare := (Span{start, verdict.End}); waived&buffer != 0 && (verdict.Occupied != bare || v.margins() ||
			!verdict.Begun && v.wide != Span{v.before, v.after}) {
			verdict.Occupied, verdict.Waived = bare, all|buffer
		}
	}
	verdict.Against = all
	return verdict
}

// margins reports whether the host keeps time free around a part.
func (l *limits) margins() bool {
	return slices.ContainsFunc(l.works, func(w Work) bool { return w.Own != w.Occupied })
}

// judgeAll judges the starts of the grid until limit of them are open (0 is all), and passes the others to closed.
func (v *host) judgeAll(limit int, closed func(Closed)) []opening {
	open := make([]opening, 0, v.grid.room(limit))
	for v.grid.next() {
		for _, start := range v.grid.starts {
			verdict := v.judge(start, v.grid.end, true, 0)
			if verdict.Reason != Open {
				if closed != nil {
					closed(v.closed(start, &verdict))
				}
				continue
			}
			open = append(open, opening{start, verdict.End, int32(verdict.Seats), verdict.Begun})
			if len(open) == limit {
				return open
			}
		}
	}
	return open
}

func (v *host) closed(start int64, verdict *Verdict) Closed {
	one := Closed{Start: start, End: verdict.End, Reason: verdict.Reason}
	if v.works != nil {
		one.Part = v.partly(start, one.Reason)
	}
	if one.Reason == HostsTaken {
		one.Part = v.others.partly(start, v.uses(start, verdict, false, nil))
	}
	if v.needs == nil || v.joins(v.session(start)) {
		return one
	}
	switch plain := v.uses(start, verdict, true, nil); {
	case one.Reason == ResourceTaken:
		one.Need, one.Part = v.needs.unmet(plain, resourceTaken), v.needs.partly(plain)
	case one.Reason == Busy && v.taken(start, verdict)&busy == 0 && v.needs.against(v.uses(start, verdict, false, nil), func() use { return plain }, 0)&busy != 0:
		one.Things, one.Need = true, v.needs.unmet(plain, busy)
	}
	return one
}

// joins reports whether the booking takes free seats of a session that has begun.
func (v *host) joins(s session) bool { return s.seats > 0 && s.seats+v.party <= v.seats }

// session is the bookings of this event type at one start of a host.
type session struct {
	seats         int // booked
	own, occupied Span
}

// session returns the session at start. Its bookings should be identical; when they are not, it is as long as the
// longest.
func (v *host) session(start int64) (s session) {
	for i := range v.booked {
		b := &v.booked[i]
		if b.reach().Start > start {
			break
		}
		if !b.at(start) {
			continue
		}
		if s.seats == 0 {
			s.own, s.occupied = b.own, b.occupied
		}
		s.seats += int(b.seats)
		s.own.End = max(s.own.End, b.own.End)
		s.occupied = Span{min(s.occupied.Start, b.occupied.Start), max(s.occupied.End, b.occupied.End)}
	}
	return s
}

func (b *block) at(start int64) bool { return b.same && b.own.Start == start }

// taken says what takes the time of a booking that starts at start. A session that the booking would join does not.
func (v *host) taken(start int64, would *Verdict) (all Reasons) {
	if v.works == nil {
		return v.takenIn(start, Span{start, would.End}, would.Occupied, would.Begun)
	}
	for _, w := range v.works {
		w = w.At(start)
		all |= v.takenIn(start, w.Own, w.Occupied, false)
	}
	return all
}

// takenIn does the same for one span of the booking.
func (v *host) takenIn(start int64, own, occupied Span, begun bool) (all Reasons) {
	for i := range v.booked {
		b := &v.booked[i]
		if b.reach().Start >= occupied.End {
			break
		}
		switch {
		case begun && b.at(start):
		case b.own.Meets(own):
			switch {
			case b.offered:
				all |= offered
			case b.held:
				all |= held
			default:
				all |= booked
			}
		case b.occupied.Meets(occupied) || b.way > 0 && b.away().Meets(own):
			all |= buffer
		}
	}
	if meetsAny(v.timeOff, occupied) {
		all |= timeOff
	}
	if meetsAny(v.busy, occupied) {
		all |= busy
	}
	return all
}

func meetsAny(sorted []Span, occupied Span) bool {
	for _, s := range sorted {
		if s.Start >= occupied.End {
			return false
		}
		if s.Meets(occupied) {
			return true
		}
	}
	return false
}
