package app

import (
	"sync"
	"time"
)

// How many wrong passwords are taken within signInSpan: of one account from one address, of one address for any
// account, of one account from anywhere. The last is wide, so that a stranger can't lock an owner out for long.
const (
	signInSpan       = 15 * time.Minute
	perAccountAtOnce = 5
	perAddress       = 30
	perAccount       = 100
)

// attempts counts failed sign-ins in memory: a restart forgives them.
type attempts struct {
	mu       sync.Mutex
	failures map[string]*tries
}

type tries struct {
	count int
	since time.Time
}

const maxTracked = 50_000

func limitsOf(account, address string) map[string]int {
	return map[string]int{"b:" + account + "\x00" + address: perAccountAtOnce, "i:" + address: perAddress, "a:" + account: perAccount}
}

func (t *attempts) allow(now time.Time, account, address string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for key, most := range limitsOf(account, address) {
		if f := t.failures[key]; f != nil && now.Sub(f.since) < signInSpan && f.count >= most {
			return false
		}
	}
	return true
}

func (t *attempts) failed(now time.Time, account, address string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.failures) > maxTracked {
		for key, f := range t.failures {
			if now.Sub(f.since) >= signInSpan || len(t.failures) > 2*maxTracked {
				delete(t.failures, key)
			}
		}
	}
	if t.failures == nil {
		t.failures = map[string]*tries{}
	}
	for key := range limitsOf(account, address) {
		f := t.failures[key]
		if f == nil || now.Sub(f.since) >= signInSpan {
			f = &tries{since: now}
			t.failures[key] = f
		}
		f.count++
	}
}

// passed forgives the account at that address.
func (t *attempts) passed(account, address string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.failures, "b:"+account+"\x00"+address)
}
