package serve

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"
)

// A stop takes at most 9 s: 2 s for hooks, Limits.Drain (at most 6 s) for open
// requests, and the rest for loops, whose context ends at the start of the
// stop.
const (
	stopTotal = 9 * time.Second
	stopHooks = 2 * time.Second
)

// stop runs the hooks, ends streams, waits for requests, and closes what is
// still open.
func (s *server) stop(fronts []*front, run *loops) error {
	s.draining.Store(true)
	all, done := context.WithTimeout(context.Background(), stopTotal)
	defer done()
	s.runHooks(all)
	s.stopStreams()

	drain, cancel := context.WithTimeout(all, s.limits.Drain)
	defer cancel()
	var closing sync.WaitGroup
	for _, f := range fronts {
		closing.Go(func() {
			defer f.abort()
			if f.http.Shutdown(drain) != nil {
				s.log.Warn("requests still open at shutdown are cut off", "addr", f.listener.Addr().String(), "inFlight",
					s.inFlight.Load())
				f.http.Close()
			}
		})
	}
	closing.Wait()
	return run.wait(all)
}

// runHooks calls the OnShutdown functions and waits for them, at most 2 s.
func (s *server) runHooks(all context.Context) {
	ctx, cancel := context.WithTimeout(all, stopHooks)
	defer cancel()
	ended := make(chan struct{})
	var hooks sync.WaitGroup
	for _, f := range s.config.OnShutdown {
		hooks.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					s.log.Error("panic at shutdown", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
				}
			}()
			f(ctx)
		})
	}
	go func() { hooks.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-ctx.Done():
		s.log.Warn("shutdown does not wait for its hooks any longer")
	}
}
