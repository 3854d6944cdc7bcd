package app

import (
	"bytes"
	"context"
	"time"

	"daybook/app/fault"
	"daybook/app/when"
)

// responseLife is how long the response to an idempotency key is kept.
const responseLife = 24 * time.Hour

// MaxIdempotencyKey is the most characters that an Idempotency-Key may have.
const MaxIdempotencyKey = 255

// OnceAttempt is a request that came with an Idempotency-Key.
type OnceAttempt struct {
	Key         string // 1 to MaxKey characters
	Fingerprint []byte // hash of method, path and body
}

// Once runs do once for the attempt's key: the response is stored in the same transaction as the change, and a repeated
// request gets the stored one (replayed is true). do must change data only in the transaction that it gets (see
// app.Service.In), and return the response to send; a response other than 2xx and 409 undoes what do did and is not
// stored. refused turns a conflict that do returns as its error into a response, which is stored, too; a search after
// the transaction may complete it. Errors: conflict idempotency_mismatch when the key was used for another request.
func (s *Service) Once(ctx context.Context, a Actor, at OnceAttempt, do func(tx Tx) (Response, error),
	refused func(error) (Response, error)) (answer Response, replayed bool, err error) {
	if err := a.May(MayChange); err != nil {
		return Response{}, false, err
	}
	if n := len(at.Key); n < 1 || n > MaxIdempotencyKey {
		return Response{}, false, fault.Invalid("Idempotency-Key", "must have 1 to %d characters", MaxIdempotencyKey)
	}
	// once returns the kept answer, or runs do and keeps its answer.
	once := func(do func(Tx) (Response, error)) error {
		return s.Write(ctx, func(tx Tx) error {
			now := s.Now()
			since := when.At(now.Add(-responseLife))
			answer, replayed = Response{}, false
			mine, err := tx.ClaimResponse(a.Workspace, a.Key, at.Key, at.Fingerprint, when.At(now), since)
			if err != nil {
				return err
			}
			if !mine {
				if answer, err = tx.Response(a.Workspace, a.Key, at.Key, since); err != nil {
					return err
				}
				replayed = true
				return matchesResponse(answer, at)
			}
			if answer, err = do(tx); err != nil {
				return err
			}
			if !keepsResponse(answer) {
				return tx.DropResponse(a.Workspace, a.Key, at.Key)
			}
			answer.Fingerprint, answer.CreatedAt = at.Fingerprint, when.At(now)
			return tx.SaveResponse(a.Workspace, a.Key, at.Key, answer)
		})
	}
	var unfinished *fault.Error
	err = once(func(tx Tx) (Response, error) {
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
		return Response{}, false, err
	}
	// Another request with the key may have been answered in the meantime: that answer then counts.
	err = once(func(Tx) (Response, error) { return refused(unfinished) })
	return answer, replayed, err
}

func keepsResponse(a Response) bool { return a.Status >= 200 && a.Status < 300 || a.Status == 409 }

func matchesResponse(kept Response, at OnceAttempt) error {
	if bytes.Equal(kept.Fingerprint, at.Fingerprint) {
		return nil
	}
	return fault.Conflictf("idempotency_mismatch",
		"This Idempotency-Key was used for another request in the last 24 hours. Use a new one for each operation.")
}
