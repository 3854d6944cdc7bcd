package account

import (
	"context"
	"time"
)

// For the tests that are several servers: what ShareRates does first, and every second.
func (s *Service) JoinRates(ctx context.Context) error { return s.joinRates(ctx) }
func (s *Service) SyncRates(ctx context.Context) error { return s.syncRates(ctx) }

// WaitForReports has requests wait for the database as long as a busy machine needs.
func (s *Service) WaitForReports() { s.rates.wait = 10 * time.Minute }
