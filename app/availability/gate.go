package availability

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"daybook/app/fault"
)

// Gate lets as many searches run at once as there are processors, and a few more wait.
type Gate struct {
	once    sync.Once
	places  chan struct{}
	waiting atomic.Int32
	waits   int32
	wait    time.Duration
}

func (g *Gate) open() {
	n := runtime.GOMAXPROCS(0)
	g.places, g.waits, g.wait = make(chan struct{}, n), int32(4*n), 2*time.Second
}

// enter waits for a place until ctx ends. The error is unavailable if too many searches wait already, or the wait is
// too long.
func (g *Gate) enter(ctx context.Context) error {
	g.once.Do(g.open)
	select {
	case g.places <- struct{}{}:
		return nil
	default:
	}
	defer g.waiting.Add(-1)
	if g.waiting.Add(1) > g.waits {
		return busy()
	}
	late := time.NewTimer(g.wait)
	defer late.Stop()
	select {
	case g.places <- struct{}{}:
		return nil
	case <-late.C:
		return busy()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Within runs a search that has no budget of its own at a place of the gate. Errors: unavailable, and those of search.
func (g *Gate) Within(ctx context.Context, search func() error) error {
	if err := g.enter(ctx); err != nil {
		return err
	}
	defer g.leave()
	return search()
}

func (g *Gate) leave() { <-g.places }

func busy() *fault.Error {
	const seconds = 3
	return fault.New(fault.Unavailable, "busy",
		"Too many searches for open times are running. Try again in a few seconds.").
		With("retryAfter", seconds)
}
