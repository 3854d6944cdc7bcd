package account

import (
	"context"
	"maps"
	"sync"
	"time"

	"daybook/app"
	"daybook/app/when"
)

// The rates of keys hold over all servers of a database. Each server keeps its own exact window, and tells the others
// how many requests it let through: every second, and before it lets through more than shareAfter(limit) that they do
// not know of. It writes down its own and reads the others' in one transaction, so that it always decides with what
// was told up to its own last word. Of n servers, n-1 can each have let through shareAfter(limit) requests that the
// last one does not know of. So in any 60 seconds a key has at most
//
//	limit + (n-1) × shareAfter(limit)
//
// requests, 127 for two servers and the usual 120. A request of another server stays in the window for at most a second
// longer than its own 60. Beyond the bound are the first second of a server that joins, because the others have not
// told it yet what they let through alone, and the time in which the database can't be written.
//
// A server that is alone writes nothing. One that was killed leaves its row of rate_servers behind: until the first of
// the next servers starts, the others go on telling, to nobody.

// shareAfter is how many requests of a key a server lets through before it must tell the others.
func shareAfter(limit int) int { return max(4, limit/16) }

const (
	shareEvery = time.Second
	shareWait  = time.Second // that a request waits at most to tell the others
)

// KeyUse is a number of requests that a server let through, told at that time.
type KeyUse struct {
	ID     int64
	Server int64
	Key    app.KeyID
	At     when.Instant
	N      int
}

// batch is a number of requests of other servers, at the limiter's time.
type batch struct {
	at int64
	n  int
}

// sharing is one server's part in the rates.
type sharing struct {
	mu      sync.Mutex // held while the others are told
	server  int64
	read    int64     // the number of the last use that was read
	version int64     // DataVersion at the last look
	pruned  time.Time // when old uses were deleted last
}

// ShareRates tells the other servers of this one's requests, and hears theirs, until ctx ends.
func (s *Service) ShareRates(ctx context.Context) error {
	if err := s.joinRates(ctx); err != nil {
		return err
	}
	tick := time.NewTicker(shareEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return s.leaveRates(context.WithoutCancel(ctx))
		case <-tick.C:
			if err := s.syncRates(ctx); err != nil && ctx.Err() == nil {
				return err
			}
		}
	}
}

// joinRates makes this server known to the others, and hears what they told in the last minute.
func (s *Service) joinRates(ctx context.Context) error {
	err := s.Quietly(ctx, func(tx Tx) error { return tx.InsertRateServer(s.rates.server) })
	if err != nil {
		return err
	}
	return s.syncRates(ctx)
}

func (s *Service) leaveRates(ctx context.Context) error {
	return s.Quietly(ctx, func(tx Tx) error { return tx.DeleteRateServer(s.rates.server) })
}

// releaseRates forgets servers that were killed.
func (s *Service) releaseRates(tx app.Tx, _ when.Instant) error { return tx.(Tx).ForgetRates() }

// syncRates tells what the others do not know yet. When there is nothing to tell it only reads, and that only after
// somebody committed something.
func (s *Service) syncRates(ctx context.Context) error {
	r := &s.rates
	r.mu.Lock()
	defer r.mu.Unlock()
	version, err := s.Core.DataVersion()
	if err != nil {
		return err
	}
	if len(s.limits.debts()) > 0 {
		err = s.exchange(ctx)
	} else if version != r.version {
		err = s.hear(s.Reader(ctx))
	}
	if err == nil && len(s.limits.debts()) > 0 {
		err = s.exchange(ctx) // another server has just come: it must hear of the whole window
	}
	if err == nil {
		r.version = version
	}
	return err
}

// tellRates has the others told before another request of the key. It reports false when that can't be done: a database
// that can't be written does not keep anybody from reading it.
func (s *Service) tellRates(k Key) bool {
	r := &s.rates
	r.mu.Lock()
	defer r.mu.Unlock()
	if s.limits.debts()[k.ID] < shareAfter(k.RateLimit) {
		return true // somebody else did while this one waited
	}
	ctx, cancel := context.WithTimeout(context.Background(), shareWait)
	defer cancel()
	return s.exchange(ctx) == nil
}

// exchange tells and hears in one transaction. r.mu is held.
func (s *Service) exchange(ctx context.Context) error {
	r, now := &s.rates, s.Core.Now()
	told := s.limits.debts()
	prune := now.Sub(r.pruned).Abs() > window
	var heard []KeyUse
	var others int
	err := s.Quietly(ctx, func(tx Tx) (err error) {
		if heard, err = tx.KeyUses(r.read); err != nil {
			return err
		}
		if others, err = tx.OtherRateServers(r.server); err != nil {
			return err
		}
		for key, n := range told {
			if err = tx.InsertKeyUse(KeyUse{Server: r.server, Key: key, At: when.At(now), N: n}); err != nil {
				return err
			}
		}
		if prune {
			return tx.PruneKeyUses(when.At(now.Add(-2*window)), when.At(now.Add(2*window)))
		}
		return nil
	})
	if err != nil {
		return err
	}
	if prune {
		r.pruned = now
	}
	s.limits.settle(told)
	s.take(heard, others, now)
	return nil
}

// hear only reads. r.mu is held.
func (s *Service) hear(from Reader) error {
	heard, err := from.KeyUses(s.rates.read)
	if err != nil {
		return err
	}
	others, err := from.OtherRateServers(s.rates.server)
	if err == nil {
		s.take(heard, others, s.Core.Now())
	}
	return err
}

func (s *Service) take(heard []KeyUse, others int, now time.Time) {
	if len(heard) > 0 {
		s.rates.read = heard[len(heard)-1].ID
	}
	s.limits.hear(heard, s.rates.server, now)
	s.limits.share(others > 0)
}

// debts are the requests that the other servers have not been told of.
func (l *limiter) debts() map[app.KeyID]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.owed)
}

// settle takes what was told from what is owed.
func (l *limiter) settle(told map[app.KeyID]int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for key, n := range told {
		if l.owed[key] -= n; l.owed[key] <= 0 {
			delete(l.owed, key)
		}
	}
}

// share says whether there are other servers. When the first of them comes, it is owed all that is in the windows.
func (l *limiter) share(with bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if with == l.shared {
		return
	}
	l.shared, l.owed = with, nil
	if !with {
		return
	}
	l.owed = map[app.KeyID]int{}
	for key, log := range l.keys {
		if log.forget(l.last + l.back - window.Milliseconds()); log.used > 0 {
			l.owed[key] = log.used
		}
	}
}

// hear adds what other servers let through. How old it is goes by the wall clock, which all of them share; what seems to
// come from the future, because that was set back, is new.
func (l *limiter) hear(uses []KeyUse, own int64, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	ms := l.elapsed(now)
	if len(uses) > 0 && l.others == nil {
		l.others = map[app.KeyID][]batch{}
	}
	for _, u := range uses {
		age := max(0, when.At(now)-u.At)
		if u.Server == own || int64(age) >= window.Milliseconds() {
			continue
		}
		at, all := ms-int64(age), l.others[u.Key]
		if last := len(all) - 1; last >= 0 && at/1000 <= all[last].at/1000 { // one batch a second
			all[last] = batch{max(at, all[last].at), all[last].n + u.N}
		} else {
			l.others[u.Key] = append(all, batch{at, u.N})
		}
	}
	for key, all := range l.others {
		if all[len(all)-1].at <= ms-window.Milliseconds() {
			delete(l.others, key)
		}
	}
}
