package slot

import "slices"

// limits are the rules in milliseconds, with notice and window as instants.
type limits struct {
	duration, step  int64
	before, after   int64 // buffers, of the host
	wide            Span  // the same of what is taken beside the host: how much before the start, and behind the end
	now             int64
	soonest, latest int64 // both inclusive
	seats, perDay   int
	party           int     // seats that the booking takes
	dates           []int64 // see Rules
	full            []Span  // Request.Full
	inactive        bool
	place           Place
	travel          int64
	ownStep         bool    // the step is none of the rules', but the duration
	works           []Work  // see Rules
	needs           *needs  // nil where nothing is taken besides the host
	others          *others // nil where nobody is
}

func (r *Request) limits() limits {
	l := limits{
		duration: r.Rules.Duration.Milliseconds(),
		step:     r.Rules.Step.Milliseconds(),
		before:   max(0, r.Rules.BufferBefore.Milliseconds()),
		after:    max(0, r.Rules.BufferAfter.Milliseconds()),
		now:      r.Now,
		soonest:  r.Now + r.Rules.MinimumNotice.Milliseconds(),
		latest:   r.Now + r.Rules.Window.Milliseconds(),
		seats:    max(1, r.Rules.Seats),
		party:    max(1, r.Rules.Party),
		dates:    r.Rules.Dates,
		perDay:   r.Rules.MaxPerDay,
		full:     r.Full,
		inactive: r.Rules.Inactive,
		place:    r.Rules.Place,
		travel:   r.Rules.Travel.Milliseconds(),
	}
	if l.wide = (Span{l.before, l.after}); r.Rules.Joins.Before {
		l.before = 0
	}
	if r.Rules.Joins.After {
		l.after = 0
	}
	if l.works = l.ended(r.Rules.Works); l.works != nil {
		l.seats = 1
	}
	if l.step <= 0 {
		l.step, l.ownStep = l.duration, true
	}
	return l
}

// of returns the limits of one host.
func (l *limits) of(h *Host) *limits {
	if h.Duration <= 0 && l.others == nil {
		return l
	}
	own := *l
	own.others = l.others.beside(h)
	if h.Duration <= 0 {
		return &own
	}
	own.duration, own.works = h.Duration.Milliseconds(), l.ended(h.Works)
	if own.ownStep {
		own.step = own.duration
	}
	return &own
}

// when says what stands against a start by how far ahead it is, and whether anything can be booked.
func (l *limits) when(start int64) (all Reasons) {
	if l.inactive {
		all = inactive
	}
	switch {
	case start < l.now:
		all |= inPast
	case start < l.soonest:
		all |= tooSoon
	case start > l.latest:
		all |= tooFar
	}
	return all
}

// clip narrows [lo, hi) to the starts against which when has nothing.
func (l *limits) clip(lo, hi int64) (int64, int64) {
	if l.inactive {
		return 0, 0
	}
	return max(lo, l.now, l.soonest), min(hi, l.latest+1)
}

// byRules returns the verdict on a new session at start by the rules alone.
func (l *limits) byRules(start int64) Verdict {
	end := start + l.duration
	return Verdict{End: end, Occupied: Span{start - l.before, end + l.after}}
}

// ended returns the works with the buffers at their ends, which are those of the whole session.
func (l *limits) ended(works []Work) []Work {
	if len(works) == 0 {
		return nil
	}
	works = slices.Clone(works)
	works[0].Occupied.Start = works[0].Own.Start - l.before
	last := &works[len(works)-1]
	last.Occupied.End = last.Own.End + l.after
	return works
}
