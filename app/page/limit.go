package page

import (
	"net/netip"
	"sync"
	"time"

	"daybook/app/fault"
)

// limiter counts what an address books in an hour, exactly: it keeps the times of the last ones. An IPv6 customer has
// a whole /64, so that is one address.
type limiter struct {
	most int // less than 1 is no limit
	now  func() time.Time

	mu   sync.Mutex
	seen map[netip.Prefix][]time.Time
}

const (
	limitWindow  = time.Hour
	mostLimited  = 50_000 // addresses; beyond it those that are over are forgotten
	bitsOfClient = 64
)

func newLimiter(most int, now func() time.Time) *limiter {
	return &limiter{most: most, now: now, seen: map[netip.Prefix][]time.Time{}}
}

// take counts one, or says when there will be room again.
func (l *limiter) take(client netip.Addr) error {
	if l.most < 1 || !client.IsValid() || client.IsLoopback() {
		return nil
	}
	bits := client.BitLen()
	if client.Is6() {
		bits = bitsOfClient
	}
	who, _ := client.Prefix(bits) //nolint:errcheck // the bits fit
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	times := recent(l.seen[who], now)
	if len(times) >= l.most {
		wait := times[len(times)-l.most].Add(limitWindow).Sub(now)
		return &fault.Error{Code: fault.RateLimited,
			Details: map[string]any{"retryAfter": int((wait + time.Second - 1) / time.Second)}}
	}
	if len(l.seen) >= mostLimited {
		l.forget(now)
	}
	l.seen[who] = append(times, now)
	return nil
}

// forget drops who has not come for an hour, and everybody when that is nobody.
func (l *limiter) forget(now time.Time) {
	for who, times := range l.seen {
		if len(recent(times, now)) == 0 {
			delete(l.seen, who)
		}
	}
	if len(l.seen) >= mostLimited {
		clear(l.seen)
	}
}

func recent(times []time.Time, now time.Time) []time.Time {
	for len(times) > 0 && now.Sub(times[0]) >= limitWindow {
		times = times[1:]
	}
	return times
}
