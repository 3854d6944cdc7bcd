package booking

import (
	"slices"

	"daybook/app/slot"
	"daybook/app/when"
)

// Stay is when the invitee of a visit is in one of its services.
type Stay struct {
	Start, End when.Instant
	Waits      []slot.Span // in which nobody works on them
	DuringWait bool        // it may be done in a wait of another service
}

// StayOf returns the stay in a booking, or what is held, of a service that may be done in a wait or not.
func StayOf(t *Taken, duringWait bool) Stay {
	s := Stay{Start: t.Start, End: t.End, DuringWait: duringWait}
	for _, p := range t.Parts {
		if p.Kind == Wait {
			s.Waits = append(s.Waits, slot.Span{Start: int64(p.Start), End: int64(p.End)})
		}
	}
	return s
}

// Apart reports whether one person can be in both: they don't meet, or one that may be done in a wait lies wholly in one
// of the other. It is the only statement of this rule.
func (s *Stay) Apart(o *Stay) bool {
	return !s.Meets(o) || s.DuringWait && o.waits(s) || o.DuringWait && s.waits(o)
}

// Meets reports whether the two overlap.
func (s *Stay) Meets(o *Stay) bool { return s.Start < o.End && o.Start < s.End }

// waits reports whether the invitee waits all the while of the other.
func (s *Stay) waits(o *Stay) bool {
	return slices.ContainsFunc(s.Waits, func(w slot.Span) bool { return w.Start <= int64(o.Start) && int64(o.End) <= w.End })
}

// WaitsOf returns the waits between works, in the same time as these; nil for nil.
func WaitsOf(works []slot.Work) (waits []slot.Span) {
	for i := 1; i < len(works); i++ {
		waits = append(waits, slot.Span{Start: works[i-1].Own.End, End: works[i].Own.Start})
	}
	return waits
}

// StepsOf returns the steps of a visit whose services are arranged so, by start. What is done in a wait of another has
// no neighbours and keeps its own buffers; of the others each follows the one before.
func StepsOf(arranged []VisitPlace) []VisitStep {
	steps, before := make([]VisitStep, len(arranged)), -1
	for i, at := range arranged {
		steps[i] = VisitStep{Ends: at.End, Later: i > 0}
		if slices.ContainsFunc(arranged[:i], func(o VisitPlace) bool { return o.waitsAt(at.Start) }) {
			continue
		}
		if before >= 0 {
			same := arranged[before].Host == at.Host
			steps[before].JoinsAfter, steps[i].JoinsBefore = same, same
			steps[before].Next, steps[i].Behind = at.Host, before+1
		}
		before = i
	}
	return steps
}

// waitsAt reports whether the invitee waits then.
func (p *VisitPlace) waitsAt(at when.Instant) bool {
	return slices.ContainsFunc(p.Waits, func(w slot.Span) bool { return w.Start <= int64(at) && int64(at) < w.End })
}
