package webhook

import (
	"context"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
)

// EventBody returns the exact JSON that was sent for an event, without links for a read-only actor. Errors: forbidden
// (staff), not_found.
func (s *Service) EventBody(ctx context.Context, a app.Actor, id booking.EventID) ([]byte, error) {
	if err := a.May(app.MaySeeEventBody); err != nil {
		return nil, err
	}
	e, err := s.Reader(ctx).EventByID(id)
	if err == nil && e.WorkspaceID != a.Workspace {
		err = fault.ErrNotFound
	}
	if err != nil {
		return nil, fault.OrMissing(err, fault.Missing("event", id.String()))
	}
	return a.EventBody(&e)
}
