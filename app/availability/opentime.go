package availability

import (
	"cmp"
	"context"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/slot"
	"daybook/app/when"
)

// OpenTimes returns all open starts in [from, to), at most 62 days; stopped is where the search stopped early, or zero.
func (q *Search) OpenTimes(ctx context.Context, r Reader, from,
	to when.Instant) (open []OpenTime, stopped when.Instant, err error) {
	if to-from > when.Instant(maxAvailabilityDays*when.Day.Milliseconds()) {
		return nil, 0, fault.Invalid("to", "at most %d days at once", maxAvailabilityDays)
	}
	defer q.work.end()
	found, _, stopped, err := q.run(ctx, r, from, to, 0)
	return q.open(found), stopped, err
}

// NextOpenTimes returns the first n open starts at or after from; stopped is where the search stopped early, or zero.
func (q *Search) NextOpenTimes(ctx context.Context, r Reader, from when.Instant,
	n int) (open []OpenTime, stopped when.Instant, err error) {
	defer q.work.end()
	found, stopped, err := q.first(ctx, r, from, n)
	return q.open(found), stopped, err
}

// OpenTime is a start that can be booked, for calendars.
type OpenTime struct {
	Start, End when.Instant
	Seats      int // how many are left; 0 where an event type has one seat and nobody counts
	// Host is the host with the lowest price, then with the shortest time, and End is the end with that host; both are
	// 0 if length and price are the same with all hosts.
	Host catalog.HostID
}

// OpenTimesInput says where to look. Exclude is a booking whose own time does not count as taken: the result is then
// where it can be moved.
type OpenTimesInput struct {
	EventType string
	Host      string       // id, or "" for whoever is free
	From, To  when.Instant // OpenTimes only: [From, To), at most 62 days
	Exclude   booking.BookingID
	// Setup, if not nil, replaces that of the workspace, for a preview of changes that are not saved.
	Setup  *catalog.Setup
	Choice catalog.Choice // what is to be booked
}

// open turns what run and some answer into times.
func (q *Search) open(found []slot.Slot) []OpenTime {
	times := make([]OpenTime, len(found))
	for i, f := range found {
		times[i] = OpenTime{Start: when.Instant(f.Start), End: when.Instant(f.End)}
		if q.event.Seats > 1 {
			times[i].Seats = f.SeatsRemaining
		}
		if q.event.Varies() && !q.kept {
			best := q.cheapest(&f)
			times[i].Host, times[i].End = best.Host, best.End
		}
	}
	return times
}

// cheapest returns the host's slot of an open time that costs least, of those the shortest, of those the first.
func (q *Search) cheapest(f *slot.Slot) HostSlot {
	best := q.withHost(f, 0)
	for j := 1; j < len(f.Hosts); j++ {
		o := q.withHost(f, j)
		if c := cmp.Compare(o.amount(), best.amount()); c < 0 || c == 0 && o.End < best.End {
			best = o
		}
	}
	return best
}

func (o HostSlot) amount() int64 {
	if o.Price == nil {
		return 0
	}
	return o.Price.Amount
}
