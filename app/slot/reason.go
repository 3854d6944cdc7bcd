package slot

import (
	"math/bits"
	"slices"
)

// Reason says why a start can't be booked; it is Open when it can. The values are those of the API.
type Reason string

// The reasons in order of precedence: the first that applies is returned.
const (
	Open         Reason = ""
	Inactive     Reason = "inactive"
	InPast       Reason = "in_past"
	TooSoon      Reason = "too_soon"
	TooFar       Reason = "too_far"
	OutsideHours Reason = "outside_hours"
	OffGrid      Reason = "off_grid"
	Booked       Reason = "booked"   // the duration itself overlaps a booking's, or the session is full
	Held         Reason = "held"     // the duration itself overlaps that of a hold
	Offered      Reason = "offered"  // it overlaps a time that is offered to somebody who waits
	Buffer       Reason = "buffer"   // only the occupied spans overlap, or it is too short for the way to another place
	TimeOff      Reason = "time_off" // the occupied span overlaps time off
	Busy         Reason = "busy"     // the occupied span overlaps a busy time
	// ResourceTaken means that the host is free, but none of the rooms or things that serve a need is; see Need.
	ResourceTaken Reason = "resource_taken"
	// HostsTaken means that the host is free, but too few of the others whom the session takes are, whatever is waived.
	HostsTaken   Reason = "hosts_taken"
	DayFull      Reason = "day_full"
	HostWeekFull Reason = "host_week_full"
	WeekFull     Reason = "week_full"

	// The reasons against the person who books. Package slot never returns them; see availability.Search.For.
	PersonUpcoming Reason = "person_upcoming"
	PersonDayFull  Reason = "person_day_full"
	PersonWeekFull Reason = "person_week_full"
	Requirement    Reason = "requirement" // a consent of theirs that the event type requires is missing
)

// Taken reports whether someone or something else has the time, so that asking for it is a conflict. Otherwise the
// start was never on offer.
func (r Reason) Taken() bool {
	switch r {
	case Booked, Held, Offered, Buffer, TimeOff, Busy, ResourceTaken, HostsTaken:
		return true
	}
	return false
}

// Personal reports whether the start is open to others but not to this person, who has booked too much or lacks a consent:
// a conflict.
func (r Reason) Personal() bool {
	return r == PersonUpcoming || r == PersonDayFull || r == PersonWeekFull || r == Requirement
}

// Reasons is a set of reasons.
type Reasons uint32

// ranked are the reasons in order of precedence: that at i is the bit 1<<i of Reasons.
var ranked = [...]Reason{Inactive, InPast, TooSoon, TooFar, OutsideHours, OffGrid, Booked, Held, Offered, Buffer, TimeOff,
	Busy, ResourceTaken, HostsTaken, DayFull, HostWeekFull, WeekFull, PersonUpcoming, PersonDayFull, PersonWeekFull,
	Requirement}

// The bits of Reasons, in the order of ranked.
const (
	inactive Reasons = 1 << iota
	inPast
	tooSoon
	tooFar
	outsideHours
	offGrid
	booked
	held
	offered
	buffer
	timeOff
	busy
	resourceTaken
	hostsTaken
	dayFull
	hostWeekFull
	weekFull
)

// ReasonsOf returns the set of those reasons. Open and unknown reasons add nothing.
func ReasonsOf(all ...Reason) (s Reasons) {
	for i, r := range ranked {
		if slices.Contains(all, r) {
			s |= 1 << i
		}
	}
	return s
}

// First returns the reason of the set that comes first in order of precedence, or Open if the set is empty.
func (s Reasons) First() Reason {
	if s == 0 {
		return Open
	}
	return ranked[bits.TrailingZeros32(uint32(s))]
}

// List returns the reasons of the set in order of precedence.
func (s Reasons) List() []Reason {
	all := make([]Reason, 0, s.Len())
	for ; s != 0; s &= s - 1 {
		all = append(all, s.First())
	}
	return all
}

// Len returns how many reasons the set has.
func (s Reasons) Len() int { return bits.OnesCount32(uint32(s)) }

// Has reports whether the reason is in the set.
func (s Reasons) Has(r Reason) bool { return s&ReasonsOf(r) != 0 }
