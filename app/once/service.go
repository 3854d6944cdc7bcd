// package once is the room of requests that are carried out once, however often they arrive: those with an
// Idempotency-Key. It imports no other room.
package once

import (
	"context"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/when"
)

// Reader is what the room reads from the store: the same as the core.
type Reader = app.Reader

// Tx is the room's view of a transaction.
type Tx interface {
	app.Tx
	// Answer returns the stored answer to an idempotency key that was first used after since.
	Answer(ws catalog.WorkspaceID, key app.KeyID, idempotencyKey string, since when.Instant) (app.Answer, error)
	// ClaimAnswer keeps the key for this transaction, which is to answer, unless it was first used after since: then it
	// is false, and Answer has the answer. Two transactions that claim a key wait for each other.
	ClaimAnswer(ws catalog.WorkspaceID, key app.KeyID, idempotencyKey string, fingerprint []byte,
		now, since when.Instant) (bool, error)
	// SaveAnswer is the answer to a key that was claimed, DropAnswer gives the key free again.
	SaveAnswer(ws catalog.WorkspaceID, key app.KeyID, idempotencyKey string, a app.Answer) error
	DropAnswer(ws catalog.WorkspaceID, key app.KeyID, idempotencyKey string) error
	// PruneAnswers forgets at most limit answers from before, and says how many it forgot.
	PruneAnswers(before when.Instant, limit int) (int, error)
}

// Service holds the room's rules.
type Service struct{ app.Room[Reader, Tx] }

// New makes the room beside its core.
func New(core *app.Service) *Service {
	s := &Service{app.Room[Reader, Tx]{Core: core}}
	core.AddDuties(app.Duties{Prune: s.prune})
	return s
}

// In is the room within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service { return &Service{app.Room[Reader, Tx]{Core: s.Core.In(tx)}} }

// prune forgets the answers that are too old, in small transactions.
func (s *Service) prune(ctx context.Context) error {
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
