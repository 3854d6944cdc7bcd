package catalog

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"sync"
	"time"

	"daybook/app/fault"
	"daybook/app/holiday"
	"daybook/app/slot"
	"daybook/app/when"
)

// TimeOff is a time in which a host, or everybody, is away, whatever the hours say. One with Repeat comes again: Start
// and End are then its first occurrence, and the later ones have its times on the wall clock of the zone.
type TimeOff struct {
	Start  when.Instant `json:"start"`
	End    when.Instant `json:"end"`
	Reason string       `json:"reason,omitempty"`
	Repeat *Repeat      `json:"repeat,omitempty"`
}

// Tag tells time off of the same span apart, by its reason and by when it comes again. It stays when days are left out.
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

// Repeat says when a time off comes again.
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
	maxEvery  = 52
	maxExcept = 100
)

// Closures are when all hosts are away, those that are added later too. Times are on the clock of the workspace's zone.
type Closures struct {
	TimeOff []TimeOff `json:"timeOff,omitempty"`
	// Holidays says whose public holidays are days off, save for hosts who work on them; nil is nobody's.
	Holidays *Holidays `json:"holidays,omitempty"`
}

// Holidays names a country, and maybe a region of it, whose public holidays are days off.
type Holidays struct {
	Country string `json:"country"`          // ISO 3166-1, such as DE
	Region  string `json:"region,omitempty"` // ISO 3166-2 without the country, such as BE
}

// Check refuses a country or region whose holidays are not known. The error is bad_request of the field.
func (h *Holidays) Check(field string) error {
	c := holiday.Find(h.Country)
	if c == nil {
		var codes []string
		for _, c := range holiday.Countries() {
			codes = append(codes, c.Code)
		}
		return fault.Invalid(field+".country", "%q is no country whose holidays are known; known are %s", h.Country, codes)
	}
	if h.Region == "" && !c.NeedsRegion || c.Region(h.Region) != nil {
		return nil
	}
	var codes []string
	for _, r := range c.Regions {
		codes = append(codes, r.Code)
	}
	switch {
	case len(codes) == 0:
		return fault.Invalid(field+".region", "%s has no regions here; leave it out", h.Country)
	case h.Region == "":
		return fault.Invalid(field+".region", "is required for %s: one of %s", h.Country, codes)
	}
	return fault.Invalid(field+".region", "%q is no region of %s; known are %s", h.Region, h.Country, codes)
}

// Between lists the public holidays from one day up to another.
func (h *Holidays) Between(from, to time.Time) (all []holiday.Day) {
	for _, d := range holiday.Days(h.Country, h.Region, from.Year(), to.Year()) {
		y, m, day := d.Date.Date()
		if at := when.DayStart(y, m, day, from.Location()); !at.Before(from) && at.Before(to) {
			all = append(all, holiday.Day{Date: at, Name: d.Name})
		}
	}
	return all
}

// HolidayCode is a choice of public holidays: "FR", or "DE-BE" with the name of the region.
type HolidayCode struct{ Code, Region string }

// HolidayCodes are all choices: each country that has a list of its own, and each region.
func HolidayCodes() (all []HolidayCode) {
	for _, c := range holiday.Countries() {
		if !c.NeedsRegion {
			all = append(all, HolidayCode{Code: c.Code})
		}
		for _, r := range c.Regions {
			all = append(all, HolidayCode{c.Code + "-" + r.Code, r.Name})
		}
	}
	return all
}

// Check normalises the closures; field is their place in the input.
func (c *Closures) Check(field string, zone *time.Location) error {
	if _, _, err := compileTimeOff(field+".timeOff", c.TimeOff, zone); err != nil {
		return err
	}
	if c.Holidays == nil {
		return nil
	}
	return c.Holidays.Check(field + ".holidays")
}

// compileTimeOff checks a list of times off, and turns it into what the slot engine reads.
func compileTimeOff(field string, all []TimeOff, zone *time.Location) (once []slot.Span, again []slot.Absence,
	err error) {
	if len(all) > MaxTimeOff {
		return nil, nil, fault.Invalid(field, "at most %d", MaxTimeOff)
	}
	for i := range all {
		t, at := &all[i], fmt.Sprintf("%s[%d]", field, i)
		if t.Start == 0 || t.End <= t.Start {
			return nil, nil, fault.Invalid(at, "needs a start and an end after it")
		}
		if _, err := fault.CheckLine(at+".reason", t.Reason, 0, MaxAwayReason); err != nil {
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

// absence is the rule of a time off that comes again. at is its place in the input.
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
		day := weekday(name)
		if day < 0 {
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

// Absence is one time in which a host is away: a TimeOff that does not repeat.
type Absence struct {
	TimeOff
	Of        *TimeOff // the entry that it comes from; nil for a public holiday. It may not be changed
	Everybody bool     // the entry is the workspace's
	Holiday   bool     // Reason is the name of a public holiday
}

// Away lists when the host is away between two instants, by start: what overlaps them, in full. It is what the search
// for open times goes by.
func (h *Host) Away(from, to time.Time) (all []Absence) {
	near := slot.Span{Start: from.UnixMilli(), End: to.UnixMilli()}
	add := func(list []TimeOff, zone *time.Location, everybody bool) {
		for i := range list {
			for _, s := range list[i].occurrences(zone, near) {
				all = append(all, Absence{Of: &list[i], Everybody: everybody,
					TimeOff: TimeOff{Start: when.Instant(s.Start), End: when.Instant(s.End), Reason: list[i].Reason}})
			}
		}
	}
	add(h.TimeOff, h.Location(), false)
	if h.closed != nil {
		add(h.closed.TimeOff, h.closedZone, true)
	}
	for i := range h.holidays {
		if s := h.holidays[i]; s.Meets(near) {
			all = append(all, Absence{Holiday: true,
				TimeOff: TimeOff{Start: when.Instant(s.Start), End: when.Instant(s.End), Reason: h.holidayNames[i]}})
		}
	}
	slices.SortStableFunc(all, func(a, b Absence) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	return all
}

// occurrences are the times of the time off that meet near. It has been checked before.
func (t *TimeOff) occurrences(zone *time.Location, near slot.Span) []slot.Span {
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
	return len(t.occurrences(zone, slot.Span{Start: int64(start), End: int64(end)})) > 0
}

// OnNewClock gives what comes again the same times on the wall clock of another zone. The list is changed in place.
// The error is bad_request of the zone.
func OnNewClock(all []TimeOff, old *time.Location, timeZone string) ([]TimeOff, error) {
	zone, err := CheckZone("timeZone", timeZone)
	if err != nil {
		return nil, err
	}
	moved := func(at when.Instant) when.Instant {
		return when.At(when.Wall(at.Time().In(old), zone))
	}
	for i := range all {
		if t := &all[i]; t.Repeat != nil {
			t.Start, t.End = moved(t.Start), moved(t.End)
		}
	}
	return all, nil
}

// HolidayIn is the name of the public holiday that takes some of [start, end) of the host, or "".
func (h *Host) HolidayIn(start, end when.Instant) string {
	if i := holidayAt(h.holidays, start, end); i >= 0 {
		return h.holidayNames[i]
	}
	return ""
}

// holidayAt is the first of the holidays, which are sorted, that takes some of [start, end), or -1.
func holidayAt(all []slot.Span, start, end when.Instant) int {
	i, _ := slices.BinarySearchFunc(all, int64(start), func(s slot.Span, start int64) int {
		return cmp.Compare(s.End, start+1)
	})
	if i < len(all) && all[i].Meets(slot.Span{Start: int64(start), End: int64(end)}) {
		return i
	}
	return -1
}

// The years whose holidays count.
const (
	firstHolidays = 2020
	lastHolidays  = 2100
)

// holidaysOf keeps what daysOff has found, by country, region and zone.
var holidaysOf sync.Map

type daysOff struct {
	dates []string
	spans []slot.Span
	names []string
}

// holidays are the public holidays in a zone, which many hosts share.
func (h *Holidays) in(zone *time.Location) *daysOff {
	key := [3]string{h.Country, h.Region, zone.String()}
	if known, ok := holidaysOf.Load(key); ok {
		return known.(*daysOff)
	}
	all := &daysOff{}
	for _, d := range holiday.Days(h.Country, h.Region, firstHolidays, lastHolidays) {
		y, m, day := d.Date.Date()
		all.dates = append(all.dates, d.Date.Format(time.DateOnly))
		all.names = append(all.names, d.Name)
		all.spans = append(all.spans, slot.Span{Start: when.DayStart(y, m, day, zone).UnixMilli(),
			End: when.DayStart(y, m, day+1, zone).UnixMilli()})
	}
	known, _ := holidaysOf.LoadOrStore(key, all)
	return known.(*daysOff)
}

// compileAway compiles the host's own time off, and what holds for everybody.
func (h *Host) compileAway() (err error) {
	if h.timeOff, h.absences, err = compileTimeOff("timeOff", h.TimeOff, h.schedule.Zone); err != nil {
		return err
	}
	h.holidays, h.holidayNames = nil, nil
	if h.closed == nil {
		return nil
	}
	if err := h.addClosed(); err != nil {
		return err
	}
	if h.closed.Holidays == nil || h.WorksOnHolidays {
		return nil
	}
	days := h.closed.Holidays.in(h.schedule.Zone)
	h.holidays, h.holidayNames = days.spans, days.names
	if len(h.Overrides) == 0 {
		return nil
	}
	h.holidays, h.holidayNames = nil, nil
	for i := range days.spans {
		d, err := slot.ParseDate(days.dates[i])
		if err != nil {
			return err
		}
		if _, own := h.schedule.Overrides[d]; !own { // hours of its own for that day: the host has decided
			h.holidays, h.holidayNames = append(h.holidays, days.spans[i]), append(h.holidayNames, days.names[i])
		}
	}
	return nil
}

// addClosed adds the time off of everybody. Where the workspace has another zone than the host, what comes again is on
// the workspace's clock.
func (h *Host) addClosed() error {
	once, again, err := compileTimeOff("timeOff", h.closed.TimeOff, h.closedZone)
	if err != nil {
		return err
	}
	h.timeOff = append(h.timeOff, once...)
	for i := range again {
		again[i].Zone = h.closedZone
	}
	h.absences = append(h.absences, again...)
	return nil
}
