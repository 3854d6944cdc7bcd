package catalog

import (
	"time"

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

// Away returns the time off that overlaps [from, to).
func (h *Host) Away(from, to time.Time) (all []TimeOff) {
	for _, t := range h.TimeOff {
		if t.Start < when.At(to) && t.End > when.At(from) {
			all = append(all, t)
		}
	}
	return all
}
