package dashboard

import (
	"context"
	"time"
)

// Prune deletes ended sessions, every hour until ctx ends.
func (d *Door) Prune(ctx context.Context) error {
	tick := time.NewTicker(time.Hour)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			if err := d.Account.PruneSessions(ctx); err != nil && ctx.Err() == nil {
				return err
			}
		}
	}
}
