package account

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"daybook/app"
	"daybook/app/when"
)

// The rate of a key holds across all servers of a database. Each server keeps an exact window of its own requests, and
// reports how many it let through to the others: every second, and before it lets through more than shareAfter requests
// that they don't know of. A report and the reading of the others' reports happen behind a lock of the key, so that
// each decision uses everything that was reported before it. Of n servers, n-1 can each have let through shareAfter
// requests that the last one does not know of. So in any 60 seconds a key has at most
//
//	limit + (n-1) × shareAfter ≤ limit + limit/10
//
// requests. Where shareAfter is less than one request, every request is counted behind the lock, and the rate is exact.
// A request of another server stays in the window for at most a second longer than its own 60. The bound does not hold
// while the database can't be written.
//
// A server that is alone writes nothing. Every second it looks for other servers by their rows in rate_servers. Once it
// finds one, it reports its requests and renews its own row every few seconds. A server that joins renews the rows of
// all servers, and until each of them has reported what it let through alone, which takes a second, requests beyond a
// first share wait. A server that was killed counts for serverLife.

// shareAfter returns how many requests of a key a server lets through before it must report to that many others.
func shareAfter(limit, others int) int { return limit / 10 / others }

const (
	shareEvery = time.Second
	shareKeys  = 100             // keys in one transaction
	shareWait  = 2 * time.Second // how long a request waits at most for the report to the others, and a server for one that is silent
	serverBeat = 5 * time.Second
	serverLife = 15 * time.Second
)

// KeyUse reports how many requests with a key a server has let through.
type KeyUse struct {
	ID     int64 // rises with each report of the key
	Server int64
	Key    app.KeyID
	At     when.Instant
	N      int
}

// sharing is what a server keeps to share the rates with the others.
type sharing struct {
	mu       sync.Mutex    // held during reports
	wait     time.Duration // shareWait for requests, but in tests
	server   int64
	lastUse  map[app.KeyID]int64 // the number of the last report that was read
	lastRead when.Instant        // when the reports of all keys were read
	pruned   time.Time           // when old reports were last deleted
	beat     when.Instant        // what this server wrote into its row; another time is of a server that joined since

	silent map[int64]when.Instant // servers that have not reported since this one joined
	joined chan struct{}          // closed when silent is empty; nil before this one joins
}

// ShareRates reports the requests of this server to the others and reads their reports, until ctx ends.
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

// syncRates finds the other servers, reports what they don't know yet, and reads their reports.
func (s *Service) syncRates(ctx context.Context) error {
	r := &s.rates
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.joined == nil {
		return nil
	}
	all, err := s.Reader(ctx).RateServers()
	if err != nil {
		return err
	}
	now := when.At(s.Core.Now())
	own, others := RateServer{}, 0
	for _, server := range all {
		if server.ID == r.server {
			own = server
		} else if server.At > now.Add(-serverLife) {
			others++
		}
	}
	if len(all) > 0 && own.ID == 0 || len(all) > 1 && own.At <= now.Add(-serverLife) {
		if err := s.join(ctx); err != nil { // the others may take this one for dead
			return err
		}
		own.At = r.beat
	} else {
		s.limits.setPeers(others)
	}
	if err := s.reportAll(ctx); err != nil {
		return err
	}
	if len(all) > 1 {
		if err := s.readAll(ctx, now); err != nil {
			return err
		}
	}
	r.updateSilent(all, now)
	if len(all) > 1 && (own.At != r.beat || now.Add(-serverBeat) >= r.beat) {
		if own.At >= now && own.At < now.Add(time.Second) {
			now = own.At + 1 // so that a server that waits for it sees the difference
		}
		if err := s.heartbeat(ctx, now); err != nil {
			return err
		}
	}
	return nil
}

// reportAll reports all requests that the others don't know of. r.mu is held.
func (s *Service) reportAll(ctx context.Context) error {
	unreported := s.limits.toReport()
	for keys := range slices.Chunk(slices.Sorted(maps.Keys(unreported)), shareKeys) {
		counts := map[app.KeyID]int{}
		for _, key := range keys {
			counts[key] = unreported[key]
		}
		if _, err := s.exchange(ctx, counts, nil); err != nil {
			return err
		}
	}
	return nil
}

// syncAndAllow reports the key's requests to the others and counts another one, or refuses it. While the database can't
// be written, it decides by what this server knows, so that callers can still read.
func (s *Service) syncAndAllow(k Key) (Limit, verdict) {
	r := &s.rates
	ctx, cancel := context.WithTimeout(context.Background(), s.rates.wait)
	defer cancel()
	r.mu.Lock()
	joined := r.joined
	r.mu.Unlock()
	select {
	case <-joined:
	case <-ctx.Done():
		return s.limits.allow(k.ID, k.RateLimit, s.Core.Now(), true)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if limit, found := s.limits.allow(k.ID, k.RateLimit, s.Core.Now(), false); found != syncFirst {
		return limit, found // another request reported while this one waited
	}
	admitted, err := s.exchange(ctx, map[app.KeyID]int{k.ID: s.limits.toReport()[k.ID]}, &k)
	if err != nil {
		return s.limits.allow(k.ID, k.RateLimit, s.Core.Now(), true)
	}
	return s.limits.admit(k.ID, k.RateLimit, s.Core.Now(), admitted)
}

// exchange reports the requests of those keys and reads the others' reports, in one transaction. It also reports one
// more request of the key in asks, if there is room for it. r.mu is held.
func (s *Service) exchange(ctx context.Context, counts map[app.KeyID]int, asks *Key) (admitted bool, err error) {
	r, now := &s.rates, s.Core.Now()
	var uses []KeyUse
	err = s.Quietly(ctx, func(tx Tx) error {
		uses, admitted = nil, false
		for _, key := range slices.Sorted(maps.Keys(counts)) {
			if err := tx.LockKeyWindow(key); err != nil {
				return err
			}
			fresh, err := tx.KeyUses(key, r.lastUse[key])
			if err != nil {
				return err
			}
			uses = append(uses, fresh...)
			n := counts[key]
			if asks != nil && s.limits.room(asks, fresh, r.server, now) {
				admitted = true
				n++
			}
			if n == 0 {
				continue
			}
			if err := tx.InsertKeyUse(KeyUse{Key: key, Server: r.server, At: when.At(now), N: n}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return false, err
	}
	s.limits.reported(counts)
	s.apply(uses, now)
	return admitted, nil
}

// readAll reads the others' reports of all keys. r.mu is held.
func (s *Service) readAll(ctx context.Context, now when.Instant) error {
	r := &s.rates
	const slack = 10 * time.Second // between the servers' clocks
	since := max(r.lastRead, now.Add(-window)).Add(-slack)
	if r.lastRead > now {
		since = now.Add(-window - slack)
	}
	uses, err := s.Reader(ctx).KeyUsesSince(since)
	if err != nil {
		return err
	}
	uses = slices.DeleteFunc(uses, func(u KeyUse) bool { return u.ID <= r.lastUse[u.Key] })
	s.apply(uses, now.Time())
	r.lastRead = now
	return nil
}

// apply adds reports to the windows.
func (s *Service) apply(uses []KeyUse, now time.Time) {
	r := &s.rates
	if r.lastUse == nil {
		r.lastUse = map[app.KeyID]int64{}
	}
	for _, u := range uses {
		r.lastUse[u.Key] = u.ID
	}
	s.limits.addRemote(uses, r.server, now)
}
