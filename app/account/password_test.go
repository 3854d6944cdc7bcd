package account

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"daybook/app/fault"
)

// Whoever finds two hashing and as many waiting as may is told so at once, and not left to wait.
func TestHashingIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewHashGate(2, 3)
		ctx, cancel := context.WithCancel(t.Context())
		results := make(chan error, 5)
		for range 5 {
			go func() { results <- g.Enter(ctx) }()
		}
		synctest.Wait() // two are in, three wait
		if len(results) != 2 {
			t.Fatalf("%d hash at once, want 2", len(results))
		}
		if err := g.Enter(ctx); !fault.Is(err, fault.RateLimited) || !IsUntried(err) {
			t.Errorf("one too many: %v", err)
		}
		g.Leave()
		synctest.Wait()
		if len(results) != 3 {
			t.Errorf("%d had their turn after one left, want 3", len(results))
		}
		cancel()
		synctest.Wait()
		for i := range 5 {
			if err := <-results; (err != nil) != (i >= 3) || err != nil && !errors.Is(err, context.Canceled) {
				t.Errorf("%d: %v", i, err)
			}
		}
		if len(g.Inside) != 2 || len(g.Places) != 2 {
			t.Errorf("%d inside, %d hash: who gave up still has a place", len(g.Inside), len(g.Places))
		}
	})
}
