package booking

import (
	"fmt"
	"slices"
	"time"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/id"
	"daybook/app/slot"
	"daybook/app/when"
)

const (
	// MaxSeries is the most bookings of a series, and of the dates that it is made of.
	MaxSeries = catalog.MaxSeries
	// maxSeriesYears is how many years after the first date of a series the last one may lie.
	maxSeriesYears = 2
	// maxSeriesExcept is the most dates that a repetition leaves out.
	maxSeriesExcept = 100
)

// Series is bookings that come again: of the same services, for the same person, on dates that a repetition gives. Each is a
// booking of its own, or a visit.
type Series struct {
	ID       SeriesID     `json:"id"`
	Repeat   SeriesRepeat `json:"repeat"`
	Dates    []SeriesDate `json:"dates"`
	Bookings []Booking    `json:"bookings"` // in the order of the dates, those of a visit in its order

	// Kept are those that an invitee could not cancel along with the others. Only in the answer to that.
	Kept []SeriesKept `json:"kept,omitempty"`

	// Unseen are the positions of those that could change with the others and that the actor doesn't see.
	Unseen []int `json:"-"`
}

// Reaches reports whether the actor sees all that a change of that scope is of which is from the date with that position.
func (s *Series) Reaches(scope SeriesScope, position int) bool {
	return scope == SeriesThis || !slices.ContainsFunc(s.Unseen, func(at int) bool { return scope == SeriesAll || at >= position })
}

// SeriesFields describes the fields of Series.
var SeriesFields = field.Resource{
	Text: "Bookings that come again: of the same services, for the same person. Each is a booking of its own.",
	Fields: []field.Field{
		{Name: "id", Text: "Identifier of the series.", Example: "sr_1p4s8yvz04k2c"},
		{Name: "repeat", Text: "On which dates it lies, as it was booked."},
		{Name: "dates", Text: "All of these dates, and what became of each when it was booked; for those who don't see all of the series " +
			"only those of the bookings that they see.", Each: "A date."},
		{Name: "bookings", Text: "Its bookings as they are now, in the order of the dates.", Each: "A booking."},
		{Name: "kept", Text: "The bookings that were not cancelled along with the others, because it was too late. Only in the " +
			"answer to cancelSeries.", Each: "A booking."},
	},
}

// SeriesKept is a booking that was not cancelled with its series.
type SeriesKept struct {
	ID     BookingID `json:"id"`
	Reason string    `json:"reason"`
}

// SeriesKeptFields describes the fields of SeriesKept.
var SeriesKeptFields = field.Resource{
	Text: "A booking that was not cancelled with its series.",
	Fields: []field.Field{
		{Name: "id", Text: "Identifier of the booking."},
		{Name: "reason", Text: "Why, as `details.reason` of cancelBooking would say it."},
	},
}

// SeriesRef says of which series a booking is. Position and Of stay as they were booked, whatever becomes of the others.
type SeriesRef struct {
	ID       SeriesID `json:"id"`
	Position int      `json:"position"` // of its date among those booked, from 1
	Of       int      `json:"of"`       // how many dates were booked
}

// SeriesRefFields describes the fields of SeriesRef.
var SeriesRefFields = field.Resource{
	Text: "The series that a booking is of.", Agents: "The series that it is of.",
	Fields: []field.Field{
		{Name: "id", Text: "Identifier of the series.", Example: "sr_1p4s8yvz04k2c"},
		{Name: "position", Text: "Its place among the dates that were booked, from 1. The bookings of a visit have one place.",
			Agents: "From 1."},
		{Name: "of", Text: "How many dates were booked.", Agents: "How many dates were booked."},
	},
}

// FirstOfSeries returns the first booking of the series.
func FirstOfSeries(s SeriesID) BookingID { return BookingID(s) }

// NewSeries returns the id of the series whose first booking that is.
func NewSeries(first BookingID) SeriesID { return id.As[SeriesIDKind](first) }

// SeriesState says what becomes of a date of a series. The words are stored, so none may be renamed.
type SeriesState string

// The states of a date.
const (
	SeriesFree    SeriesState = "free"    // it is booked where it lies
	SeriesMoved   SeriesState = "moved"   // it is booked at Instead
	SeriesSkipped SeriesState = "skipped" // nothing is booked
)

// SeriesExcept is the Reason of a date that the repetition leaves out.
const SeriesExcept = "except"

// SeriesDate is a date of a series, and what became of it.
type SeriesDate struct {
	Start   when.Instant    `json:"start"`
	Host    *catalog.HostID `json:"host"` // nil of a date that isn't booked, and of a visit
	State   SeriesState     `json:"state"`
	Instead when.Instant    `json:"instead,omitempty"`
	Reason  string          `json:"reason,omitempty"` // why it isn't booked where it lies, or the first rule that is set aside for it
	Reasons []slot.Reason   `json:"reasons,omitempty"`
	Holiday string          `json:"holiday,omitempty"`
	Items   []VisitItem     `json:"items,omitempty"` // of a visit
	Booking BookingID       `json:"bookingId,omitzero"`
}

// SeriesDateFields describes the fields of SeriesDate.
var SeriesDateFields = field.Resource{
	Text: "A date of a series. To book dates of a dry run, or of a refusal, send of each that isn't skipped `start`, which is " +
		"`instead` where that is given, and `host` or `items` back as `dates`.",
	Fields: []field.Field{
		{Name: "start", Text: "When it begins by the repetition."},
		{Name: "host", Text: "Who was booked; null of a date that isn't booked, of a visit, and for those who don't see that host.", Null: true},
		{Name: "state", Text: "`free`: it is booked where it lies. `moved`: it is booked at `instead`. `skipped`: it is not booked.",
			Enum: field.Values(SeriesFree, SeriesMoved, SeriesSkipped)},
		{Name: "instead", Text: "The start that is booked in its place; left out unless it was moved."},
		{Name: "reason", Text: "Why it is not booked where it lies, as `details.reason` of createBooking or, for those who may waive it, the " +
			"first of `reasons`; `except` where `repeat.except` leaves it out. Of a date that is `free` by `override` the first of `reasons`."},
		{Name: "reasons", Text: "For those who may waive rules: those that stand against it where it lies and, of a date that is `free`, " +
			"those that `override` sets aside for it.", Each: "A rule."},
		{Name: "holiday", Text: "The public holiday on which it lies, where that is why."},
		{Name: "items", Text: "Of a visit, when and with whom each service was booked, of those that are seen.", Each: "A service."},
		{Name: "bookingId", Text: "The booking; of a visit its first one that is seen. Left out where nothing is booked."},
	},
}

// At returns when the date is booked.
func (d *SeriesDate) At() when.Instant {
	if d.Instead != 0 {
		return d.Instead
	}
	return d.Start
}

// SeriesUnit is the unit of a repetition. The words are stored, so none may be renamed.
type SeriesUnit string

// The units.
const (
	SeriesDay   SeriesUnit = "day"
	SeriesWeek  SeriesUnit = "week"
	SeriesMonth SeriesUnit = "month" // on the day of the month of the first date; months without it are left out
)

// mostEvery is the most of each unit between two dates.
var mostEvery = map[SeriesUnit]int{SeriesDay: 366, SeriesWeek: 52, SeriesMonth: 24}

// SeriesRepeat says on which dates a series lies, in the words of time off that repeats. All of them have the time of day
// of the first one on the clock of the workspace: where a change of the clock skips it, the instant of the skip, and where
// it comes twice the first.
type SeriesRepeat struct {
	Every  int        `json:"every"`
	Unit   SeriesUnit `json:"unit"`
	Days   []string   `json:"days,omitempty"`   // of a week: mon … sun; none is the weekday of the first date
	Count  int        `json:"count,omitempty"`  // how many dates, those of Except included; 0 where Until ends it
	Until  string     `json:"until,omitempty"`  // the last day on which one may lie
	Except []string   `json:"except,omitempty"` // days that are left out
}

// SeriesRepeatFields describes the fields of SeriesRepeat.
var SeriesRepeatFields = field.Resource{
	Text: "On which dates a series lies. All have the time of day of the first one on the workspace's clock.",
	Fields: []field.Field{
		{Name: "every", Text: "So many units lie between two dates: 6 with `week` is every six weeks.", Least: 1, Most: 366,
			Required: true, Example: 6},
		{Name: "unit", Text: "`day`, `week`, or `month`: on the day of the month of the first date; months without it are left out.",
			Enum: field.Values(SeriesDay, SeriesWeek, SeriesMonth), Required: true, Example: "week"},
		{Name: "days", Text: "Days of the week, with the unit `week`: `mon` … `sun`. Left out, it is the weekday of the first date.",
			Each: "A day of the week."},
		{Name: "count", Text: fmt.Sprintf("How many dates, at most %d. Those that are left out or skipped count. Give either `count` or "+
			"`until`.", MaxSeries), Least: 1, Most: MaxSeries, Example: 8},
		{Name: "until", Text: "The last day on which one may lie, at most two years after the first.", Format: "date"},
		{Name: "except", Text: "Days that are left out.", Each: "A day."},
	},
}

// Dates returns when the dates of a series begin whose first one begins then, and which of them Except leaves out. Errors:
// bad_request, whose fields are below repeat, and start.
func (r *SeriesRepeat) Dates(first when.Instant, zone *time.Location) (starts []when.Instant, left []bool, err error) {
	local := first.Time().In(zone)
	days, until, except, err := r.check(local)
	if err != nil {
		return nil, nil, err
	}
	begin := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, time.UTC)
	end := begin.AddDate(maxSeriesYears, 0, 0)
	clock := time.Duration(local.Hour())*time.Hour + time.Duration(local.Minute())*time.Minute
	add := func(day time.Time) (more bool) { // midnight of it in UTC
		if day.After(end) || !until.IsZero() && day.After(until) || r.Count > 0 && len(starts) == r.Count {
			return false
		}
		start := first // which may lie in the second of two equal hours
		if len(starts) > 0 {
			start = when.At(when.Wall(day.Add(clock), zone))
		}
		starts, left = append(starts, start), append(left, slices.Contains(except, day.Format(time.DateOnly)))
		return len(starts) <= MaxSeries
	}
	for n, more := 0, true; more; n += r.Every {
		switch r.Unit {
		case SeriesDay:
			more = add(begin.AddDate(0, 0, n))
		case SeriesWeek:
			monday := begin.AddDate(0, 0, 7*n-(int(begin.Weekday())+6)%7)
			for d := 0; d < 7 && more; d++ {
				if day := monday.AddDate(0, 0, d); days[day.Weekday()] && !day.Before(begin) {
					more = add(day)
				}
			}
		case SeriesMonth:
			day := time.Date(begin.Year(), begin.Month()+time.Month(n), begin.Day(), 0, 0, 0, 0, time.UTC)
			if more = n <= 12*maxSeriesYears; more && day.Day() == begin.Day() {
				more = add(day)
			}
		}
	}
	switch {
	case len(starts) > MaxSeries:
		return nil, nil, fault.Invalid("repeat.until", "at most %d dates: end it earlier", MaxSeries)
	case r.Count > len(starts):
		return nil, nil, fault.Invalid("repeat.count", "the last date must lie within %d years of the first", maxSeriesYears)
	}
	return starts, left, nil
}

// check returns the weekdays, the last day, zero for none, and the days that are left out. first is the first date, in the
// workspace's zone.
func (r *SeriesRepeat) check(first time.Time) (days [7]bool, until time.Time, except []string, err error) {
	var p fault.Problems
	most := mostEvery[r.Unit]
	switch {
	case most == 0:
		p.Add(fault.Invalid("repeat.unit", "must be day, week or month"))
	case r.Every < 1 || r.Every > most:
		p.Add(fault.Invalid("repeat.every", "must be from 1 to %d", most))
	}
	if len(r.Days) > 0 && r.Unit != SeriesWeek {
		p.Add(fault.Invalid("repeat.days", "is for weeks"))
	}
	for _, name := range r.Days {
		day, ok := catalog.Weekday(name)
		if !ok {
			p.Add(fault.Invalid("repeat.days", "%q is not a day; the days are mon, tue, wed, thu, fri, sat and sun",
				fmt.Sprintf("%.20s", name)))
			break
		}
		days[day] = true
	}
	if len(r.Days) == 0 {
		days[first.Weekday()] = true
	}
	if !days[first.Weekday()] && r.Unit == SeriesWeek {
		p.Add(fault.Invalid("start", "must lie on one of repeat.days"))
	}
	switch {
	case (r.Count != 0) == (r.Until != ""):
		p.Add(fault.Invalid("repeat.count", "give either count or until"))
	case r.Until == "" && (r.Count < 1 || r.Count > MaxSeries):
		p.Add(fault.Invalid("repeat.count", "must be from 1 to %d", MaxSeries))
	case r.Until != "":
		if until, err = time.Parse(time.DateOnly, r.Until); err != nil {
			p.Add(fault.Invalid("repeat.until", "must be a day such as 2027-03-31"))
		} else if r.Until < first.Format(time.DateOnly) {
			p.Add(fault.Invalid("repeat.until", "must not come before the start"))
		} else if latest := first.AddDate(maxSeriesYears, 0, 0).Format(time.DateOnly); r.Until > latest {
			p.Add(fault.Invalid("repeat.until", "must lie within %d years of the start", maxSeriesYears))
		}
	}
	if len(r.Except) > maxSeriesExcept {
		p.Add(fault.Invalid("repeat.except", "at most %d", maxSeriesExcept))
	}
	for _, day := range r.Except {
		if _, err := slot.ParseDate(day); err != nil {
			p.Add(fault.Invalid("repeat.except", "%v", err))
			break
		}
	}
	if slices.Contains(r.Except, first.Format(time.DateOnly)) {
		p.Add(fault.Invalid("repeat.except", "must not leave out the start"))
	}
	return days, until, r.Except, p.Err()
}
