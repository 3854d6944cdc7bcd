package catalog

import (
	"fmt"
	"slices"
	"strings"

	"daybook/app/fault"
	"daybook/app/slot"
)

// Check normalises the host and compiles its hours. field names its place in the input, for errors. Errors:
// bad_request.
func (h *Host) Check(field string) error {
	var p fault.Problems
	var err error
	name := HostFields.Field("name")
	h.Name, err = fault.CheckLine(field+".name", h.Name, name.Least, name.Most)
	p.Add(err)
	h.Email, err = fault.CheckEmail(field+".email", h.Email)
	p.Add(err)
	h.About, err = fault.CheckLine(field+".about", h.About, 0, maxAbout)
	p.Add(err)
	if h.WhenCalendarUnknown == "" {
		h.WhenCalendarUnknown = BookAnyway
	}
	if h.WhenCalendarUnknown != BookAnyway && h.WhenCalendarUnknown != RefuseUnknown {
		p.Add(fault.Invalid(field+".whenCalendarUnknown", "must be book or refuse"))
	}
	err = h.compile()
	if e := fault.As(err); e != nil {
		e.Field = field + "." + e.Field
	} else if err != nil {
		return err
	}
	p.Add(err)
	return p.Err()
}

// compile turns the texts of Hours into the form that the slot engine reads. Its errors name the field within the host.
func (h *Host) compile() error {
	zone, err := CheckZone("timeZone", h.TimeZone)
	if err != nil {
		return err
	}
	h.schedule = &slot.Schedule{Zone: zone}
	if err := h.compileWeekly(); err != nil {
		return err
	}
	if err := h.compileOverrides(); err != nil {
		return err
	}
	h.measure()
	return h.compileAway()
}

// measure finds the longest day.
func (h *Host) measure() {
	h.dayMinutes, h.dayRanges = 0, 0
	note := func(ranges []slot.Range) {
		minutes := 0
		for _, r := range ranges {
			minutes += r.End - r.Start
		}
		h.dayMinutes, h.dayRanges = max(h.dayMinutes, minutes), max(h.dayRanges, len(ranges))
	}
	for _, ranges := range h.schedule.Weekly {
		note(ranges)
	}
	for _, ranges := range h.schedule.Overrides {
		note(ranges)
	}
}

func (h *Host) compileWeekly() error {
	for name := range h.Weekly {
		if weekday(name) < 0 {
			return fault.Invalid("weekly."+name, "is not a day; the days are mon, tue, wed, thu, fri, sat and sun")
		}
	}
	for day, name := range Weekdays {
		ranges, err := ParseDay("weekly."+name, h.Weekly[name])
		if err != nil {
			return err
		}
		h.schedule.Weekly[day] = ranges
	}
	return nil
}

func (h *Host) compileOverrides() error {
	if len(h.Overrides) > MaxOverrides {
		return fault.Invalid("overrides", "at most %d", MaxOverrides)
	}
	h.schedule.Overrides = make(map[slot.Date][]slot.Range, len(h.Overrides))
	for i, o := range h.Overrides {
		at := fmt.Sprintf("overrides[%d]", i)
		date, err := slot.ParseDate(o.Date)
		if err != nil {
			return fault.Invalid(at+".date", "%v", err)
		}
		if _, twice := h.schedule.Overrides[date]; twice {
			return fault.Invalid(at+".date", "%s stands twice", o.Date)
		}
		if h.schedule.Overrides[date], err = ParseDay(at+".hours", o.Hours); err != nil {
			return err
		}
	}
	return nil
}

// CheckChange checks a host that replaces old, or is new if old is nil, as Check does.
func (h *Host) CheckChange(field string, old *Host) error {
	if err := h.Check(field); err != nil {
		return err
	}
	return h.CheckNights(field, old)
}

// longNight is the most minutes of a range that crosses midnight. The ends of a longer one are usually swapped.
const longNight = 16 * 60

// CheckNights returns bad_request for ranges of more than 16 hours across midnight, unless old has them already. field
// names the host's place in the input. Such hours can be written as two ranges.
func (h *Host) CheckNights(field string, old *Host) error {
	if old == nil {
		old = &Host{}
	}
	for _, name := range Weekdays {
		if err := checkNights(field+".weekly."+name, h.Weekly[name], old.Weekly[name]); err != nil {
			return err
		}
	}
	for i, o := range h.Overrides {
		var before []string
		for _, b := range old.Overrides {
			if b.Date == o.Date {
				before = b.Hours
			}
		}
		if err := checkNights(fmt.Sprintf("%s.overrides[%d].hours", field, i), o.Hours, before); err != nil {
			return err
		}
	}
	return nil
}

func checkNights(field string, texts, before []string) error {
	for i, text := range texts {
		r, err := slot.ParseRange(text)
		if err != nil || r.End <= 24*60 || r.End-r.Start <= longNight || slices.Contains(before, text) {
			continue
		}
		hours, minutes := (r.End-r.Start)/60, (r.End-r.Start)%60
		return fault.Invalid(fmt.Sprintf("%s[%d]", field, i),
			"%s would last %d:%02d hours, into the next day; if the ends are swapped write %s-%s, if it is meant write "+
				"%s-24:00 here and 00:00-%s on the next day",
			text, hours, minutes, text[6:], text[:5], text[:5], text[6:])
	}
	return nil
}

func ParseDay(field string, texts []string) ([]slot.Range, error) {
	if len(texts) > maxRangesPerDay {
		return nil, fault.Invalid(field, "at most %d ranges a day", maxRangesPerDay)
	}
	ranges := make([]slot.Range, len(texts))
	for i, text := range texts {
		r, err := slot.ParseRange(text)
		if err != nil {
			return nil, fault.Invalid(fmt.Sprintf("%s[%d]", field, i), "%v", err)
		}
		ranges[i] = r
	}
	if err := slot.CheckDay(ranges); err != nil {
		return nil, fault.Invalid(field, "%v", err)
	}
	return ranges, nil
}

func weekday(name string) int {
	for i, n := range Weekdays {
		if n == strings.ToLower(name) && n == name {
			return i
		}
	}
	return -1
}
