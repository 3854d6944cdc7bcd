package app

import (
	"context"

	"daybook/app/catalog"
	"daybook/app/when"
)

// AnswerKeeper keeps the answers to requests with an Idempotency-Key.
type AnswerKeeper interface {
	// Answer returns the stored answer to an idempotency key that was first used after since.
	Answer(ws catalog.WorkspaceID, key KeyID, idempotencyKey string, since when.Instant) (Answer, error)
	// ClaimAnswer keeps the key for this transaction, which is to answer, unless it was first used after since: then it
	// is false, and Answer has the answer. Two transactions that claim a key wait for each other.
	ClaimAnswer(ws catalog.WorkspaceID, key KeyID, idempotencyKey string, fingerprint []byte,
		now, since when.Instant) (bool, error)
	// SaveAnswer is the answer to a key that was claimed, DropAnswer gives the key free again.
	SaveAnswer(ws catalog.WorkspaceID, key KeyID, idempotencyKey string, a Answer) error
	DropAnswer(ws catalog.WorkspaceID, key KeyID, idempotencyKey string) error
	// PruneAnswers forgets at most limit answers from before, and says how many it forgot.
	PruneAnswers(before when.Instant, limit int) (int, error)
}

// pruneAnswers forgets the answers that are too old, in small transactions.
func (s *Service) pruneAnswers(ctx context.Context) error {
	const step = 200
	before := when.At(s.Now().Add(-answerLife))
	for n := step; n == step; {
		err := s.Quietly(ctx, func(tx Tx) (err error) {
			n, err = tx.PruneAnswers(before, step)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
