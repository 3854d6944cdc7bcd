package slot

// Work is a part of a session in which its host works, in milliseconds after the start of the session. Own lies within
// Occupied, which has the time around it that the host keeps free.
type Work struct{ Own, Occupied Span }

// Plain returns the work without the time around it.
func (w Work) Plain() Work { return Work{w.Own, w.Own} }

// At returns the work of a session that starts then, as spans of time.
func (w Work) At(start int64) Work { return Work{w.Own.after(start), w.Occupied.after(start)} }

func (s Span) after(start int64) Span { return Span{start + s.Start, start + s.End} }

// WorksOf returns when the host of a new session works in it, in milliseconds after its start, with the buffers at the
// ends; nil for all the while.
func (r *Request) WorksOf(host int) []Work {
	all := r.limits()
	return all.of(&r.Hosts[host]).works
}

// use is what a session takes beside its host: the whole of it, and when its host works, as spans of time; without works
// all the while.
type use struct {
	own, occupied Span
	works         []Work
}

// uses returns what a session takes by the verdict, with its works in buf; with plain it keeps nothing free around it.
func (l *limits) uses(start int64, v *Verdict, plain bool, buf []Work) use {
	own := Span{start, v.End}
	u := use{own: own, occupied: Span{start - l.wide.Start, v.End + l.wide.End}, works: l.worksAt(start, plain, buf)}
	if plain {
		u.occupied = own
	} else if len(u.works) > 0 {
		u.works[0].Occupied.Start, u.works[len(u.works)-1].Occupied.End = u.occupied.Start, u.occupied.End
	}
	return u
}

// worksAt appends to buf when the host works in a session that starts then; with plain nothing is kept free around it.
func (l *limits) worksAt(start int64, plain bool, buf []Work) []Work {
	for _, w := range l.works {
		if plain {
			w = w.Plain()
		}
		buf = append(buf, w.At(start))
	}
	return buf
}

// joined returns the use of something that joins, with its works in buf.
func (u use) joined(j Joins, buf *[]Work) use {
	if j == (Joins{}) {
		return u
	}
	if len(u.works) > 0 {
		*buf = append((*buf)[:0], u.works...)
		u.works = *buf
	}
	if j.Before {
		u.occupied.Start = u.own.Start
	}
	if j.After {
		u.occupied.End = u.own.End
	}
	if last := len(u.works) - 1; last >= 0 {
		first, last := &u.works[0], &u.works[last]
		first.Occupied.Start, last.Occupied.End = max(first.Occupied.Start, u.occupied.Start), min(last.Occupied.End, u.occupied.End)
	}
	return u
}

// outside reports whether the host doesn't work by their hours while the session needs them. window is the end of the
// hours that hold start.
func (v *host) outside(start, end, window int64) bool {
	if v.works == nil || v.dates != nil {
		return end > window
	}
	for _, w := range v.works {
		if !v.opens(w.Own.after(start)) {
			return true
		}
	}
	return false
}

// opens reports whether the host works all the span.
func (v *host) opens(s Span) bool {
	for _, o := range v.open {
		if o.Start <= s.Start && s.End <= o.End {
			return true
		}
	}
	return false
}

// partly returns the first work of a session, counted from 1, against which the reason stands; 0 for none.
func (v *host) partly(start int64, why Reason) int {
	bit := ReasonsOf(why)
	for i, w := range v.works {
		w = w.At(start)
		all := v.takenIn(start, w.Own, w.Occupied, false)
		if v.dates == nil && !v.opens(w.Own) {
			all |= outsideHours
		}
		if all&bit != 0 {
			return i + 1
		}
	}
	return 0
}
