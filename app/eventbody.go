package app

import (
	"context"

	"daybook/app/fault"
)

// EventBody is the exact JSON that receivers of an event were sent, without links for a read-only actor.
// Errors: forbidden (staff), not_found.
func (s *Service) EventBody(ctx context.Context, a Actor, id EventID) ([]byte, error) {
	if err := a.needs(ManagerRole); err != nil {
		return nil, err
	}
	e, err := s.reader(ctx).EventByID(id)
	if err == nil && e.WorkspaceID != a.Workspace {
		err = fault.ErrNotFound
	}
	if err != nil {
		return nil, orMissing(err, fault.Missing("event", id.String()))
	}
	return eventBodyFor(a, &e)
}
