package account

import "context"

// For the tests that are several servers: what ShareRates does first, and every second.
func (s *Service) JoinRates(ctx context.Context) error { return s.joinRates(ctx) }
func (s *Service) SyncRates(ctx context.Context) error { return s.syncRates(ctx) }
