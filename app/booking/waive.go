package booking

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/slot"
	"daybook/app/when"
)

// Overridable lists the rules that can be waived, by the reason that each gives for refusing a start. That the time is
// booked is no such rule: the times of a host's bookings never overlap.
var Overridable = []slot.Reason{slot.OutsideHours, slot.OffGrid, slot.TooSoon, slot.TooFar, slot.InPast, slot.DayFull,
	slot.TimeOff, slot.Busy, slot.Inactive, slot.Buffer, slot.HostWeekFull, slot.WeekFull, slot.PersonUpcoming,
	slot.PersonDayFull, slot.PersonWeekFull, slot.Requirement, slot.Offered}

// OverrideField describes the list of rules in the input of a booking or a move.
var OverrideField = field.Field{Name: "override", Enum: field.Values(Overridable...),
	Text: "Rules to set aside for this time: those of `details.reasons` of a refusal. A rule that isn't listed still " +
		"counts, and two bookings of a host never overlap. `in_past` is for times of today; with `buffer` the booking " +
		"has no buffers and may lie in another's; with `offered` it takes a time that is offered to somebody who waits, and ends that.",
	Agents: "Rules to set aside, only when the business itself wants that: those of details.reasons of the refusal, " +
		"after you have named them to the person.",
	Each: "A rule, as details.reasons names it."}

// ParseOverride parses the names of rules. The error is bad_request and lists the valid ones.
func ParseOverride(names []string) (waived slot.Reasons, err error) {
	for _, name := range names {
		r := slot.Reason(name)
		if !slices.Contains(Overridable, r) {
			return 0, fault.Invalid(OverrideField.Name, "%s is no rule that can be waived; these are: %s",
				fmt.Sprintf("%.50q", name), strings.Join(OverrideNames(slot.ReasonsOf(Overridable...)), ", "))
		}
		waived |= slot.ReasonsOf(r)
	}
	return waived, nil
}

// OverrideNames returns the names of the reasons, as ParseOverride reads them.
func OverrideNames(reasons slot.Reasons) []string {
	var all []string
	for _, r := range reasons.List() {
		all = append(all, string(r))
	}
	return all
}

// WaivedOn returns the reasons of waived that can be waived for this start: in_past only on the same day in the zone,
// too_far only up to the last year that is supported.
func WaivedOn(waived slot.Reasons, start, now when.Instant, zone *time.Location) slot.Reasons {
	if !SameDay(start, now, zone) {
		waived &^= slot.ReasonsOf(slot.InPast)
	}
	if start >= when.Instant(math.MaxInt64).Within() {
		waived &^= slot.ReasonsOf(slot.TooFar)
	}
	return waived
}

// SameDay reports whether both times are on the same day in the zone.
func SameDay(a, b when.Instant, zone *time.Location) bool {
	ay, am, ad := a.Time().In(zone).Date()
	by, bm, bd := b.Time().In(zone).Date()
	return ay == by && am == bm && ad == bd
}

// MayWaive reports whether all reasons against a start can be waived.
func MayWaive(against slot.Reasons, start, now when.Instant, zone *time.Location) bool {
	return against&^WaivedOn(slot.ReasonsOf(Overridable...), start, now, zone) == 0
}
