package app

import (
	"context"

	"daybook/app/availability"
	"daybook/app/catalog"
)

// SetCalendars sets the Service's Calendars. It must be called before the Service is used.
func (s *Service) SetCalendars(c availability.Calendars) { s.calendars = c }

// AskCalendars has the other calendars read of those who may take a booking, before the transaction that books, moves
// or edits it, and returns what to give to Change.Unknown. host is an id, or "" for all who serve the event type. What
// is wrong with these names is found later.
func (s *Service) AskCalendars(ctx context.Context, a Actor, eventType, host string) ([]catalog.HostID, error) {
	setup, err := s.held(a.Workspace)
	if err != nil || s.tx != nil || !availability.Connected(setup) {
		return nil, err
	}
	return availability.Ask(ctx, s.calendars, setup, eventType, host)
}

// askToMove is AskCalendars for a booking that is to be moved.
func (s *Service) askToMove(ctx context.Context, a Actor, id, host string) ([]catalog.HostID, error) {
	setup, err := s.held(a.Workspace)
	if err != nil || s.tx != nil || !availability.Connected(setup) {
		return nil, err
	}
	b, err := s.Find(ctx, a, id)
	if err != nil {
		return nil, nil // the move is refused for it
	}
	if host == "" && b.HostNamed {
		host = b.Host.ID.String()
	}
	return s.AskCalendars(ctx, a, b.EventTypeID.String(), host)
}
