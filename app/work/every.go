package work

import (
	"context"
	"time"

	"daybook/app/fault"
)

// Every does a step at each interval until ctx ends, whatever becomes of the one before. say is told of a failure, but
// seldom of one that repeats: see fault.Seldom.
func Every(ctx context.Context, interval time.Duration, step func(context.Context) error, say func(err error, repeated int)) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	var trouble fault.Seldom
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := step(ctx); err == nil {
			trouble.Over()
		} else if repeated, now := trouble.Say(err); now && ctx.Err() == nil {
			say(err, repeated)
		}
	}
}
