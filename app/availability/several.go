package availability

import (
	"cmp"
	"slices"

	"daybook/app/when"
)

// Several is a list of open times of several event types, the earliest first.
type Several struct {
	Data          []SlotOf     `json:"data"`
	HasMore       bool         `json:"hasMore"`
	NextCursor    *string      `json:"nextCursor"`
	TimeZone      string       `json:"timeZone"`
	NextAvailable when.Instant `json:"nextAvailable"`
	SearchedUntil when.Instant `json:"searchedUntil,omitempty"`
}

// SlotOf is an open time in it, with its event type.
type SlotOf struct {
	EventType string `json:"eventType"`
	Slot
}

// Merge returns one list of the results of the same search for several event types. It has at most as many open times
// as each search was limited to, but more if others have the same start, or the same day in a list of the first of each
// day. The cursor continues all of the searches, which must have the same Input.EventTypes.
func Merge(answers []*Result) Several {
	all := Several{Data: []SlotOf{}}
	until := int64(0) // how far every answer reaches; 0 is to its end
	reaches := func(to int64) {
		if until == 0 || to < until {
			until = to
		}
	}
	for _, a := range answers {
		all.TimeZone = a.TimeZone()
		for _, s := range a.Slots() {
			all.Data = append(all.Data, SlotOf{a.EventType().Slug, s})
		}
		if a.NextCursor != "" {
			reaches(a.behind)
		}
		if a.NextAvailable != 0 && (all.NextAvailable == 0 || a.NextAvailable < all.NextAvailable) {
			all.NextAvailable = a.NextAvailable
		}
		if a.SearchedUntil != 0 && (all.SearchedUntil == 0 || a.SearchedUntil < all.SearchedUntil) {
			all.SearchedUntil = a.SearchedUntil
		}
	}
	slices.SortStableFunc(all.Data, func(a, b SlotOf) int { return cmp.Compare(a.Start, b.Start) })
	if q := answers[0].search; len(all.Data) > q.limit {
		reaches(q.days.behind(int64(all.Data[q.limit-1].Start), q.zone))
	}
	if until != 0 {
		all.Data = slices.DeleteFunc(all.Data, func(s SlotOf) bool { return int64(s.Start) > until })
		cursor := answers[0].search.cursor(until)
		all.HasMore, all.NextCursor = true, &cursor
	}
	if len(all.Data) > 0 {
		all.NextAvailable, all.SearchedUntil = 0, 0
	}
	return all
}
