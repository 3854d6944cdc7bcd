package app

import (
	"context"
	"errors"
	"fmt"

	"daybook/app/booking"
	"daybook/app/when"
)

// Lapse cancels pending bookings that were not paid or approved in time, at most limit of them, and returns how many.
// They are told of as of other cancellations: the invitee by mail/plan.go, the team by team.go.
// If one fails, the others still lapse; the error joins all failures. Each server does this for its own share of the
// workspaces. What is pending of one visit lapses together.
func (s *Service) Lapse(ctx context.Context, limit int) (int, error) {
	mine := s.Share().Buckets
	if mine == 0 {
		return 0, nil
	}
	due, err := s.Reader(ctx).Lapsing(mine, when.At(s.Now()), limit)
	if err != nil {
		return 0, err
	}
	var failed []error
	for _, b := range due {
		actor := Actor{Kind: booking.BySystem, Workspace: b.WorkspaceID}
		moved := func(b *booking.Booking, now when.Instant) bool { // or paid, or approved, meanwhile
			return b.Status != booking.Pending || b.ExpiresAt > now
		}
		_, err := s.decide(ctx, actor, b.ID.String(), moved, func(ch *Change) error {
			b := ch.Booking
			reason := "not approved in time"
			if b.NeedsPay {
				reason = booking.LapsedUnpaid
			}
			return ch.Cancel(booking.ActLapsed, reason, true)
		})
		if err != nil {
			failed = append(failed, fmt.Errorf("booking %s can't lapse: %w", b.ID, err))
		}
	}
	return len(due) - len(failed), errors.Join(failed...)
}
