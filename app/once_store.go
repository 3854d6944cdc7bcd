package app

import (
	"context"

	"daybook/app/catalog"
	"daybook/app/when"
)

// ResponseKeeper stores the responses to requests with an Idempotency-Key.
type ResponseKeeper interface {
	// Response returns the stored response for an idempotency key that was first used after since. Errors: ErrNotFound.
	Response(ws catalog.WorkspaceID, key KeyID, idempotencyKey string, since when.Instant) (Response, error)
	// ClaimResponse claims the key for this transaction and reports true. It reports false if the key was first used
	// after since; Response then has what was answered. Two transactions that claim a key wait for each other.
	ClaimResponse(ws catalog.WorkspaceID, key KeyID, idempotencyKey string, fingerprint []byte,
		now, since when.Instant) (bool, error)
	// SaveResponse stores the response for a key that was claimed; DropResponse frees the key again.
	SaveResponse(ws catalog.WorkspaceID, key KeyID, idempotencyKey string, a Response) error
	DropResponse(ws catalog.WorkspaceID, key KeyID, idempotencyKey string) error
	// PruneResponses deletes at most limit responses stored before that time, and returns how many.
	PruneResponses(before when.Instant, limit int) (int, error)
}

// pruneResponses forgets the answers that are too old, in small transactions.
func (s *Service) pruneResponses(ctx context.Context) error {
	const step = 200
	before := when.At(s.Now().Add(-responseLife))
	for n := step; n == step; {
		err := s.Quietly(ctx, func(tx Tx) (err error) {
			n, err = tx.PruneResponses(before, step)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
