package once

import (
	"bytes"
	"context"
	"time"

	"daybook/app"
	"daybook/app/fault"
	"daybook/app/when"
)

// answerLife is how long the response to an idempotency key is kept.
const answerLife = 24 * time.Hour

// MaxKey is how many characters an Idempotency-Key may have.
const MaxKey = 255

// Attempt is a request that came with an Idempotency-Key.
type Attempt struct {
	Key         string // 1 to MaxKey characters
	Fingerprint []byte // hash of method, path and body
}

// Do runs do once for the attempt's key: the answer is stored in the same transaction as the change, and a
// repeated request gets the stored one (replayed). do must change data only in the transaction that it gets (see
// app.Service.In), and return the answer to send; an answer other than 2xx and 409 undoes what do did and is not kept.
// refused turns a conflict that do returns as its error into an answer, which is kept too; a search after the
// transaction may complete it. Errors: conflict idempotency_mismatch when the key was used for another request.
func (s *Service) Do(ctx context.Context, a app.Actor, at Attempt, do func(tx app.Tx) (app.Answer, error),
	refused func(error) (app.Answer, error)) (answer app.Answer, replayed bool, err error) {
	if err := a.May(app.MayChange); err != nil {
		return app.Answer{}, false, err
	}
	if n := len(at.Key); n < 1 || n > MaxKey {
		return app.Answer{}, false, fault.Invalid("Idempotency-Key", "must have 1 to %d characters", MaxKey)
	}
	// once returns the kept answer, or runs do and keeps its answer.
	once := func(do func(app.Tx) (app.Answer, error)) error {
		return s.Write(ctx, func(tx Tx) error {
			now := s.Now()
			since := when.At(now.Add(-answerLife))
			answer, replayed = app.Answer{}, false
			mine, err := tx.ClaimAnswer(a.Workspace, a.Key, at.Key, at.Fingerprint, when.At(now), since)
			if err != nil {
				return err
			}
			if !mine {
				if answer, err = tx.Answer(a.Workspace, a.Key, at.Key, since); err != nil {
					return err
				}
				replayed = true
				return matches(answer, at)
			}
			if answer, err = do(tx); err != nil {
				return err
			}
			if !keeps(answer) {
				return tx.DropAnswer(a.Workspace, a.Key, at.Key)
			}
			answer.Fingerprint, answer.CreatedAt = at.Fingerprint, when.At(now)
			return tx.SaveAnswer(a.Workspace, a.Key, at.Key, answer)
		})
	}
	var unfinished *fault.Error
	err = once(func(tx app.Tx) (app.Answer, error) {
		unfinished = nil
		answer, err := do(tx)
		e := fault.Refusal(err)
		if e == nil || e.Code != fault.Conflict {
			return answer, err
		}
		if e.Later != nil {
			unfinished = e
			return answer, err
		}
		return refused(err)
	})
	if unfinished == nil {
		return answer, replayed, err
	}
	if err := unfinished.Later(ctx); err != nil {
		return app.Answer{}, false, err
	}
	// Another request with the key may have been answered in the meantime: that answer then counts.
	err = once(func(app.Tx) (app.Answer, error) { return refused(unfinished) })
	return answer, replayed, err
}

func keeps(a app.Answer) bool { return a.Status >= 200 && a.Status < 300 || a.Status == 409 }

func matches(kept app.Answer, at Attempt) error {
	if bytes.Equal(kept.Fingerprint, at.Fingerprint) {
		return nil
	}
	return fault.Conflictf("idempotency_mismatch",
		"This Idempotency-Key was used for another request in the last 24 hours. Use a new one for each operation.")
}
