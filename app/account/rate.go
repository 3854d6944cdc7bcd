package account

import (
	"sync"
	"time"

	"daybook/app"
	"daybook/app/fault"
)

// Limit says how much is left of a key's request rate.
type Limit struct {
	Limit, Remaining int
	Reset            time.Duration // until the window is empty again
	RetryAfter       time.Duration // when refused: until a request is let through
}

const window = time.Minute

// limiter keeps an exact sliding window per key: the time of each request that it let through in the last 60 seconds.
// Memory is 8 bytes times the limit for each key in use. Requests that other servers let through count too, see
// rate_share.go.
type limiter struct {
	mu   sync.Mutex
	keys map[app.KeyID]*requestLog

	peers      int                   // how many other servers there are
	unreported map[app.KeyID]int     // requests let through here that the others do not know of
	remote     map[app.KeyID][]batch // requests let through by other servers, the oldest first

	last int64 // the latest time seen, in Unix milliseconds
	back int64 // how far the clock has been set back since
}

// elapsed returns a time in milliseconds that never goes back: when the clock is set back it stops, and goes on from
// there. Callers may come up to a second out of order.
func (l *limiter) elapsed(now time.Time) int64 {
	ms := now.UnixMilli()
	if ms < l.last-1000 {
		l.back += l.last - ms
		l.last = ms
	}
	l.last = max(l.last, ms)
	return l.last + l.back
}

// requestLog is a ring buffer of the latest requests' times, in Unix milliseconds.
type requestLog struct {
	times       []int64
	first, used int
}

// verdict is the answer of allow.
type verdict int

const (
	refused   verdict = iota
	allowed           // and counted
	syncFirst         // neither: the other servers must get a report first
)

// allow counts a request at now, or refuses it without counting it. With force it never answers syncFirst.
func (l *limiter) allow(key app.KeyID, limit int, now time.Time, force bool) (Limit, verdict) {
	l.mu.Lock()
	defer l.mu.Unlock()
	log, ms := l.logOf(key, limit), l.elapsed(now)
	remote := l.forget(key, log, ms)
	if log.used+remote >= limit {
		return l.left(key, log, remote, ms), refused
	}
	if l.peers > 0 {
		if !force && l.unreported[key] >= shareAfter(limit, l.peers) {
			return Limit{}, syncFirst
		}
		l.unreported[key]++
	}
	log.add(ms)
	return l.left(key, log, remote, ms), allowed
}

// logOf returns the log of the key, and makes it if there is none.
func (l *limiter) logOf(key app.KeyID, limit int) *requestLog {
	log := l.keys[key]
	if log == nil || len(log.times) != limit {
		if l.keys == nil || len(l.keys) > 100_000 {
			l.keys = map[app.KeyID]*requestLog{}
		}
		log = log.resized(limit)
		l.keys[key] = log
	}
	return log
}

// look returns what is left, without counting a request.
func (l *limiter) look(key app.KeyID, limit int, now time.Time) Limit {
	l.mu.Lock()
	defer l.mu.Unlock()
	log := l.keys[key]
	if log == nil || len(log.times) != limit {
		log = log.resized(limit)
	}
	ms := l.elapsed(now)
	state := l.left(key, log, l.forget(key, log, ms), ms)
	state.RetryAfter = 0
	return state
}

// forget drops what has left the window, and returns how many requests of other servers are still in it.
func (l *limiter) forget(key app.KeyID, log *requestLog, ms int64) (remote int) {
	log.forget(ms - window.Milliseconds())
	all := l.remote[key]
	if len(all) == 0 {
		return 0
	}
	for len(all) > 0 && all[0].at <= ms-window.Milliseconds() {
		all = all[1:]
	}
	if len(all) == 0 {
		delete(l.remote, key)
	} else {
		l.remote[key] = all
	}
	for _, b := range all {
		remote += b.n
	}
	return remote
}

// left returns what the log and the other servers' requests leave of the limit.
func (l *limiter) left(key app.KeyID, log *requestLog, remote int, ms int64) Limit {
	limit := len(log.times)
	state := Limit{Limit: limit, Remaining: max(0, limit-log.used-remote)}
	others := l.remote[key]
	if log.used > 0 {
		state.Reset = log.until(log.used-1, ms)
	}
	if len(others) > 0 {
		state.Reset = max(state.Reset, until(others[len(others)-1].at, ms))
	}
	if state.Remaining > 0 {
		return state
	}
	// This many must leave the window, the oldest of both first.
	for excess, i := log.used+remote-limit+1, 0; excess > 0; {
		switch {
		case i < log.used && (len(others) == 0 || log.until(i, ms) <= until(others[0].at, ms)):
			state.RetryAfter = log.until(i, ms)
			excess--
			i++
		case len(others) > 0:
			state.RetryAfter = until(others[0].at, ms)
			excess -= others[0].n
			others = others[1:]
		default:
			return state
		}
	}
	return state
}

// add adds a request; there must be room.
func (r *requestLog) add(ms int64) {
	r.times[(r.first+r.used)%len(r.times)] = ms
	r.used++
}

// resized returns a log for another limit, with the latest requests that fit.
func (r *requestLog) resized(limit int) *requestLog {
	fresh := &requestLog{times: make([]int64, limit)}
	if r == nil {
		return fresh
	}
	for i := max(0, r.used-limit); i < r.used; i++ {
		fresh.times[fresh.used] = r.times[(r.first+i)%len(r.times)]
		fresh.used++
	}
	return fresh
}

// forget drops the requests at or before ms.
func (r *requestLog) forget(ms int64) {
	for r.used > 0 && r.times[r.first] <= ms {
		r.first = (r.first + 1) % len(r.times)
		r.used--
	}
}

// until returns how long after now the i-th request leaves the window.
func (r *requestLog) until(i int, now int64) time.Duration {
	return until(r.times[(r.first+i)%len(r.times)], now)
}

// until returns how long after now a request at that time leaves the window.
func until(at, now int64) time.Duration {
	return time.Duration(max(0, at+window.Milliseconds()-now)) * time.Millisecond
}

// Allow counts a request with the key, at any door. The error is rate_limited, and says when to try again.
//
// A server that is alone is exact. Across all servers of a database a key has at most its limit and a tenth more in any
// 60 seconds; see rate_share.go.
func (s *Service) Allow(k Key) (Limit, error) {
	limit, found := s.limits.allow(k.ID, k.RateLimit, s.Core.Now(), false)
	if found == syncFirst {
		limit, found = s.syncAndAllow(k)
	}
	if found == refused {
		return limit, tooMany(limit)
	}
	limit.RetryAfter = 0
	return limit, nil
}

// AllowHandshake counts what an agent's connection needs besides its tool calls (handshakes, lists of tools, pings,
// opening a stream) in a window of its own at each server, so that it is limited but does not use up the key's rate. It
// returns what is left of the key's rate. The error is rate_limited.
func (s *Service) AllowHandshake(k Key) (Limit, error) {
	now := s.Core.Now()
	left := s.limits.look(k.ID, k.RateLimit, now)
	if limit, found := s.handshakes.allow(k.ID, max(k.RateLimit, DefaultRateLimit), now, true); found == refused {
		left.RetryAfter = limit.RetryAfter
		return left, tooMany(limit)
	}
	return left, nil
}

func tooMany(limit Limit) *fault.Error {
	seconds := int((limit.RetryAfter + time.Second - 1) / time.Second)
	return fault.New(fault.RateLimited, "",
		"Too many requests with this key. Wait for Retry-After seconds and try again, with jitter.").
		With("retryAfter", max(1, seconds))
}
