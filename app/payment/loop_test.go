package payment

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"daybook/app/work"
)

// nights is a Queue that notes which buckets are looked at, on a server whose share changes.
type nights struct {
	Queue
	mu     sync.Mutex
	share  work.Share
	looked []work.Buckets
}

func (n *nights) Now() time.Time { return time.Now() }

func (n *nights) Share() work.Share {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.share
}

func (n *nights) ReconcilePayments(_ context.Context, of work.Buckets) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.looked = append(n.looked, of)
	return nil
}

// becomes gives the server a share, waits so long, and returns what was looked at meanwhile.
func (n *nights) becomes(b work.Buckets, wait time.Duration) []work.Buckets {
	n.mu.Lock()
	n.share.Buckets, n.looked = b, nil
	n.mu.Unlock()
	time.Sleep(wait) // of the bubble's clock
	synctest.Wait()
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.looked
}

// Every bucket is looked at each night, also when its server has no lease at that minute, or gets the bucket later.
func TestEveryBucketIsLookedAtEachNight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the clock of a test bubble begins at midnight UTC
		n := &nights{}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- NewLoop(n, LoopOptions{Poll: 10 * time.Second}).Reconcile(ctx) }()
		looks := func(what string, b work.Buckets, wait time.Duration, want ...work.Buckets) {
			t.Helper()
			if got := n.becomes(b, wait); len(got) != len(want) || len(got) == 1 && got[0] != want[0] {
				t.Errorf("%s: looked at %x, want %x", what, got, want)
			}
		}
		looks("before the first lease", 0, time.Minute)
		looks("its first share", 0b0101, time.Minute, 0b0101)
		looks("another server has died", 0b0111, time.Minute, 0b0010)
		looks("another server has joined", 0b0011, time.Minute)
		looks("the first night, without a lease", 0, 4*time.Hour)
		looks("after it", 0b0011, time.Minute, 0b0011)
		looks("the second night", 0b0011, 24*time.Hour, 0b0011)
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}
