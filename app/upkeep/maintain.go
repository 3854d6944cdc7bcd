package upkeep

import (
	"context"
	"time"

	"daybook/app/fault"
)

// Maintain does regular upkeep until ctx ends. Every second it checks whether the clock was set back, lapses what is
// due and deletes the rows of deleted workspaces and contacts, in small steps that never hold the writer for long.
// Every minute it does the subjects' duties. Each server lapses the bookings of its own share; the server with bucket 0
// deletes.
func (s *Service) Maintain(ctx context.Context) error {
	second, minute := time.NewTicker(time.Second), time.NewTicker(time.Minute)
	defer second.Stop()
	defer minute.Stop()
	var trouble, unswept, unhastened fault.Seldom
	var clock clockWatch
	for {
		var err error
		select {
		case <-ctx.Done():
			return s.Tend(context.WithoutCancel(ctx))
		case <-second.C:
			if late := s.look(ctx, &clock); late == nil {
				unhastened.Over()
			} else if repeated, say := unhastened.Say(late); say && ctx.Err() == nil {
				s.Core.Log().Error("what waits can't be done earlier after the clock was set back", "error", late, "repeated",
					repeated)
			}
			if _, lapse := s.Core.Lapse(ctx, 100); lapse == nil {
				trouble.Over()
			} else if repeated, say := trouble.Say(lapse); say && ctx.Err() == nil {
				s.Core.Log().Error("bookings can't lapse", "error", lapse, "repeated", repeated)
			}
			if !s.Share().Buckets.Leads() {
				continue
			}
			if _, sweep := s.Sweep(ctx, sweepSteps); sweep == nil {
				unswept.Over()
			} else if repeated, say := unswept.Say(sweep); say && ctx.Err() == nil {
				s.Core.Log().Error("rows of what was deleted can't be deleted yet", "error", sweep, "repeated", repeated)
			}
		case <-minute.C:
			if err = s.Tend(ctx); err == nil && s.Share().Buckets.Leads() {
				err = s.prune(ctx)
			}
		}
		if err != nil && ctx.Err() == nil {
			return err
		}
	}
}

// Tend does the subjects' duties of every minute. A server calls it once more after its last response.
func (s *Service) Tend(ctx context.Context) error {
	for _, d := range s.Core.Duties() {
		if d.Tend != nil {
			if err := d.Tend(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// prune forgets what is over, in every subject.
func (s *Service) prune(ctx context.Context) error {
	for _, d := range s.Core.Duties() {
		if d.Prune != nil {
			if err := d.Prune(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}
