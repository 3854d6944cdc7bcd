package availability

import (
	"context"

	"daybook/app/fault"
	"daybook/app/when"
)

// OpenTimes returns all open starts of the visit in [from, to), at most 62 days; stopped is where the search stopped
// early, or zero.
func (v *Visit) OpenTimes(ctx context.Context, r Reader, from, to when.Instant) (open []Slot, stopped when.Instant, err error) {
	if to-from > when.Instant(maxAvailabilityDays*when.Day.Milliseconds()) {
		return nil, 0, fault.Invalid("to", "at most %d days at once", maxAvailabilityDays)
	}
	defer v.items[0].work.end()
	found, stopped, err := v.run(ctx, r, from, to, 0)
	return v.slots(found), stopped, err
}

// NextTimes returns the first n open starts of the visit at or after from; stopped is as in OpenTimes.
func (v *Visit) NextTimes(ctx context.Context, r Reader, from when.Instant, n int) (open []Slot, stopped when.Instant, err error) {
	defer v.items[0].work.end()
	found, stopped, err := v.first(ctx, r, from, n)
	return v.slots(found), stopped, err
}
