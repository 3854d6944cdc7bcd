package account

import (
	"sync"
	"time"

	"daybook/app"
	"daybook/app/fault"
)

// Limit is what is left of a key's request rate.
type Limit struct {
	Limit, Remaining int
	Reset            time.Duration // until the window is wholly free again
	RetryAfter       time.Duration // when refused: until a request is let through
}

const window = time.Minute

// limiter is a sliding window per key, exact: it keeps the time of each request let through in the last 60 seconds.
// Memory is 8 bytes times the limit for each key in use.
type limiter struct {
	mu   sync.Mutex
	keys map[app.KeyID]*requestLog
	last int64 // the latest time seen, in Unix milliseconds
	back int64 // how far the clock has been set back since
}

// elapsed is a time in milliseconds that stands still when the clock is set back, and goes on from there. Callers may
// come a little out of order.
func (l *limiter) elapsed(now time.Time) int64 {
	ms := now.UnixMilli()
	if ms < l.last-1000 {
		l.back += l.last - ms
		l.last = ms
	}
	l.last = max(l.last, ms)
	return l.last + l.back
}

// requestLog is a ring of the latest requests' times, in Unix milliseconds.
type requestLog struct {
	times       []int64
	first, used int
}

// allow counts a request at now, or refuses it, which is not counted.
func (l *limiter) allow(key app.KeyID, limit int, now time.Time) (Limit, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	log := l.keys[key]
	if log == nil || len(log.times) != limit {
		if l.keys == nil || len(l.keys) > 100_000 {
			l.keys = map[app.KeyID]*requestLog{}
		}
		log = log.resized(limit)
		l.keys[key] = log
	}
	ms := l.elapsed(now)
	log.forget(ms - window.Milliseconds())
	state := Limit{Limit: limit}
	ok := log.used < limit
	if ok {
		log.times[(log.first+log.used)%limit] = ms
		log.used++
	} else {
		state.RetryAfter = log.until(0, ms)
	}
	state.Remaining = limit - log.used
	state.Reset = log.until(log.used-1, ms)
	return state, ok
}

// look is what allow would leave behind, without counting anything.
func (l *limiter) look(key app.KeyID, limit int, now time.Time) Limit {
	l.mu.Lock()
	defer l.mu.Unlock()
	state := Limit{Limit: limit, Remaining: limit}
	log := l.keys[key]
	if log == nil || len(log.times) != limit {
		return state
	}
	ms := l.elapsed(now)
	log.forget(ms - window.Milliseconds())
	if log.used > 0 {
		state.Remaining, state.Reset = limit-log.used, log.until(log.used-1, ms)
	}
	return state
}

// resized is a log for another limit which still holds the latest requests.
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

// until is how long after now the i-th request leaves the window.
func (r *requestLog) until(i int, now int64) time.Duration {
	at := r.times[(r.first+i)%len(r.times)] + window.Milliseconds()
	return time.Duration(max(0, at-now)) * time.Millisecond
}

// Allow counts a request of the key, through whatever door. The error is rate_limited, and says when to come again.
func (s *Service) Allow(k Key) (Limit, error) {
	limit, ok := s.limits.allow(k.ID, k.RateLimit, s.Core.Now())
	if ok {
		return limit, nil
	}
	return limit, tooMany(limit)
}

// AllowChatter counts what an agent's connection needs besides its tool calls (handshakes, lists of tools, pings,
// opening a stream) in a window of its own, so that it neither uses up the key's rate nor is free. It answers what is
// left of the key's rate. The error is rate_limited.
func (s *Service) AllowChatter(k Key) (Limit, error) {
	now := s.Core.Now()
	left := s.limits.look(k.ID, k.RateLimit, now)
	if limit, ok := s.chatter.allow(k.ID, max(k.RateLimit, DefaultRateLimit), now); !ok {
		left.RetryAfter = limit.RetryAfter
		return left, tooMany(limit)
	}
	return left, nil
}

func tooMany(limit Limit) *fault.Error {
	seconds := int((limit.RetryAfter + time.Second - 1) / time.Second)
	return (&fault.Error{Code: fault.RateLimited, Message: "Too many requests with this key. Wait for Retry-After seconds and try again, with jitter."}).
		With("retryAfter", max(1, seconds))
}
