package catalog

import (
	"slices"
	"time"

	"daybook/app/slot"
	"daybook/app/when"
)

// DayHours returns the host's hours that begin on a day, and whether an override sets them.
func (h *Host) DayHours(day time.Time) (hours []string, override bool) {
	date := day.Format(time.DateOnly)
	for _, o := range h.Overrides {
		if o.Date == date {
			return o.Hours, true
		}
	}
	return h.Weekly[Weekdays[day.Weekday()]], false
}

// Stretch is the time from one moment to another.
type Stretch struct{ From, To time.Time }

// OpenBetween returns the host's hours within [from, to), in order; ranges that touch are joined. Time off is not
// subtracted.
func (h *Host) OpenBetween(from, to time.Time) (open []Stretch) {
	zone := h.Location()
	for date := when.AddDays(from.In(zone), -1); date.Before(to); date = when.AddDays(date, 1) {
		y, m, d := date.Date()
		at := func(minute int) time.Time { return when.Wall(time.Date(y, m, d, 0, minute, 0, 0, time.UTC), zone) }
		hours, _ := h.DayHours(date)
		for _, text := range hours {
			r, err := slot.ParseRange(text)
			if err != nil {
				continue // hours are checked when they are saved
			}
			x := Stretch{at(r.Start), at(r.End)}
			if x.From.Before(from) {
				x.From = from
			}
			if x.To.After(to) {
				x.To = to
			}
			if x.From.Before(x.To) {
				open = append(open, x)
			}
		}
	}
	slices.SortFunc(open, func(a, b Stretch) int { return a.From.Compare(b.From) })
	merged := open[:0]
	for _, x := range open {
		if n := len(merged); n == 0 || x.From.After(merged[n-1].To) {
			merged = append(merged, x)
		} else if x.To.After(merged[n-1].To) {
			merged[n-1].To = x.To
		}
	}
	return merged
}
