package shop

import (
	"context"

	"daybook/app"
	"daybook/app/availability"
	"daybook/app/fault"
	"daybook/app/slot"
	"daybook/app/waive"
	"daybook/app/when"
)

// Against returns all the rules that stand against a start of the event type at that host ("" is whoever it is easiest
// for), and whether all of them can be waived. moving is the id of a booking that is to be moved there; "" is a new
// one.
// Errors: forbidden, not_found, bad_request (a host who does not serve the event type).
func (s *Service) Against(ctx context.Context, a app.Actor, eventType, host, moving string,
	start when.Instant) (against slot.Reasons, possible bool, err error) {
	if err := a.May(app.MayWaive); err != nil {
		return 0, false, err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return 0, false, err
	}
	e := setup.EventType(eventType)
	if e == nil {
		return 0, false, fault.Missing("event type", eventType)
	}
	if a.Own() {
		host = a.Host.String()
	}
	hosts, err := availability.Candidates(setup, e, host)
	if err != nil {
		return 0, false, err
	}
	q := availability.Among(hosts, setup, e, s.Core.Now())
	if moving != "" {
		b, err := s.Core.Find(ctx, a, moving)
		if err != nil {
			return 0, false, err
		}
		q.Moving(&b)
	}
	against, err = q.Against(s.Reader(ctx), start)
	return against, waive.Possible(against, start, when.At(s.Core.Now()), setup.Zone), err
}
