package catalog

import (
	"fmt"
	"slices"
	"time"

	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/slot"
)

// Part is a stretch of a service: its host works, or the customer waits, as while a colour sets. One of the two is
// above 0.
type Part struct {
	Work int `json:"work,omitempty"` // minutes
	Wait int `json:"wait,omitempty"` // minutes
}

const (
	MaxParts      = 9
	MaxWaitMargin = 240 // minutes
)

// PartFields describes parts.
var PartFields = field.Resource{
	Text: "A stretch of a service; one of the two is given.",
	Fields: []field.Field{
		{Name: "work", Text: "Minutes in which the host works.", Agents: "Minutes in which the host works.", Most: maxDuration, InFile: true},
		{Name: "wait", Text: "Minutes in which the customer waits and the host is free for others.",
			Agents: "Minutes in which the customer waits and the host is free for others.", Most: maxDuration, InFile: true},
	},
}

// Minutes returns how long the part takes.
func (p Part) Minutes() int { return p.Work + p.Wait }

func minutesOf(parts []Part) (n int) {
	for _, p := range parts {
		n += p.Minutes()
	}
	return n
}

// checkParts returns the parts as they are kept, none for a single one, and how long they take. total is the length
// that was given beside them, 0 for none. Errors: bad_request.
func checkParts(at string, parts []Part, total int) ([]Part, int, error) {
	if len(parts) == 0 {
		return nil, total, nil
	}
	if len(parts) > MaxParts {
		return nil, total, fault.Invalid(at, "at most %d", MaxParts)
	}
	for i, p := range parts {
		at := fmt.Sprintf("%s[%d]", at, i)
		switch {
		case p.Work < 0 || p.Wait < 0 || (p.Work > 0) == (p.Wait > 0):
			return nil, total, fault.Invalid(at, "give either work or wait, in minutes")
		case p.Minutes() > maxDuration:
			return nil, total, fault.Invalid(at, "must lie between %d and %d", 1, maxDuration)
		case (i%2 == 0) != (p.Work > 0):
			return nil, total, fault.Invalid(at, "work and wait take turns, and the first part is work")
		}
	}
	sum := minutesOf(parts)
	switch {
	case len(parts)%2 == 0:
		return nil, total, fault.Invalid(at, "the last part must be work")
	case total != 0 && total != sum:
		return nil, total, fault.Invalid(at, "take %d minutes in all, but durationMinutes is %d: give the same", sum, total)
	case len(parts) == 1:
		return nil, sum, nil
	}
	return parts, sum, nil
}

// checkParts normalises the parts, and the length by them. It comes before what depends on the length.
func (e *EventType) checkParts(at string) (err error) {
	if e.Parts, e.DurationMinutes, err = checkParts(at+".parts", e.Parts, e.DurationMinutes); err != nil {
		return err
	}
	if e.Parts != nil && e.Seats > 1 {
		return fault.Invalid(at+".seats", "must be 1 for a service in parts")
	}
	for i, a := range e.AddOns {
		if a.Part < 0 || a.Part > len(e.Parts) {
			at := fmt.Sprintf("%s.addOns[%d].part", at, i)
			if e.Parts == nil {
				return fault.Invalid(at, "the service has no parts: leave it out")
			}
			return fault.Invalid(at, "must lie between %d and %d", 1, len(e.Parts))
		}
	}
	return nil
}

// FillsWait reports whether the event type may be done in a wait of one of those that a visit has beside it.
func (e *EventType) FillsWait(visit []*EventType) bool {
	return e.DuringWait && slices.ContainsFunc(visit, func(o *EventType) bool { return o.ID != e.ID && len(o.Parts) > 0 })
}

// lengthen returns the parts with the minutes of what was chosen.
func (c *choice) lengthen(parts []Part) []Part {
	if c == nil || len(parts) == 0 {
		return parts
	}
	parts = slices.Clone(parts)
	for _, a := range c.addOns {
		p := &parts[len(parts)-1]
		if a.Part > 0 && a.Part <= len(parts) {
			p = &parts[a.Part-1]
		}
		if p.Wait > 0 {
			p.Wait += a.Minutes
		} else {
			p.Work += a.Minutes
		}
	}
	return parts
}

// Works returns when the host is taken by a booking of the event type in parts, or nil for any other: while there is
// work, with the buffers at the ends and the workspace's WaitMargin where a wait is. The two margins of a wait that is
// too short for them share it, the first before the second.
func (e *EventType) Works() []slot.Work {
	if len(e.Parts) == 0 {
		return nil
	}
	ms := func(minutes int) int64 { return int64(minutes) * time.Minute.Milliseconds() }
	works := make([]slot.Work, 0, (len(e.Parts)+1)/2)
	at, free := int64(0), -ms(e.BufferBeforeMinutes) // free is where the time before the next work may begin
	for i, p := range e.Parts {
		end := at + ms(p.Minutes())
		if p.Work > 0 {
			w := slot.Work{Own: slot.Span{Start: at, End: end}}
			w.Occupied.Start = max(free, at-ms(e.waitMargin))
			if i == 0 {
				w.Occupied.Start = free
			}
			if i == len(e.Parts)-1 {
				w.Occupied.End = end + ms(e.BufferAfterMinutes)
			} else {
				w.Occupied.End = end + ms(min(e.waitMargin, e.Parts[i+1].Wait))
			}
			free = w.Occupied.End
			works = append(works, w)
		}
		at = end
	}
	return works
}
