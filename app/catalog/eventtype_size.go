package catalog

import (
	"daybook/app/fault"
)

// maxDailyStarts is the most starts a day of one event type: the sum over its hosts, each on its longest day.
const maxDailyStarts = 20_000

// CheckSize returns bad_request for an event type with more starts a day than a search can handle quickly. The error
// names field. changed, if not nil, replaces the host with the same id. An event type that had as many starts before is
// accepted.
func (e *EventType) CheckSize(field string, s *Setup, changed *Host, before int) error {
	n := e.StartsPerDay(s, changed, e.SlotStepMinutes)
	if n <= maxDailyStarts || n <= before {
		return nil
	}
	step := e.SlotStepMinutes
	for step < maxDuration && e.StartsPerDay(s, changed, step) > maxDailyStarts {
		step++
	}
	return fault.Invalid(field,
		"with these hours, the %d hosts of %s have %d starts a day together, and %d is the most. Let it start every %d "+
			"minutes, or name fewer hosts",
		len(e.Hosts), e.Title, n, maxDailyStarts, step)
}

// StartsPerDay returns how many starts the event type would have, each host on its longest day, with that step.
func (e *EventType) StartsPerDay(s *Setup, changed *Host, step int) (n int) {
	for _, ref := range e.Hosts {
		h := s.Host(ref.ID)
		if changed != nil && changed.ID == ref.ID {
			h = changed
		}
		if h != nil {
			n += h.StartsPerDay(step)
		}
	}
	return n
}

// CheckSizes checks, as CheckSize does, all event types of a host whose hours change.
func (h *Host) CheckSizes(field string, s *Setup) error {
	for i := range s.EventTypes {
		e := &s.EventTypes[i]
		if e.ServedBy(h.ID) {
			if err := e.CheckSize(field, s, h, e.StartsPerDay(s, nil, e.SlotStepMinutes)); err != nil {
				return err
			}
		}
	}
	return nil
}
