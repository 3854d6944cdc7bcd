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
func (q *queue) prune(ctx context.Context) {
	for wait := time.Second; ; wait = pruneEvery {
		for more := true; more; wait = pruneRest {
			select {
			case <-ctx.Done():
				return
			case <-time.After(wait):
			}
			if more = q.Share().Buckets.Leads(); !more {
				break
			}
			var err error
			if more, err = q.PruneWebhooks(ctx, q.Now().Add(-q.o.Keep), pruneStep); err != nil {
				if ctx.Err() == nil {
					q.o.Logger.Error("webhooks: can't prune", "error", err)
				}
				more = false
			}
		}
	}
}
