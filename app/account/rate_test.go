package account_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/subjects"
	"daybook/store"
	"daybook/store/enginetest"
)

// office is some servers on one file.
type office struct {
	*testing.T
	now     atomic.Int64 // Unix milliseconds
	servers []*subjects.Set
	store   *store.Store
}

func newOffice(t *testing.T, servers int) *office {
	o := &office{T: t}
	o.now.Store(time.Date(2026, 6, 1, 10, 0, 0, 0, time.UTC).UnixMilli())
	place := enginetest.Place(t)
	for range servers {
		o.store = store.New(enginetest.OpenAt(t, place))
		clock := func() time.Time { return time.UnixMilli(o.now.Load()).UTC() }
		o.servers = append(o.servers, subjects.New(subjects.Config{Config: app.Config{Store: o.store, Clock: clock}}))
	}
	return o
}

func (o *office) must(err error) {
	o.Helper()
	if err != nil {
		o.Fatal(err)
	}
}

func (o *office) join(servers ...*subjects.Set) {
	for _, s := range servers {
		o.must(s.Account.JoinRates(o.Context()))
	}
	o.second()
}

// second is what happens each second.
func (o *office) second() {
	o.now.Add(1000)
	for range 2 {
		for _, s := range o.servers {
			o.must(s.Account.SyncRates(o.Context()))
		}
	}
}

// ask sends requests to each server at once, and counts those that are let through.
func (o *office) ask(k account.Key, each int, servers ...*subjects.Set) int {
	var passed atomic.Int64
	var all sync.WaitGroup
	for _, s := range servers {
		for range each {
			all.Go(func() {
				if _, err := s.Account.Allow(k); err == nil {
					passed.Add(1)
				}
			})
		}
	}
	all.Wait()
	return int(passed.Load())
}

func (o *office) told() int {
	uses, err := o.store.Reader(o.Context()).(account.Reader).KeyUsesSince(0)
	o.must(err)
	return len(uses)
}

// A key has its rate over all servers of a file, within the bound that rate_share.go gives, and without a write per
// request.
func TestRateHoldsOverServers(t *testing.T) {
	for _, servers := range []int{2, 3, 5, 14} {
		o := newOffice(t, servers)
		for _, s := range o.servers {
			s.Account.WaitForReports()
		}
		o.join(o.servers...)
		k := account.Key{ID: 1, RateLimit: 120}
		const most = 132
		passed := o.ask(k, 200, o.servers...)
		t.Logf("%d servers: %d of %d requests passed, told %d times", servers, passed, 200*servers, o.told())
		if passed < 120 || passed > most {
			t.Errorf("%d servers let %d requests through, want 120 to %d", servers, passed, most)
		}
		if n, share := o.told(), 12/(servers-1); n > 120/(share+1)+servers {
			t.Errorf("%d requests cost %d writes", passed, n)
		}
		o.second()
		if n := o.ask(k, 20, o.servers...); n != 0 {
			t.Errorf("a second later %d more", n)
		}
		o.now.Add(61_000)
		if n := o.ask(k, 1, o.servers...); n != servers {
			t.Errorf("a minute later %d of %d servers let one through", n, servers)
		}
	}
}

// Each server hears of the other's requests within a second, and says so in what is left.
func TestServersHearOfEachOther(t *testing.T) {
	o := newOffice(t, 2)
	a, b := o.servers[0], o.servers[1]
	k := account.Key{ID: 1, RateLimit: 120}
	o.join(a)
	if n := o.ask(k, 100, a); n != 100 || o.told() != 0 {
		t.Fatalf("alone: %d let through, %d writes", n, o.told())
	}
	o.join(b) // and hears of the whole window of the first
	limit, err := b.Account.Allow(k)
	o.must(err)
	if limit.Remaining != 19 || limit.Reset > time.Minute {
		t.Errorf("left at the second server: %+v", limit)
	}
	if n := o.ask(k, 30, b); n != 19 {
		t.Errorf("%d more at the second server, want 19", n)
	}
	if limit, err = b.Account.Allow(k); err == nil || limit.RetryAfter <= 0 || limit.RetryAfter > time.Minute {
		t.Errorf("refused: %+v, %v", limit, err)
	}
	o.second()
	if limit, _ = a.Account.AllowHandshake(k); limit.Remaining != 0 {
		t.Errorf("the first server has not heard: %+v", limit)
	}
}

// A server that is alone is exact, and writes nothing.
func TestRateOfOneServerIsExact(t *testing.T) {
	o := newOffice(t, 1)
	o.join(o.servers...)
	k := account.Key{ID: 1, RateLimit: 120}
	if n := o.ask(k, 300, o.servers...); n != 120 {
		t.Errorf("%d of 300 requests passed, want 120", n)
	}
	o.second()
	if o.told() != 0 {
		t.Errorf("%d writes", o.told())
	}
}

// Servers whose clock is set back an hour keep nobody out for longer than a minute.
func TestSharedRateAfterAClockSetBack(t *testing.T) {
	o := newOffice(t, 2)
	o.join(o.servers...)
	k := account.Key{ID: 1, RateLimit: 120}
	o.ask(k, 200, o.servers...)
	o.now.Add(-3_600_000)
	o.second()
	if n := o.ask(k, 5, o.servers...); n != 0 {
		t.Errorf("%d more at once", n)
	}
	o.now.Add(62_000)
	if n := o.ask(k, 5, o.servers...); n != 10 {
		t.Errorf("%d of 10 a minute later", n)
	}
}

// What a server let through alone counts from the first moment at one that joins: requests beyond its first share wait
// until that has been told.
func TestAServerThatJoinsWaitsForTheOthersWord(t *testing.T) {
	o := newOffice(t, 2)
	a, b := o.servers[0], o.servers[1]
	k := account.Key{ID: 1, RateLimit: 120}
	o.must(a.Account.JoinRates(t.Context()))
	if n := o.ask(k, 120, a); n != 120 {
		t.Fatalf("alone: %d", n)
	}
	o.now.Add(100)
	o.must(b.Account.JoinRates(t.Context()))
	more := make(chan int)
	go func() { more <- o.ask(k, 100, b) }()
	o.must(a.Account.SyncRates(t.Context()))
	o.must(b.Account.SyncRates(t.Context()))
	if n := <-more; n > 12 {
		t.Errorf("%d more at the server that joined, want at most 12", n)
	}
}

// A server that was killed takes nothing from the others' shares for long.
func TestAKilledServerIsForgotten(t *testing.T) {
	o := newOffice(t, 2)
	o.join(o.servers...)
	b := o.servers[1]
	o.servers = o.servers[1:]
	for range 21 {
		o.second()
	}
	before := o.told()
	if n := o.ask(account.Key{ID: 1, RateLimit: 120}, 200, b); n != 120 {
		t.Errorf("%d of 200 at the server that is left", n)
	}
	if o.told() != before {
		t.Error("it goes on telling, to nobody")
	}
}
