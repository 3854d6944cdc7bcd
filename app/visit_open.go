package app

import (
	"context"

	"daybook/app/availability"
	"daybook/app/slot"
	"daybook/app/when"
)

// VisitOpenTimes returns all open starts of a visit in [from, to), at most 62 days, for calendars; stopped is where the
// search stopped early, or zero. Errors: those of VisitAvailability.
func (s *Service) VisitOpenTimes(ctx context.Context, a Actor, in availability.VisitInput,
	from, to when.Instant) (open []availability.Slot, stopped when.Instant, err error) {
	if err := a.May(MaySeeEventTypes); err != nil {
		return nil, 0, err
	}
	v, err := s.visitSearch(ctx, a, in)
	if err != nil {
		return nil, 0, err
	}
	return v.OpenTimes(ctx, s.Reader(ctx), from, to)
}

// VisitNextTimes returns the first n open starts of a visit at or after from; stopped is as in VisitOpenTimes. Errors:
// those of VisitAvailability.
func (s *Service) VisitNextTimes(ctx context.Context, a Actor, in availability.VisitInput, from when.Instant,
	n int) (open []availability.Slot, stopped when.Instant, err error) {
	if err := a.May(MaySeeEventTypes); err != nil {
		return nil, 0, err
	}
	v, err := s.visitSearch(ctx, a, in)
	if err != nil {
		return nil, 0, err
	}
	return v.NextTimes(ctx, s.Reader(ctx), from, n)
}

// VisitAt returns how a visit is possible at the start, with the hosts who would be chosen for it now; nil if it isn't.
// Errors: those of VisitAvailability.
func (s *Service) VisitAt(ctx context.Context, a Actor, in availability.VisitInput, start when.Instant) (*availability.Slot,
	error) {
	if err := a.May(MaySeeEventTypes); err != nil {
		return nil, err
	}
	v, err := s.visitSearch(ctx, a, in)
	if err != nil {
		return nil, err
	}
	return v.OpenAt(ctx, s.Reader(ctx), start)
}

// VisitAgainst returns how a visit would follow each other from the start if every rule that can be waived were, and
// which of them stand against that, see availability.Visit.Follow. Errors: forbidden; those of VisitAvailability; what
// can't be waived, about the item.
func (s *Service) VisitAgainst(ctx context.Context, a Actor, in availability.VisitInput,
	start when.Instant) (anyhow *availability.Slot, against slot.Reasons, err error) {
	if err := a.May(MayWaive); err != nil {
		return nil, 0, err
	}
	v, err := s.visitSearch(ctx, a, in)
	if err != nil {
		return nil, 0, err
	}
	v.Waiving()
	places, against, err := v.Follow(s.Reader(ctx), start)
	if err != nil {
		return nil, 0, err
	}
	return v.SlotOf(places), against, nil
}
