package account

import (
	"context"

	"daybook/app"
	"daybook/app/when"
)

// RateServer is a server that takes part in counting rates, and the time when it was last known to be alive.
type RateServer struct {
	ID int64
	At when.Instant
}

// joinRates makes this server known to the others, and reads their reports of the last minute.
func (s *Service) joinRates(ctx context.Context) error {
	s.rates.mu.Lock()
	err := s.join(ctx)
	s.rates.mu.Unlock()
	if err != nil {
		return err
	}
	return s.syncRates(ctx)
}

// join adds this server's row, renews the rows of all others and notes that they must report. r.mu is held.
func (s *Service) join(ctx context.Context) error {
	r, now := &s.rates, when.At(s.Core.Now())
	var all []RateServer
	err := s.Quietly(ctx, func(tx Tx) (err error) {
		if err = tx.JoinRateServers(r.server, now); err == nil {
			all, err = tx.RateServers()
		}
		return err
	})
	if err != nil {
		return err
	}
	r.beat, r.silent = now, map[int64]when.Instant{}
	for _, other := range all {
		if other.ID != r.server {
			r.silent[other.ID] = other.At
		}
	}
	s.limits.setPeers(len(r.silent))
	if r.joined == nil {
		r.joined = make(chan struct{})
		if len(r.silent) == 0 {
			close(r.joined)
		}
	}
	return nil
}

func (s *Service) leaveRates(ctx context.Context) error {
	return s.Quietly(ctx, func(tx Tx) error { return tx.DeleteRateServer(s.rates.server) })
}

// releaseRates deletes all servers and their reports when this is the only server of the database. One of several
// servers expires by itself.
func (s *Service) releaseRates(tx app.Tx, server int64, _ when.Instant) error {
	if server != 0 {
		return nil
	}
	return tx.(Tx).ForgetRates()
}

// updateSilent finds out which servers have reported since this one joined, by the times in their rows. It stops
// waiting for one, which may have been killed, after shareWait.
func (r *sharing) updateSilent(all []RateServer, now when.Instant) {
	silent := map[int64]when.Instant{}
	for _, server := range all {
		if at, is := r.silent[server.ID]; is && at == server.At && now < at.Add(shareWait) {
			silent[server.ID] = at
		}
	}
	if r.silent = silent; len(silent) > 0 {
		return
	}
	select {
	case <-r.joined:
	default:
		close(r.joined)
	}
}

// heartbeat tells the others that this server is alive and has reported everything, and deletes what is old. r.mu is
// held.
func (s *Service) heartbeat(ctx context.Context, now when.Instant) error {
	r := &s.rates
	prune := now.Time().Sub(r.pruned).Abs() > window
	err := s.Quietly(ctx, func(tx Tx) error {
		if err := tx.TouchRateServer(r.server, now); err != nil || !prune {
			return err
		}
		return tx.PruneRates(now.Add(-2*window), now.Add(2*window), now.Add(-4*serverLife))
	})
	if err == nil {
		r.beat = now
		if prune {
			r.pruned = now.Time()
		}
	}
	return err
}
