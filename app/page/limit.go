package page

import (
	"net/netip"
	"sync"
	"time"

	"daybook/app/fault"
)

// limiter counts how often an address books in an hour, exactly: it keeps the times of the last bookings. An IPv6
// customer has a whole /64, so a /64 counts as one address.
type limiter struct {
	most int // less than 1 means no limit
	now  func() time.Time

	mu   sync.Mutex
	seen map[netip.Prefix][]time.Time
}

const (
	limitWindow  = time.Hour
	mostLimited  = 50_000 // addresses; when there are more, those at their limit are dropped
	bitsOfClient = 64
)

func newLimiter(most int, now func() time.Time) *limiter {
	return &limiter{most: most, now: now, seen: map[netip.Prefix][]time.Time{}}
}

// take counts one booking, or says when the next one is possible.
func (l *limiter) take(client netip.Addr) error {
	if l.most < 1 || !client.IsValid() || client.IsLoopback() {
		return nil
	}
	bits := client.BitLen()
	if client.Is6() {
		bits = bitsOfClient
	}
	who, _ := client.Prefix(bits) // the bits fit
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

// forget drops addresses that have not booked for an hour, and all of them if there are none.
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
