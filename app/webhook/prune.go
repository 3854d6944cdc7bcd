package webhook

import (
	"context"
	"time"
)

const (
	pruneEvery = time.Hour
	pruneStep  = 200
	pruneRest  = 20 * time.Millisecond // between steps, for other writes
)

// prune deletes what is older than Keep, a little at a time.
func (r *run) prune(ctx context.Context) {
	for wait := time.Second; ; wait = pruneEvery {
		for more := true; more; wait = pruneRest {
			select {
			case <-ctx.Done():
				return
			case <-time.After(wait):
			}
			if more = r.queue.Share().Buckets.Leads(); !more {
				break
			}
			var err error
			if more, err = r.queue.PruneWebhooks(ctx, r.queue.Now().Add(-r.o.Keep), pruneStep); err != nil {
				if ctx.Err() == nil {
					r.o.Logger.Error("webhooks: can't prune", "error", err)
				}
				more = false
			}
		}
	}
}
