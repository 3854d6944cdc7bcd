package address

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"sync"
)

// ErrWithin is the error of a connection that work within a transaction tries to make.
var ErrWithin = errors.New("address: nothing may leave from within a transaction")

// Within marks work that runs inside of a transaction as a whole, such as a dry run: it must not reach beyond the
// database, as others wait for its end and what it did is undone. No connection can be made with the context: all that
// this program makes for somebody's command pass Outward or Leave. CheckHost, which asks DNS, keeps its question for
// Questions.Ask, and answers as if the name had no address.
func Within(ctx context.Context) (context.Context, *Questions) {
	q := &Questions{known: map[string][]netip.Addr{}, open: map[string]func(context.Context) ([]netip.Addr, error){}}
	return q.Within(ctx), q
}

// Questions are what work within a transaction would have asked others.
type Questions struct {
	mu    sync.Mutex
	left  bool
	known map[string][]netip.Addr
	open  map[string]func(context.Context) ([]netip.Addr, error)
}

type withinKey struct{}

func within(ctx context.Context) *Questions { q, _ := ctx.Value(withinKey{}).(*Questions); return q }

// Within marks work like that of the first Within, to which the answers are known that Ask got.
func (q *Questions) Within(ctx context.Context) context.Context {
	return context.WithValue(ctx, withinKey{}, q)
}

// Ask asks DNS what the work wanted to know, outside of the transaction, and reports whether there was anything: then
// the work's outcome doesn't count, and it must run again.
func (q *Questions) Ask(ctx context.Context) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	some := len(q.open) > 0
	for host, resolve := range q.open {
		all, err := resolve(ctx)
		if err != nil {
			all = nil
		}
		q.known[host] = all
		delete(q.open, host)
	}
	return some
}

// Left reports whether the work tried to make a connection.
func (q *Questions) Left() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.left
}

// resolve answers what is known of a host's addresses, or keeps the question.
func (q *Questions) resolve(host string, ask func(context.Context) ([]netip.Addr, error)) ([]netip.Addr, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	all, known := q.known[host]
	if !known {
		q.open[host] = ask
		return nil, ErrWithin
	}
	return all, nil
}

// Leave returns ErrWithin for work within a transaction. Whoever makes a connection without a Transport calls it first.
func Leave(ctx context.Context) error {
	q := within(ctx)
	if q == nil {
		return nil
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.left = true
	return ErrWithin
}

// Outward is a transport that sends no request for work within a transaction, over no connection that is open either.
type Outward struct{ http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (o Outward) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := Leave(r.Context()); err != nil {
		if r.Body != nil {
			r.Body.Close()
		}
		return nil, err
	}
	return o.RoundTripper.RoundTrip(r)
}
