package upkeep

import (
	"context"
	"time"
)

// A deleted workspace or contact is marked in one small transaction. Its rows are then deleted in steps that keep the
// writer busy for about sweepTime each. The database records what is left to do, so Maintain continues after a crash.
const (
	sweepTime  = 10 * time.Millisecond // a step deletes nothing more after that time
	sweepRows  = 25                    // rows between two looks at the clock
	sweepSteps = 50                    // in one call, or in one second of Maintain
)

// Sweep does at most that many steps, and reports whether there may be more to do.
func (s *Service) Sweep(ctx context.Context, steps int) (more bool, err error) {
	for more, err = s.Reader(ctx).HasGone(); err == nil && more && steps > 0; steps-- {
		err = s.Quietly(ctx, func(tx Tx) (err error) {
			for begun := time.Now(); time.Since(begun) < sweepTime; {
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

// sweepSoon starts to delete what the caller has marked. If it fails, Maintain does the rest: the deletion itself
// stands.
func (s *Service) sweepSoon(ctx context.Context) {
	if _, err := s.Sweep(ctx, sweepSteps); err != nil {
		s.Core.Log().Warn("the rows of what was deleted stay until the next second", "error", err)
	}
}
