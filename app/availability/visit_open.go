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

// OpenAt returns how the visit is possible at the start, with the hosts whom a booking without them would get; nil if it
// isn't.
func (v *Visit) OpenAt(ctx context.Context, r Reader, start when.Instant) (*Slot, error) {
	defer v.items[0].work.end()
	v.fewest = true
	found, _, err := v.run(ctx, r, start, start+1, 1)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &v.slots(found)[0], nil
}

// AnyTimeAhead makes the search ignore how far ahead its services can be booked.
func (v *Visit) AnyTimeAhead() {
	for _, q := range v.items {
		q.AnyTimeAhead()
	}
}

// StartsIn returns the open starts of the visit in [from, to), a few days at most, earliest first: behind the locks, where a
// search must not wait.
func (v *Visit) StartsIn(tx Reader, from, to when.Instant) (starts []when.Instant, err error) {
	if from = max(from, v.items[0].now); from >= to {
		return nil, nil
	}
	o, err := v.load(tx, from, to)
	if err != nil {
		return nil, err
	}
	a := o.arranging(v.byID())
	for at := int64(from); ; at++ {
		start, ok := o.next(at)
		if !ok {
			return starts, nil
		}
		if at = start; a.at(start) != nil {
			starts = append(starts, when.Instant(start))
		}
	}
}
