package booking

import (
	"slices"

	"daybook/app/catalog"
	"daybook/app/field"
	"daybook/app/slot"
	"daybook/app/when"
)

// BookedPart is a stretch of a booking of a service in parts.
type BookedPart struct {
	Kind  PartKind     `json:"kind"`
	Start when.Instant `json:"start"`
	End   when.Instant `json:"end"`
	// Of work: with what the host keeps free around it.
	BusyStart when.Instant `json:"-"`
	BusyEnd   when.Instant `json:"-"`
}

// PartKind says what happens in a part.
type PartKind string

const (
	Work PartKind = "work" // the host works
	Wait PartKind = "wait" // the customer waits, the host is free for others
)

// BookedPartFields describes the parts of a booking.
var BookedPartFields = field.Resource{
	Text: "A stretch of a booking of a service in parts.",
	Fields: []field.Field{
		{Name: "kind", Text: "`work`, or `wait`, in which the host is free for others.", Agents: "work, or wait: the host is free for others.",
			Enum: field.Values(Work, Wait)},
		{Name: "start", Text: "When it begins.", Agents: "Start, UTC."},
		{Name: "end", Text: "When it ends.", Agents: "End, UTC."},
	},
}

// PartsOf returns the parts of a booking whose host works then, with the waits between; nil for nil.
func PartsOf(works []slot.Work) (parts []BookedPart) {
	for i, w := range works {
		p := BookedPart{Kind: Work, Start: when.Instant(w.Own.Start), End: when.Instant(w.Own.End),
			BusyStart: when.Instant(w.Occupied.Start), BusyEnd: when.Instant(w.Occupied.End)}
		if i > 0 {
			parts = append(parts, BookedPart{Kind: Wait, Start: parts[len(parts)-1].End, End: p.Start})
		}
		parts = append(parts, p)
	}
	return parts
}

// Works returns when the booking takes its host, by start: while there is work, or all the while.
func (t *Taken) Works() []slot.Work {
	if len(t.Parts) == 0 {
		return []slot.Work{{Own: slot.Span{Start: int64(t.Start), End: int64(t.End)},
			Occupied: slot.Span{Start: int64(t.BusyStart), End: int64(t.BusyEnd)}}}
	}
	works := make([]slot.Work, 0, (len(t.Parts)+1)/2)
	for _, p := range t.Parts {
		if p.Kind == Work {
			works = append(works, slot.Work{Own: slot.Span{Start: int64(p.Start), End: int64(p.End)},
				Occupied: slot.Span{Start: int64(p.BusyStart), End: int64(p.BusyEnd)}})
		}
	}
	return works
}

// Takes returns when the booking takes somebody or something beside its host, by start; nil where it doesn't.
func (t *Taken) Takes(of catalog.Subject) []slot.Work {
	for b := range t.Beside() {
		if b.Subject != of {
			continue
		}
		whole := *t
		if b.Whole {
			whole.Parts = nil
		}
		return t.within(whole.Works(), of)
	}
	return nil
}

// WithoutMargins makes the booking take no more than its own time, as where a buffer is waived.
func (t *Taken) WithoutMargins() {
	t.BusyStart, t.BusyEnd, t.Arounds = t.Start, t.End, nil
	t.Parts = slices.Clone(t.Parts)
	for i := range t.Parts {
		if p := &t.Parts[i]; p.Kind == Work {
			p.BusyStart, p.BusyEnd = p.Start, p.End
		}
	}
}
