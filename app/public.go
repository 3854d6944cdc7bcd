package app

import (
	"context"

	"daybook/app/fault"
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

// OpenTimes are all open starts in [From, To), earliest first: Availability without pages, for a whole month at once.
// stopped is not zero when the search ended at what it may cost: then they are those before stopped.
// Errors: bad_request (To), not_found (event type, booking), unavailable.
func (s *Service) OpenTimes(ctx context.Context, a Actor, in OpenTimesInput) (open []OpenTime, stopped when.Instant, err error) {
	if err := a.May(MaySeeEventTypes); err != nil {
		return nil, 0, err
	}
	q, err := s.openSearch(ctx, a, in)
	if err != nil {
		return nil, 0, err
	}
	if in.To-in.From > when.Instant(maxAvailabilityDays*when.Day.Milliseconds()) {
		return nil, 0, fault.Invalid("to", "at most %d days at once", maxAvailabilityDays)
	}
	defer q.work.end()
	found, _, stopped, err := q.run(ctx, s.Reader(ctx), in.From, in.To, 0)
	return q.open(found), stopped, err
}

// NextOpenTimes are the first n open starts at or after From, to the end of the booking window. stopped is as for
// OpenTimes. Errors: not_found, unavailable.
func (s *Service) NextOpenTimes(ctx context.Context, a Actor, in OpenTimesInput, n int) (open []OpenTime, stopped when.Instant, err error) {
	if err := a.May(MaySeeEventTypes); err != nil {
		return nil, 0, err
	}
	q, err := s.openSearch(ctx, a, in)
	if err != nil {
		return nil, 0, err
	}
	defer q.work.end()
	found, stopped, err := q.first(ctx, s.Reader(ctx), in.From, n)
	return q.open(found), stopped, err
}

func (s *Service) openSearch(ctx context.Context, a Actor, in OpenTimesInput) (*search, error) {
	asked := AvailabilityInput{EventType: in.EventType}
	if in.Exclude != 0 {
		asked.ExcludeBooking = in.Exclude.String()
	}
	return s.search(ctx, a, asked)
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
