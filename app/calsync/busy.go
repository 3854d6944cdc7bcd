package calsync

import (
	"context"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/when"
)

// BusyTimes lists when the host is busy in other calendars within [from, to), by start, and never what for. Those whom
// the actor doesn't see have none. The error is forbidden.
func (s *Service) BusyTimes(ctx context.Context, a app.Actor, host catalog.HostID, from, to when.Instant) ([]Span,
	error) {
	if err := a.May(app.MaySeeBookings); err != nil {
		return nil, err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return nil, err
	}
	if h := setup.Host(host); h == nil || !h.Connected || !a.Sees(host) {
		return nil, nil
	}
	return s.Reader(ctx).BusyTimes(host, from, to)
}
