package access

import (
	"net/netip"
	"sync"
	"time"

	"daybook/app/account"
	"daybook/app/fault"
)

// Calls counts what network addresses ask for without a key of their own, each server by itself. An IPv6 address stands
// for its /64; loopback isn't counted.
type Calls struct {
	mu    sync.Mutex
	since time.Time // the minute that calls are counted in
	calls map[string]int
}

// maxCallers is how many are counted in a minute; with more of them none is let through.
const maxCallers = 100_000

// Count counts a call from the address, apart from those for something else, and says what is left. The error is
// rate_limited behind most calls in a minute.
func (c *Calls) Count(now time.Time, from netip.Addr, what string, most int) (account.Limit, error) {
	if from.IsLoopback() || !from.IsValid() {
		return account.Limit{Limit: most, Remaining: most}, nil
	}
	bits := from.BitLen()
	if from.Is6() {
		bits = 64
	}
	network, _ := from.Prefix(bits)
	who := what + network.String()
	c.mu.Lock()
	defer c.mu.Unlock()
	if age := now.Sub(c.since); age >= time.Minute || age < 0 || c.calls == nil {
		c.since, c.calls = now, map[string]int{}
	}
	n, known := c.calls[who]
	left := account.Limit{Limit: most, Reset: c.since.Add(time.Minute).Sub(now)}
	if n >= most || !known && len(c.calls) >= maxCallers {
		return left, (&fault.Error{Code: fault.RateLimited, Message: "Too many calls. Wait a minute."}).
			With("retryAfter", int((left.Reset+time.Second-1)/time.Second))
	}
	c.calls[who] = n + 1
	left.Remaining = most - n - 1
	return left, nil
}
