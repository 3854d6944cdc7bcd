package serve

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// requestContext is the context of a request: the connection's, ending after
// Limits.Request. The timer is made when someone first waits for the end, so a
// handler that answers from memory does not pay for it.
type requestContext struct {
	context.Context
	exchange *exchange

	mu      sync.Mutex
	bounded atomic.Pointer[context.Context]
	cancel  context.CancelFunc
}

func (l *requestContext) Deadline() (time.Time, bool) {
	return l.exchange.start.Add(l.exchange.server.limits.Request), true
}

func (l *requestContext) Done() <-chan struct{} { return l.bound().Done() }

func (l *requestContext) Err() error {
	if c := l.bounded.Load(); c != nil {
		return (*c).Err()
	}
	return l.Context.Err()
}

func (l *requestContext) Value(key any) any {
	if _, ok := key.(exchangeKey); ok {
		return l.exchange
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
