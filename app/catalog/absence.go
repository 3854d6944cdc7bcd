package catalog

import (
	"cmp"
	"slices"
	"time"

	"daybook/app/slot"
	"daybook/app/when"
)

// Absence is one time in which a host is away: a TimeOff that does not repeat.
type Absence struct {
	TimeOff
	Of        *TimeOff // the entry that it comes from; nil for a public holiday. It may not be changed
	Everybody bool     // the entry is the workspace's
	Holiday   bool     // Reason is the name of a public holiday
}

// Away lists the absences of the host that overlap the time between two instants, whole and by start. The search for
// open times uses it.
func (h *Host) Away(from, to time.Time) (all []Absence) {
	near := slot.Span{Start: from.UnixMilli(), End: to.UnixMilli()}
	add := func(list []TimeOff, zone *time.Location, everybody bool) {
		for i := range list {
			for _, s := range list[i].Occurrences(zone, near) {
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

// HolidayIn returns the name of the public holiday on which the host is off for a part of [start, end), or "".
func (h *Host) HolidayIn(start, end when.Instant) string {
	if i := HolidayAt(h.holidays, start, end); i >= 0 {
		return h.holidayNames[i]
	}
	return ""
}

// compileAway compiles the host's own time off, and what holds for everybody.
func (h *Host) compileAway() (err error) {
	if h.timeOff, h.absences, err = CompileTimeOff("timeOff", h.TimeOff, h.schedule.Zone); err != nil {
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
	days := h.closed.Holidays.In(h.schedule.Zone)
	h.holidays, h.holidayNames = days.Spans, days.Names
	if len(h.Overrides) == 0 {
		return nil
	}
	h.holidays, h.holidayNames = nil, nil
	for i := range days.Spans {
		d, err := slot.ParseDate(days.Dates[i])
		if err != nil {
			return err
		}
		if _, own := h.schedule.Overrides[d]; !own { // hours of its own for that day: the host has decided
			h.holidays, h.holidayNames = append(h.holidays, days.Spans[i]), append(h.holidayNames, days.Names[i])
		}
	}
	return nil
}

// addClosed adds the time off of everybody. Where the workspace has another zone than the host, what comes again is on
// the workspace's clock.
func (h *Host) addClosed() error {
	once, again, err := CompileTimeOff("timeOff", h.closed.TimeOff, h.closedZone)
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
