package upkeep

import (
	"context"
	"time"

	"daybook/app"
	"daybook/app/when"
)

const (
	// clockSlack is how far the wall clock may fall behind the time that has passed before it counts as set back: clocks
	// are slewed all the time.
	clockSlack = 5 * time.Second
	// lostLease is longer than any lease. A lease that lasts longer than that was taken before the clock was set back.
	lostLease = 10 * time.Minute
)

// clockWatch notices when the wall clock is set back while the server runs.
type clockWatch struct {
	began time.Time // the start of the watch
	wall  time.Time // what the wall clock showed at the last look
	ran   time.Duration
	free  time.Duration // the time of the watch at which leases from before the change are released; 0 for never
}

// setBack is by how much the wall clock was set back since the last look; zero if it was not. ran is how long the watch
// has run by a clock that nobody sets.
func (w *clockWatch) setBack(ran time.Duration, wall time.Time) time.Duration {
	passed, shown, first := ran-w.ran, wall.Sub(w.wall), w.wall.IsZero()
	w.ran, w.wall = ran, wall
	if back := passed - shown; !first && back > clockSlack {
		return back
	}
	return 0
}

// look handles a clock that was set back: it makes pending work due earlier by as much, so that nothing waits longer
// than planned, and ends leases from before the change once no live server can hold them.
func (s *Service) look(ctx context.Context, w *clockWatch) error {
	if w.began.IsZero() {
		w.began = time.Now()
	}
	ran := time.Since(w.began) // monotonic
	if back := w.setBack(ran, time.Now().Round(0)); back > 0 {
		s.Core.Log().Warn("the clock was set back: what waits is done that much earlier", "by",
			back.Round(time.Second).String())
		w.free = ran + lostLease
		return s.ClockSetBack(ctx, back)
	}
	if w.free > 0 && ran > w.free {
		w.free = 0
		return s.ReleaseLost(ctx)
	}
	return nil
}

// ClockSetBack makes everything that waits (deliveries, mails, payment jobs) due earlier by that much, because the
// clock was set back by as much. Reminders stay at their times. Several servers of a database may all call it: work
// then becomes due earlier than it was, but never before now.
func (s *Service) ClockSetBack(ctx context.Context, by time.Duration) error {
	return s.Core.Write(ctx, func(tx app.Tx) error {
		if err := tx.HastenWork(when.At(s.Core.Now()), by); err != nil {
			return err
		}
		for _, d := range s.Core.Duties() {
			if d.Hasten != nil {
				if err := d.Hasten(tx, when.At(s.Core.Now()), by); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// ReleaseLost ends the leases that would last longer than any lease can.
func (s *Service) ReleaseLost(ctx context.Context) error {
	return s.Core.Write(ctx, func(tx app.Tx) error {
		now := when.At(s.Core.Now())
		if err := tx.ReleaseLostWork(now, now.Add(lostLease)); err != nil {
			return err
		}
		for _, d := range s.Core.Duties() {
			if d.ReleaseLost != nil {
				if err := d.ReleaseLost(tx, now, now.Add(lostLease)); err != nil {
					return err
				}
			}
		}
		return nil
	})
}
