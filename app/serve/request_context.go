package serve

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// requestContext is the context of a request: the connection's, ending after
// Limits.Request. The timer is made when the end is first waited for, so that
// a handler that answers from memory needs none.
type requestContext struct {
	context.Context
	state *requestState

	mu      sync.Mutex
	bounded atomic.Pointer[context.Context]
	cancel  context.CancelFunc
}

func (l *requestContext) Deadline() (time.Time, bool) {
	return l.state.start.Add(l.state.server.limits.Request), true
}

func (l *requestContext) Done() <-chan struct{} { return l.bound().Done() }

func (l *requestContext) Err() error {
	if c := l.bounded.Load(); c != nil {
		return (*c).Err()
	}
	return l.Context.Err()
}

func (l *requestContext) Value(key any) any {
	if _, ok := key.(stateKey); ok {
		return l.state
	}
	// Package context finds its own parent through Value, after calling Done:
	// it must find the one whose Done that was, or it starts a goroutine.
	if c := l.bounded.Load(); c != nil {
		return (*c).Value(key)
	}
	return l.Context.Value(key)
}

func (l *requestContext) bound() context.Context {
	if c := l.bounded.Load(); c != nil {
		return *c
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.bounded.Load(); c != nil {
		return *c
	}
	end, _ := l.Deadline()
	ctx, cancel := context.WithDeadline(l.Context, end)
	l.cancel = cancel
	l.bounded.Store(&ctx)
	return ctx
}

// end frees the timer.
func (l *requestContext) end() {
	if l.bounded.Load() == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cancel()
}
