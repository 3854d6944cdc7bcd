package account

import (
	"maps"
	"time"

	"daybook/app"
	"daybook/app/when"
)

// batch is a number of requests that other servers let through, at a time of the limiter (elapsed).
type batch struct {
	at int64
	n  int
}

// toReport returns the requests that the other servers don't know of.
func (l *limiter) toReport() map[app.KeyID]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.unreported)
}

// room reports whether the key may have another request, given reports that were not added yet.
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

// admit counts a request that was reported to the others, or refuses it.
func (l *limiter) admit(key app.KeyID, limit int, now time.Time, admitted bool) (Limit, verdict) {
	l.mu.Lock()
	defer l.mu.Unlock()
	log, ms := l.logOf(key, limit), l.elapsed(now)
	remote := l.forget(key, log, ms)
	if !admitted || log.used+remote >= limit {
		return l.left(key, log, remote, ms), refused
	}
	log.add(ms)
	return l.left(key, log, remote, ms), allowed
}

// reported subtracts what was reported.
func (l *limiter) reported(counts map[app.KeyID]int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for key, n := range counts {
		if l.unreported[key] -= n; l.unreported[key] <= 0 {
			delete(l.unreported, key)
		}
	}
}

// setPeers says how many other servers there are. When the first one appears, all requests in the windows are
// unreported.
func (l *limiter) setPeers(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	before := l.peers
	l.peers = n
	if n == 0 {
		l.unreported = nil
	}
	if n == 0 || before > 0 {
		return
	}
	l.unreported = map[app.KeyID]int{}
	for key, log := range l.keys {
		if log.forget(l.last + l.back - window.Milliseconds()); log.used > 0 {
			l.unreported[key] = log.used
		}
	}
}

// addRemote adds what other servers let through. Its age is that on the wall clock, which all servers share; a report
// that seems to come from the future, because a clock was set back, counts as new.
func (l *limiter) addRemote(uses []KeyUse, own int64, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	ms := l.elapsed(now)
	if len(uses) > 0 && l.remote == nil {
		l.remote = map[app.KeyID][]batch{}
	}
	for _, u := range uses {
		age := max(0, when.At(now)-u.At)
		if u.Server == own || int64(age) >= window.Milliseconds() {
			continue
		}
		at, all := ms-int64(age), l.remote[u.Key]
		if last := len(all) - 1; last >= 0 && at/1000 <= all[last].at/1000 { // one batch a second
			all[last] = batch{max(at, all[last].at), all[last].n + u.N}
		} else {
			l.remote[u.Key] = append(all, batch{at, u.N})
		}
	}
	for key, all := range l.remote {
		if all[len(all)-1].at <= ms-window.Milliseconds() {
			delete(l.remote, key)
		}
	}
}
