package app

import (
	"daybook/app/record"
	"daybook/app/slot"
	"daybook/app/when"
)

// OpenTime is a start that can be booked, as a calendar shows it.
type OpenTime struct {
	Start, End when.Instant
	Seats      int // how many are left; 0 where an event type has one seat and nobody counts
}

// OpenTimesInput says where to look. Exclude is a booking whose own time does not count as taken: the answer is then
// where it may be moved.
type OpenTimesInput struct {
	EventType string
	From, To  when.Instant // OpenTimes only: [From, To), at most 62 days
	Exclude   record.BookingID
}

// open turns what run and some answer into times.
func (q *search) open(found []slot.Slot) []OpenTime {
	times := make([]OpenTime, len(found))
	for i, f := range found {
		times[i] = OpenTime{Start: when.Instant(f.Start), End: when.Instant(f.End)}
		if q.event.Seats > 1 {
			times[i].Seats = f.SeatsRemaining
		}
	}
	return times
}
