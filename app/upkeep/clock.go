package upkeep

import (
	"context"
	"time"

	"daybook/app"
	"daybook/app/when"
)

const (
	// clockSlack is how far the wall clock may fall behind the time that passed before that counts as set back: clocks
	// are slewed all the time.
	clockSlack = 5 * time.Second
	// lostLease is longer than any lease. One that lasts longer from now on is of before the clock was set back.
	lostLease = 10 * time.Minute
)

// clockWatch notices that the wall clock was set back while the server runs.
type clockWatch struct {
	began time.Time // of the watch
	wall  time.Time // what the wall clock showed at the last look
	ran   time.Duration
	free  time.Duration // of the watch: when leases of before the clock was set back are to be released; 0 for never
}

// setBack is by how much the wall clock was set back since the last look; zero for not at all. ran is how long the watch
// has run by a clock that nobody sets.
func (w *clockWatch) setBack(ran time.Duration, wall time.Time) time.Duration {
	passed, shown, first := ran-w.ran, wall.Sub(w.wall), w.wall.IsZero()
	w.ran, w.wall = ran, wall
	if back := passed - shown; !first && back > clockSlack {
		return back
	}
	return 0
}

// look does what a clock that was set back makes necessary: what waits for its turn waits no longer for it, and leases
// whose holder died before are ended once no live server can hold them any more.
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

// ClockSetBack has everything that waits for its turn (deliveries, mails, payment jobs) due that much earlier, because
// the clock was set back by as much. Reminders stay at their times. Several servers of a database may all call it: what
// was due later is then due earlier, and never before now.
func (s *Service) ClockSetBack(ctx context.Context, by time.Duration) error {
	return s.Core.Write(ctx, func(tx app.Tx) error {
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

// ReleaseLost ends the leases that would last longer than any lease does.
func (s *Service) ReleaseLost(ctx context.Context) error {
	return s.Core.Write(ctx, func(tx app.Tx) error {
		now := when.At(s.Core.Now())
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
