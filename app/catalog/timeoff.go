package catalog

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"time"

	"daybook/app/fault"
	"daybook/app/slot"
	"daybook/app/when"
)

// TimeOff is a time in which a host, or everybody, is away, whatever the hours say. With Repeat, Start and End are the
// first occurrence, and the later ones have the same times on the wall clock of the zone.
type TimeOff struct {
	Start  when.Instant `json:"start"`
	End    when.Instant `json:"end"`
	Reason string       `json:"reason,omitempty"`
	Repeat *Repeat      `json:"repeat,omitempty"`
}

// Tag distinguishes times off of the same span by their reason and repetition. Leaving out days does not change it.
func (t *TimeOff) Tag() string {
	h := fnv.New64a()
	fmt.Fprintf(h, "%q", t.Reason)
	if r := t.Repeat; r != nil {
		fmt.Fprintf(h, " %d %q %q %q", r.Every, r.Unit, r.Days, r.Until)
	}
	return strconv.FormatUint(h.Sum64(), 36)
}

// Is reports whether both are the same entry of a list, by their first span and Tag.
func (t *TimeOff) Is(other *TimeOff) bool {
	return t.Start == other.Start && t.End == other.End && t.Tag() == other.Tag()
}

// Repeat says how a time off repeats.
type Repeat struct {
	Every  int      `json:"every"`            // so many units: 1 is every week, 2 every other one
	Unit   string   `json:"unit"`             // week, or month: on the day of the month of the first one
	Days   []string `json:"days,omitempty"`   // of a week: mon … sun; none is the weekday of the first one
	Until  string   `json:"until,omitempty"`  // the last day on which one may begin; without it there is no end
	Except []string `json:"except,omitempty"` // days on which none begins
}

// The units of Repeat.
const (
	Weekly  = "week"
	Monthly = "month"
)

const (
	MaxTimeOff = 1000 // entries of a list
	MaxReason  = 200  // characters, why somebody is off

	maxEvery  = 52
	maxExcept = 100
)

// Closures are the times in which all hosts are away, including those added later. Times are on the clock of the
// workspace's zone.
type Closures struct {
	TimeOff []TimeOff `json:"timeOff,omitempty"`
	// Holidays names the country whose public holidays are days off, except for hosts who work on them; nil means none.
	Holidays *Holidays `json:"holidays,omitempty"`
}

// Check normalises the closures. field names their place in the input, for errors. Errors: bad_request.
func (c *Closures) Check(field string, zone *time.Location) error {
	if _, _, err := CompileTimeOff(field+".timeOff", c.TimeOff, zone); err != nil {
		return err
	}
	if c.Holidays == nil {
		return nil
	}
	return c.Holidays.Check(field + ".holidays")
}

// CompileTimeOff checks a list of times off, and converts it for the slot engine. Errors: bad_request.
func CompileTimeOff(field string, all []TimeOff, zone *time.Location) (once []slot.Span, again []slot.Absence,
	err error) {
	if len(all) > MaxTimeOff {
		return nil, nil, fault.Invalid(field, "at most %d", MaxTimeOff)
	}
	for i := range all {
		t, at := &all[i], fmt.Sprintf("%s[%d]", field, i)
		if t.Start == 0 || t.End <= t.Start {
			return nil, nil, fault.Invalid(at, "needs a start and an end after it")
		}
		if _, err := fault.CheckLine(at+".reason", t.Reason, 0, MaxReason); err != nil {
			return nil, nil, err
		}
		if t.Repeat == nil {
			once = append(once, slot.Span{Start: int64(t.Start), End: int64(t.End)})
			continue
		}
		a, err := t.absence(at, zone)
		if err != nil {
			return nil, nil, err
		}
		again = append(again, a)
	}
	return once, again, nil
}

// absence returns the rule of a time off that comes again. at is its place in the input.
func (t *TimeOff) absence(at string, zone *time.Location) (a slot.Absence, err error) {
	r := t.Repeat
	if r.Every < 1 || r.Every > maxEvery {
		return a, fault.Invalid(at+".repeat.every", "must be from 1 to %d", maxEvery)
	}
	start, end := t.Start.Time().In(zone), t.End.Time().In(zone)
	a = slot.Absence{First: dayNumber(start), Last: slot.DayNumber(slot.Date{Year: 9999, Month: 12, Day: 31}),
		From: start.Hour()*60 + start.Minute(), Every: r.Every, Monthly: r.Unit == Monthly}
	a.To = int(dayNumber(end)-a.First)*24*60 + end.Hour()*60 + end.Minute()
	switch {
	case r.Unit != Weekly && r.Unit != Monthly:
		return a, fault.Invalid(at+".repeat.unit", "must be %s or %s", Weekly, Monthly)
	case a.To <= a.From || a.To-a.From > slot.MaxAbsence:
		return a, fault.Invalid(at+".end", "one that comes again lasts at most %d days", slot.MaxAbsence/(24*60))
	case a.Monthly && len(r.Days) > 0:
		return a, fault.Invalid(at+".repeat.days", "is for weeks; one that comes every month comes on the day of its start")
	case len(r.Except) > maxExcept:
		return a, fault.Invalid(at+".repeat.except", "at most %d", maxExcept)
	}
	for _, name := range r.Days {
		day, ok := Weekday(name)
		if !ok {
			return a, fault.Invalid(at+".repeat.days", "%q is not a day; the days are mon, tue, wed, thu, fri, sat and sun",
				name)
		}
		a.Weekdays[day] = true
	}
	if len(r.Days) == 0 {
		a.Weekdays[start.Weekday()] = true
	}
	if r.Until != "" {
		until, err := slot.ParseDate(r.Until)
		if err != nil {
			return a, fault.Invalid(at+".repeat.until", "%v", err)
		}
		if a.Last = slot.DayNumber(until); a.Last < a.First {
			return a, fault.Invalid(at+".repeat.until", "must not come before the start")
		}
	}
	for _, text := range r.Except {
		not, err := slot.ParseDate(text)
		if err != nil {
			return a, fault.Invalid(at+".repeat.except", "%v", err)
		}
		a.Except = append(a.Except, slot.DayNumber(not))
	}
	return a, nil
}

func dayNumber(t time.Time) int64 {
	return slot.DayNumber(slot.Date{Year: t.Year(), Month: t.Month(), Day: t.Day()})
}

// Occurrences returns the occurrences of the time off that overlap near. The time off must have been checked.
func (t *TimeOff) Occurrences(zone *time.Location, near slot.Span) []slot.Span {
	if t.Repeat != nil {
		a, err := t.absence("timeOff", zone)
		if err != nil {
			return nil
		}
		return a.Occurrences(zone, near)
	}
	if s := (slot.Span{Start: int64(t.Start), End: int64(t.End)}); s.Meets(near) {
		return []slot.Span{s}
	}
	return nil
}

// Meets reports whether the time off, or an occurrence of it, overlaps [start, end) in the zone.
func (t *TimeOff) Meets(zone *time.Location, start, end when.Instant) bool {
	return len(t.Occurrences(zone, slot.Span{Start: int64(start), End: int64(end)})) > 0
}

// TimeOffOnNewClock moves repeating times off to the same times on the wall clock of another zone. It changes the list
// in place.
func TimeOffOnNewClock(all []TimeOff, old, zone *time.Location) []TimeOff {
	moved := func(at when.Instant) when.Instant {
		return when.At(when.Wall(at.Time().In(old), zone))
	}
	for i := range all {
		if t := &all[i]; t.Repeat != nil {
			t.Start, t.End = moved(t.Start), moved(t.End)
		}
	}
	return all
}

var weekdays = [7]string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"} // by time.Weekday

// Weekday returns the day of the week of that name: mon … sun.
func Weekday(name string) (day time.Weekday, ok bool) {
	i := slices.Index(weekdays[:], name)
	return time.Weekday(max(0, i)), i >= 0
}
