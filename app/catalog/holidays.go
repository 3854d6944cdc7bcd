package catalog

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"daybook/app/fault"
	"daybook/app/holiday"
	"daybook/app/slot"
	"daybook/app/when"
)

// Holidays names a country, and maybe a region of it, whose public holidays are days off.
type Holidays struct {
	Country string `json:"country"`          // ISO 3166-1, such as DE
	Region  string `json:"region,omitempty"` // ISO 3166-2 without the country, such as BE
}

// Check returns bad_request for the field if the holidays of the country or region are not known.
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

// HolidayCodes returns all choices: each country that has a list of its own, and each region.
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

// HolidayAt returns the index of the first of the sorted holidays that overlaps [start, end), or -1.
func HolidayAt(all []slot.Span, start, end when.Instant) int {
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

// holidaysOf keeps what In has found, by country, region and zone.
var holidaysOf sync.Map

// HolidayDays holds the public holidays of many years, in order: the date, the time and the name of each.
type HolidayDays struct {
	Dates []string
	Spans []slot.Span
	Names []string
}

// In returns the public holidays as times in a zone. Hosts in the same zone share the result.
func (h *Holidays) In(zone *time.Location) *HolidayDays {
	key := [3]string{h.Country, h.Region, zone.String()}
	if known, ok := holidaysOf.Load(key); ok {
		return known.(*HolidayDays)
	}
	all := &HolidayDays{}
	for _, d := range holiday.Days(h.Country, h.Region, firstHolidays, lastHolidays) {
		y, m, day := d.Date.Date()
		all.Dates = append(all.Dates, d.Date.Format(time.DateOnly))
		all.Names = append(all.Names, d.Name)
		all.Spans = append(all.Spans, slot.Span{Start: when.DayStart(y, m, day, zone).UnixMilli(),
			End: when.DayStart(y, m, day+1, zone).UnixMilli()})
	}
	known, _ := holidaysOf.LoadOrStore(key, all)
	return known.(*HolidayDays)
}
