package catalog

import (
	"time"

	"daybook/app/when"
)

// DayHours are the hours that begin on a day of the host, and whether that day has hours of its own.
func (h *Host) DayHours(day time.Time) (hours []string, override bool) {
	date := day.Format(time.DateOnly)
	for _, o := range h.Overrides {
		if o.Date == date {
			return o.Hours, true
		}
	}
	return h.Weekly[Weekdays[day.Weekday()]], false
}

// Away is the time off that meets [from, to).
func (h *Host) Away(from, to time.Time) (all []TimeOff) {
	for _, t := range h.TimeOff {
		if t.Start < when.At(to) && t.End > when.At(from) {
			all = append(all, t)
		}
	}
	return all
}
