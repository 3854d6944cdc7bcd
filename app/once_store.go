package app

import (
	"context"

	"daybook/app/catalog"
	"daybook/app/when"
)

// ResponseKeeper keeps the answers to requests with an Idempotency-Key.
type ResponseKeeper interface {
	// Response returns the stored answer to an idempotency key that was first used after since.
	Response(ws catalog.WorkspaceID, key KeyID, idempotencyKey string, since when.Instant) (Response, error)
	// ClaimResponse keeps the key for this transaction, which is to answer, unless it was first used after since: then it
	// is false, and Answer has the answer. Two transactions that claim a key wait for each other.
	ClaimResponse(ws catalog.WorkspaceID, key KeyID, idempotencyKey string, fingerprint []byte,
		now, since when.Instant) (bool, error)
	// SaveResponse is the answer to a key that was claimed, DropAnswer gives the key free again.
	SaveResponse(ws catalog.WorkspaceID, key KeyID, idempotencyKey string, a Response) error
	DropResponse(ws catalog.WorkspaceID, key KeyID, idempotencyKey string) error
	// PruneResponses forgets at most limit answers from before, and says how many it forgot.
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
