package account

import (
	"context"
	"time"
)

// For the tests that are several servers: what ShareRates does first, and every second.
func (s *Service) JoinRates(ctx context.Context) error { return s.joinRates(ctx) }
func (s *Service) SyncRates(ctx context.Context) error { return s.syncRates(ctx) }

// WaitForReports has requests wait for the database as long as a busy machine needs, until restore is called.
func WaitForReports() (restore func()) {
	was := shareWait
	shareWait = 10 * time.Minute
	return func() { shareWait = was }
}
