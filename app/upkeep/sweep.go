package upkeep

import (
	"context"
	"time"
)

// A workspace or a contact that is deleted is marked in one small transaction. Its rows are swept in steps that hold
// the writer for about sweepHold each. What has to be done stands in the database: after a kill, Maintain goes on.
const (
	sweepHold  = 10 * time.Millisecond // after which a step deletes no more
	sweepRows  = 25                    // between two looks at the time
	sweepSteps = 50                    // in a call, or in a second of Maintain
)

// Sweep takes at most so many steps, and says whether there may be more to do.
func (s *Service) Sweep(ctx context.Context, steps int) (more bool, err error) {
	for more, err = s.Reader(ctx).HasGone(); err == nil && more && steps > 0; steps-- {
		err = s.Quietly(ctx, func(tx Tx) (err error) {
			for begun := time.Now(); time.Since(begun) < sweepHold; {
				if more, err = tx.SweepErasure(sweepRows); err == nil && !more {
					more, err = tx.SweepWorkspace(sweepRows)
				}
				if err != nil || !more {
					return err
				}
			}
			return nil
		})
	}
	return more, err
}

// sweepSoon begins to sweep what the caller has marked. What fails here is left to Maintain, because the deletion holds.
func (s *Service) sweepSoon(ctx context.Context) {
	if _, err := s.Sweep(ctx, sweepSteps); err != nil {
		s.Core.Log().Warn("the rows of what was deleted stay until the next second", "error", err)
	}
}
