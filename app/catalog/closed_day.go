package catalog

import (
	"time"

	"daybook/app/when"
)

// ClosedDay says why a business is closed on a day.
type ClosedDay struct {
	Holiday string // the name of the public holiday, see holiday.Name; "" for a time off of everybody
}

// ClosedOn returns why an event type can't be booked between two moments of one day, if all its active hosts who have
// hours then are away in all of them, on a public holiday or in a time off for everybody. It returns nil if any of them
// is at work, or away in a time off of their own.
func (s *Setup) ClosedOn(e *EventType, from, to time.Time) (found *ClosedDay) {
	if !s.closes(from, to) {
		return nil
	}
	for _, ref := range e.Hosts {
		h := s.Host(ref.ID)
		if h == nil || !h.Active {
			continue
		}
		c, open := h.closedOn(from, to)
		switch {
		case open:
			return nil
		case c != nil && (found == nil || found.Holiday == ""):
			found = c
		}
	}
	return found
}

// closes reports whether the workspace has a holiday or a time off of everybody near a day.
func (s *Setup) closes(from, to time.Time) bool {
	const zones = 26 * time.Hour // hosts may have other zones
	start, end := when.At(from.Add(-zones)), when.At(to.Add(zones))
	for i := range s.Workspace.TimeOff {
		if s.Workspace.TimeOff[i].Meets(s.Zone, start, end) {
			return true
		}
	}
	of := s.Workspace.Holidays
	return of != nil && HolidayAt(of.In(s.Zone).Spans, start, end) >= 0
}

// closedOn returns the closing that takes all hours of the host between two moments. open says that something else is
// so. A host without hours then has neither, or the holiday that it is.
func (h *Host) closedOn(from, to time.Time) (c *ClosedDay, open bool) {
	hours := h.OpenBetween(from, to)
	if len(hours) == 0 {
		if name := h.HolidayIn(when.At(from), when.At(to)); name != "" {
			return &ClosedDay{Holiday: name}, false
		}
		return nil, false
	}
	away := h.Away(from, to)
	for _, x := range hours {
		covered := false
		for _, a := range away {
			if (a.Holiday || a.Everybody) && !a.Start.Time().After(x.From) && !a.End.Time().Before(x.To) {
				covered = true
				if c == nil || a.Holiday {
					c = &ClosedDay{}
				}
				if a.Holiday {
					c.Holiday = a.Reason
				}
			}
		}
		if !covered {
			return nil, true
		}
	}
	return c, false
}
