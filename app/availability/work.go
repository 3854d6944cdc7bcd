package availability

import (
	"context"
	"time"

	"daybook/app/when"
)

// The cost of a search is counted in starts: checking one start of one host takes about 100 ns. So a search takes at
// most about a fifth of a second, whatever the set-up.
const (
	spanWork  = 2_000_000 // for the requested span; enough for 62 days of every set-up that can be saved
	aheadWork = 600_000   // for the next open start after the span
	partWork  = 200_000   // at once: between two checks of the context, and in memory
	quickWork = 50_000    // a search that costs no more than this takes no place

	hostWork = 100 // reading what a host has
	rowWork  = 10  // one booking of it
)

// work is what a search has spent, and its place at the gate.
type work struct {
	gate          *Gate
	budget, spent int
	began, placed bool
}

// begin takes the cost of the next part from the budget; false ends the search. The first part is always allowed, so
// that a caller who continues where a search stopped makes progress. A search that is not quick waits for a place.
func (w *work) begin(ctx context.Context, cost int) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	if w.began && w.spent+cost > w.budget {
		return false, nil
	}
	if !w.placed && w.gate != nil && w.spent+cost > quickWork {
		if err := w.gate.enter(ctx); err != nil {
			return false, err
		}
		w.placed = true
	}
	w.began, w.spent = true, w.spent+cost
	return true, nil
}

// again gives the search a new budget.
func (w *work) again(budget int) { w.began, w.spent, w.budget = false, 0, budget }

// end gives the place back.
func (w *work) end() {
	if w.placed {
		w.placed = false
		w.gate.leave()
	}
}

// startsPerDay returns the most starts that a day of the search can have, over all its hosts.
func (q *Search) startsPerDay() (n int) {
	step := int(q.rules.Step / time.Minute)
	for _, h := range q.hosts {
		n += h.StartsPerDay(step)
	}
	return n
}

// stretch returns how much of the calendar is searched at once, and so read at once: up to all that may be asked for,
// but less if the first few starts are enough.
func stretch(perDay, limit int) time.Duration {
	days := maxAvailabilityDays
	if limit > 0 {
		days = 31
	}
	return time.Duration(min(days, max(1, partWork/max(1, perDay)))) * when.Day
}
