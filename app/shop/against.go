package shop

import (
	"context"

	"daybook/app"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/slot"
	"daybook/app/when"
)

// Against returns all rules against a start of the input's event type with its host ("" means the host for whom they
// are easiest to waive), and whether all of them can be waived. ExcludeBooking is the booking that is to be moved
// there; "" for a new one. Errors: forbidden, not_found, bad_request (a host who does not serve the event type).
func (s *Service) Against(ctx context.Context, a app.Actor, in availability.Input,
	start when.Instant) (against slot.Reasons, possible bool, err error) {
	if err := a.May(app.MayWaive); err != nil {
		return 0, false, err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return 0, false, err
	}
	e := setup.EventType(in.EventType)
	if e == nil {
		return 0, false, fault.Missing("event type", in.EventType)
	}
	if in.ExcludeBooking == "" { // one that moves keeps what was chosen
		if e, err = e.Chosen(in.Choice); err != nil {
			return 0, false, err
		}
	}
	if in.Host, err = a.NamedHost(setup, in.Host); err != nil {
		return 0, false, err
	}
	hosts, err := availability.Candidates(setup, e, in.Host)
	if err != nil {
		return 0, false, err
	}
	q := availability.Among(hosts, setup, e, s.Core.Now())
	if in.ExcludeBooking != "" {
		b, err := s.Core.Find(ctx, a, in.ExcludeBooking)
		if err != nil {
			return 0, false, err
		}
		q.Moving(&b)
	}
	against, err = q.Against(s.Reader(ctx), start)
	return against, booking.MayWaive(against, start, when.At(s.Core.Now()), setup.Zone), err
}
