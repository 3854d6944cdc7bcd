package slot

import (
	"cmp"
	"time"
)

// Absence is time off that repeats, in wall-clock time of a zone. An occurrence on a day takes the span
// from From to To, both in minutes from that day's midnight; To may lie on a later day. Where the clock changes, an
// end inside a gap becomes the gap's end; an ambiguous start takes its first occurrence, an ambiguous end its second,
// but midnight its first, too: a day ends where the next one begins.
type Absence struct {
	First    int64 // the day number of the first occurrence; see DayNumber
	Last     int64 // no occurrence begins after that day
	From, To int   // minutes; From < To
	Every    int   // so many weeks or months; below 1 counts as 1
	Monthly  bool  // on First's day of the month, in months that have it; otherwise weekly
	Weekdays [7]bool
	Except   []int64 // days without an occurrence, few
	// Zone is the zone of the wall clock; nil means that of the host.
	Zone *time.Location
}

// MaxAbsence is the longest that an occurrence may last, in minutes.
const MaxAbsence = 7 * 24 * 60

// DayNumber returns the number of days from 1970-01-01 to a date.
func DayNumber(d Date) int64 {
	return floorDiv(time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC).UnixMilli(), dayMs)
}

// On reports whether an occurrence begins on that day.
func (a *Absence) On(day int64) bool {
	if day < a.First || day > a.Last {
		return false
	}
	for _, not := range a.Except {
		if not == day {
			return false
		}
	}
	every := int64(max(1, a.Every))
	if a.Monthly {
		first, d := dateOfDay(a.First), dateOfDay(day)
		months := int64(d.Year-first.Year)*12 + int64(d.Month-first.Month)
		return d.Day == first.Day && months%every == 0
	}
	// Weeks begin on Monday: day 4 was one.
	weeks := floorDiv(day-4, 7) - floorDiv(a.First-4, 7)
	return a.Weekdays[weekdayOf(day)] && weeks%every == 0
}

// appendAbsences appends to buf the occurrences that meet near, in the zone's time.
func appendAbsences(buf []Span, all []Absence, zone *time.Location, near Span) []Span {
	if len(all) == 0 {
		return buf
	}
	const reach = MaxAbsence*minuteMs + 2*dayMs // a zone's wall clock is never a day or more away from UTC
	var c clock
	var of *time.Location
	for i := range all {
		a := &all[i]
		if its := cmp.Or(a.Zone, zone); its != of {
			c, of = newClock(its, near.Start-reach, near.End+reach), its
		}
		first := floorDiv(near.Start, dayMs) - int64(a.To)/(24*60) - 2
		for day := max(first, a.First); day <= min(floorDiv(near.End, dayMs)+1, a.Last); day++ {
			if !a.On(day) {
				continue
			}
			start, _ := c.instants(day*dayMs + int64(a.From)*minuteMs)
			endFirst, end := c.instants(day*dayMs + int64(a.To)*minuteMs)
			if a.To%(24*60) == 0 {
				end = endFirst
			}
			if s := (Span{start, end}); s.Meets(near) {
				buf = append(buf, s)
			}
		}
	}
	return buf
}

// Occurrences lists the occurrences of the absence in the zone that overlap near, in order.
func (a *Absence) Occurrences(zone *time.Location, near Span) []Span {
	return appendAbsences(nil, []Absence{*a}, zone, near)
}
