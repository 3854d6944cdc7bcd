package access

import (
	"container/list"
	"net/netip"
	"slices"
	"sync"
	"time"

	"daybook/app/account"
	"daybook/app/fault"
	"daybook/app/when"
)

// Calls counts the calls of network addresses without a key of their own, on each server separately: in any 60 seconds
// an address gets at most so many. An IPv6 address stands for its /64; loopback isn't counted.
type Calls struct {
	mu      sync.Mutex
	callers map[string]*list.Element
	latest  list.List // of *caller: who called last is in front
}

// caller is one network address, and when it called within the last minute.
type caller struct {
	name string
	at   []when.Instant // the earliest first; never more than its most
}

// maxCallers is how many are remembered. With more of them the one that has been quiet for longest is forgotten, so
// that no number of strangers closes the door for others. All together take 9 MB with a call each, and 60 MB with 120
// each (TestCallersTakeLittleMemory).
const maxCallers = 50_000

// Count counts a call from the address, separately for each purpose, and returns how many are left. The error is
// rate_limited after most calls in a minute.
func (c *Calls) Count(now time.Time, from netip.Addr, what string, most int) (account.Limit, error) {
	if from.IsLoopback() || !from.IsValid() {
		return account.Limit{Limit: most, Remaining: most}, nil
	}
	bits := from.BitLen()
	if from.Is6() {
		bits = 64
	}
	network, _ := from.Prefix(bits)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.prune(when.At(now))
	who := c.caller(what + network.String())
	at := when.At(now)
	who.forget(at)
	left := account.Limit{Limit: most, Reset: time.Minute}
	if len(who.at) > 0 {
		left.Reset = who.at[0].Add(time.Minute).Time().Sub(now)
	}
	if len(who.at) >= most {
		return left, fault.New(fault.RateLimited, "", "Too many calls. Wait a minute.").
			With("retryAfter", int((left.Reset+time.Second-1)/time.Second))
	}
	who.at = append(who.at, at)
	left.Remaining = most - len(who.at)
	return left, nil
}

// caller returns the one of that name, as the latest; for a new one the quietest may be forgotten.
func (c *Calls) caller(name string) *caller {
	if known := c.callers[name]; known != nil {
		c.latest.MoveToFront(known)
		return known.Value.(*caller)
	}
	if c.callers == nil {
		c.callers = map[string]*list.Element{}
	}
	for c.latest.Len() >= maxCallers {
		quietest := c.latest.Back()
		c.latest.Remove(quietest)
		delete(c.callers, quietest.Value.(*caller).name)
	}
	who := &caller{name: name}
	c.callers[name] = c.latest.PushFront(who)
	return who
}

// prune forgets some of those who have been quiet for a minute.
func (c *Calls) prune(now when.Instant) {
	for range 2 { // more than one call adds
		quietest := c.latest.Back()
		if quietest == nil {
			return
		}
		who := quietest.Value.(*caller)
		if who.forget(now); len(who.at) > 0 {
			return
		}
		c.latest.Remove(quietest)
		delete(c.callers, who.name)
	}
}

// forget drops the calls that are a minute old, and those of a clock that was set back since.
func (who *caller) forget(now when.Instant) {
	who.at = slices.DeleteFunc(who.at, func(at when.Instant) bool { return now >= at.Add(time.Minute) || now < at })
}
