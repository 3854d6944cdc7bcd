package slot

// judge decides on a start. It is the only statement of the rules. window is the end of the union of hours that holds
// start (at or before start when none does), and onGrid says whether start is on a grid. Starts come in ascending
// order.
func (v *host) judge(start, window int64, onGrid bool) Verdict {
	verdict := v.byRules(start)
	if verdict.Reason = v.when(start); verdict.Reason != Open {
		return verdict
	}
	v.seek(start)
	session := v.session(start)
	joined := session.seats > 0 && session.seats < v.seats
	would := verdict
	if joined {
		would = Verdict{Begun: true, End: session.own.End, Occupied: session.occupied}
	}
	switch {
	case would.End > window:
		verdict.Reason = OutsideHours
	case !onGrid:
		verdict.Reason = OffGrid
	default: // a full session overlaps itself: Booked
		verdict.Reason = v.taken(start, &would)
	}
	if verdict.Reason == Open && v.quota.full(start, joined) {
		verdict.Reason = DayFull
	}
	if verdict.Reason != Open {
		return verdict
	}
	would.Seats = v.seats - session.seats
	return would
}

// judgeAll judges the starts of the grid until limit of them are open (0 is all), and passes the others to closed.
func (v *host) judgeAll(limit int, closed func(start, end int64, why Reason)) []offer {
	open := make([]offer, 0, v.grid.room(limit))
	for v.grid.next() {
		for _, start := range v.grid.starts {
			verdict := v.judge(start, v.grid.end, true)
			if verdict.Reason != Open {
				if closed != nil {
					closed(start, verdict.End, verdict.Reason)
				}
				continue
			}
			open = append(open, offer{start, verdict.End, int32(verdict.Seats), verdict.Begun})
			if len(open) == limit {
				return open
			}
		}
	}
	return open
}

// session is the bookings of this event type at one start of a host.
type session struct { // session is the bookings of this event type that begin at one start of a host.
	seats         int // booked
	own, occupied Span
}

// session returns the session at start. Its bookings should be identical; when they are not, it is as long as the
// longest.
func (v *host) session(start int64) (s session) {
	for i := range v.booked {
		b := &v.booked[i]
		if b.occupied.Start > start {
			break
		}
		if !b.at(start) {
			continue
		}
		if s.seats == 0 {
			s.own, s.occupied = b.own, b.occupied
		}
		s.seats++
		s.own.End = max(s.own.End, b.own.End)
		s.occupied = Span{min(s.occupied.Start, b.occupied.Start), max(s.occupied.End, b.occupied.End)}
	}
	return s
}

func (b *block) at(start int64) bool { return b.same && b.own.Start == start }

// taken says what takes the time of a booking that starts at start. A session that the booking would join does not.
func (v *host) taken(start int64, would *Verdict) Reason {
	own, reason := Span{start, would.End}, Open
	for i := range v.booked {
		b := &v.booked[i]
		if b.occupied.Start >= would.Occupied.End {
			break
		}
		if would.Begun && b.at(start) {
			continue
		}
		if b.own.Meets(own) {
			return Booked
		}
		if b.occupied.Meets(would.Occupied) {
			reason = Buffer
		}
	}
	switch {
	case reason != Open:
		return reason
	case meetsAny(v.timeOff, would.Occupied):
		return TimeOff
	case meetsAny(v.busy, would.Occupied):
		return Busy
	}
	return Open
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
