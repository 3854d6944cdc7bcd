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

// The rates of keys hold over all servers of a database. Each server keeps its own exact window, and tells the others
// how many requests it let through: every second, and before it lets through more than shareAfter that they do not know
// of. It writes down its own requests of a key and reads the others' behind a lock of that key, so that it always
// decides with what was told up to its own last word. Of n servers, n-1 can each have let through shareAfter requests
// that the last one does not know of. So in any 60 seconds a key has at most
//
//	limit + (n-1) × shareAfter ≤ limit + limit/10
//
// requests. Where a share would be less than one request, each request is counted behind the lock, and the rate is
// exact. A request of another server stays in the window for at most a second longer than its own 60. Beyond the bound
// is only the time in which the database can't be written.
//
// A server that is alone writes nothing. Every second it looks for others, and finds one by its row in rate_servers;
// from then on it tells, and says every few seconds that it lives. One that joins says so for all of them, and until
// each has told what it let through alone, which takes a second, requests beyond a first share wait for that. A server
// that was killed counts for serverLife.

// shareAfter is how many requests of a key a server lets through before it must tell so many others.
func shareAfter(limit, others int) int { return limit / 10 / others }

const (
	shareEvery = time.Second
	shareWait  = 2 * time.Second // that a request waits at most to tell the others
	shareKeys  = 100             // that are told of in a transaction
	serverBeat = 5 * time.Second
	serverLife = 15 * time.Second
)

// KeyUse is a number of requests that a server let through, told at that time.
type KeyUse struct {
	ID     int64 // rising, of a key's uses
	Server int64
	Key    app.KeyID
	At     when.Instant
	N      int
}

// RateServer is a server that shares the rates, and when it was last known to live.
type RateServer struct {
	ID int64
	At when.Instant
}

// batch is a number of requests of other servers, at the limiter's time.
type batch struct {
	at int64
	n  int
}

// sharing is one server's part in the rates.
type sharing struct {
	mu     sync.Mutex // held while the others are told
	server int64
	read   map[app.KeyID]int64 // the number of the last use that was read
	heard  when.Instant        // when all keys' uses were read
	pruned time.Time           // when old uses were deleted last
	beat   when.Instant        // what this server wrote into its row; another time there is of one that joined since

	silent map[int64]when.Instant // servers that have not told of their windows since this one joined
	joined chan struct{}          // closed when there are none; nil before this one joins
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
	s.rates.mu.Lock()
	err := s.join(ctx)
	s.rates.mu.Unlock()
	if err != nil {
		return err
	}
	return s.syncRates(ctx)
}

// join says that every server lives, and awaits their word. r.mu is held.
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
	s.limits.share(len(r.silent))
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

// releaseRates forgets servers that were killed.
func (s *Service) releaseRates(tx app.Tx, _ when.Instant) error { return tx.(Tx).ForgetRates() }

// syncRates looks who the others are, tells what they do not know yet, and hears them.
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
		if err := s.join(ctx); err != nil { // the others may have thought this one dead
			return err
		}
		own.At = r.beat
	} else {
		s.limits.share(others)
	}
	if err := s.tellAll(ctx); err != nil {
		return err
	}
	if len(all) > 1 {
		if err := s.hearAll(ctx, now); err != nil {
			return err
		}
	}
	r.awaitNoMore(all, now)
	if len(all) > 1 && (own.At != r.beat || now.Add(-serverBeat) >= r.beat) {
		if own.At >= now && own.At < now.Add(time.Second) {
			now = own.At + 1 // so that who waits for it sees the difference
		}
		if err := s.sayAlive(ctx, now); err != nil {
			return err
		}
	}
	return nil
}

// awaitNoMore finds out which servers have spoken since this one joined, by what they wrote into their rows.
// One that was killed is not waited for longer than a request waits.
func (r *sharing) awaitNoMore(all []RateServer, now when.Instant) {
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

// sayAlive tells the others that this server lives and has told them all, and deletes what is old. r.mu is held.
func (s *Service) sayAlive(ctx context.Context, now when.Instant) error {
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

// tellAll tells of all that the others do not know. r.mu is held.
func (s *Service) tellAll(ctx context.Context) error {
	owed := s.limits.debts()
	for keys := range slices.Chunk(slices.Sorted(maps.Keys(owed)), shareKeys) {
		told := map[app.KeyID]int{}
		for _, key := range keys {
			told[key] = owed[key]
		}
		if _, err := s.exchange(ctx, told, nil); err != nil {
			return err
		}
	}
	return nil
}

// shareAndAllow tells the others of the key's requests and counts another one, or refuses it. A database that can't be
// written keeps nobody from reading it.
func (s *Service) shareAndAllow(k Key) (Limit, verdict) {
	r := &s.rates
	ctx, cancel := context.WithTimeout(context.Background(), shareWait)
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
	if limit, found := s.limits.allow(k.ID, k.RateLimit, s.Core.Now(), false); found != shareFirst {
		return limit, found // somebody else told while this one waited
	}
	admitted, err := s.exchange(ctx, map[app.KeyID]int{k.ID: s.limits.debts()[k.ID]}, &k)
	if err != nil {
		return s.limits.allow(k.ID, k.RateLimit, s.Core.Now(), true)
	}
	return s.limits.admit(k.ID, k.RateLimit, s.Core.Now(), admitted)
}

// exchange tells and hears of those keys in one transaction, and counts one more request of the key that asks, if there
// is room. r.mu is held.
func (s *Service) exchange(ctx context.Context, told map[app.KeyID]int, asks *Key) (admitted bool, err error) {
	r, now := &s.rates, s.Core.Now()
	var heard []KeyUse
	err = s.Quietly(ctx, func(tx Tx) error {
		heard, admitted = nil, false
		for _, key := range slices.Sorted(maps.Keys(told)) {
			if err := tx.LockKeyWindow(key); err != nil {
				return err
			}
			uses, err := tx.KeyUses(key, r.read[key])
			if err != nil {
				return err
			}
			heard = append(heard, uses...)
			n := told[key]
			if asks != nil && s.limits.room(asks, uses, r.server, now) {
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
	s.limits.settle(told)
	s.take(heard, now)
	return admitted, nil
}

// hearAll only reads. r.mu is held.
func (s *Service) hearAll(ctx context.Context, now when.Instant) error {
	r := &s.rates
	const slack = 10 * time.Second // of the servers' clocks
	since := max(r.heard, now.Add(-window)).Add(-slack)
	if r.heard > now {
		since = now.Add(-window - slack)
	}
	heard, err := s.Reader(ctx).KeyUsesSince(since)
	if err != nil {
		return err
	}
	heard = slices.DeleteFunc(heard, func(u KeyUse) bool { return u.ID <= r.read[u.Key] })
	s.take(heard, now.Time())
	r.heard = now
	return nil
}

// take adds what was heard.
func (s *Service) take(heard []KeyUse, now time.Time) {
	r := &s.rates
	if r.read == nil {
		r.read = map[app.KeyID]int64{}
	}
	for _, u := range heard {
		r.read[u.Key] = u.ID
	}
	s.limits.hear(heard, r.server, now)
}

// debts are the requests that the other servers have not been told of.
func (l *limiter) debts() map[app.KeyID]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.owed)
}

// room tells whether the key may have another request, with those uses that were not heard of before.
func (l *limiter) room(k *Key, uses []KeyUse, own int64, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	log, ms := l.logOf(k.ID, k.RateLimit), l.elapsed(now)
	n := l.forget(k.ID, log, ms) + log.used
	for _, u := range uses {
		if u.Server != own && max(0, when.At(now)-u.At) < when.Instant(window.Milliseconds()) {
			n += u.N
		}
	}
	return n < k.RateLimit
}

// admit counts a request that the others have been told of, or refuses it.
func (l *limiter) admit(key app.KeyID, limit int, now time.Time, admitted bool) (Limit, verdict) {
	l.mu.Lock()
	defer l.mu.Unlock()
	log, ms := l.logOf(key, limit), l.elapsed(now)
	elsewhere := l.forget(key, log, ms)
	if !admitted || log.used+elsewhere >= limit {
		return l.left(key, log, elsewhere, ms), refused
	}
	log.add(ms)
	return l.left(key, log, elsewhere, ms), allowed
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

// share says how many other servers there are. When the first of them comes, it is owed all that is in the windows.
func (l *limiter) share(with int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	before := l.beside
	l.beside = with
	if with == 0 {
		l.owed = nil
	}
	if with == 0 || before > 0 {
		return
	}
	l.owed = map[app.KeyID]int{}
	for key, log := range l.keys {
		if log.forget(l.last + l.back - window.Milliseconds()); log.used > 0 {
			l.owed[key] = log.used
		}
	}
}

// hear adds what other servers let through. How old it is goes by the wall clock, which all of them share; what seems
// to come from the future, because that was set back, is new.
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
