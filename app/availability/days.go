package availability

import (
	"slices"
	"strings"
	"time"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/slot"
	"daybook/app/when"
)

// days keeps open starts to some days: of the weekdays asked for, and the first start of each day.
type days struct {
	on    [7]bool // by time.Weekday; none is all
	some  bool
	first bool
}

// readDays reads weekdays, names of catalog.Weekdays joined by commas. The error is bad_request.
func readDays(weekdays string, first bool) (d days, err error) {
	d.first = first
	if strings.TrimSpace(weekdays) == "" {
		return d, nil
	}
	for name := range strings.SplitSeq(weekdays, ",") {
		name = strings.ToLower(strings.TrimSpace(name))
		day := slices.Index(catalog.Weekdays[:], name)
		if day < 0 {
			return d, fault.Invalid("weekdays", "%q is no day; they are %s", name, strings.Join(catalog.Weekdays[:], ", "))
		}
		d.on[day], d.some = true, true
	}
	return d, nil
}

func (d *days) all() bool { return !d.some && !d.first }

// keep returns the starts of the days, in the zone; last is the one kept before them, or 0.
func (d *days) keep(found []slot.Slot, zone *time.Location, last int64) []slot.Slot {
	return slices.DeleteFunc(found, func(s slot.Slot) bool {
		at := time.UnixMilli(s.Start).In(zone)
		if d.some && !d.on[at.Weekday()] || d.first && last != 0 && sameDay(at, time.UnixMilli(last).In(zone)) {
			return true
		}
		last = s.Start
		return false
	})
}

func sameDay(a, b time.Time) bool { return a.YearDay() == b.YearDay() && a.Year() == b.Year() }

// behind returns the last instant of the part of a list that ends with that start: a list that goes on behind it leaves
// out nothing and repeats nothing.
func (d *days) behind(start int64, zone *time.Location) int64 {
	if !d.first {
		return start
	}
	return int64(when.At(when.AddDays(time.UnixMilli(start).In(zone), 1))) - 1
}
