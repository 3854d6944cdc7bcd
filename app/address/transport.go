package address

import (
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// Transport makes requests that obey the law, each connection of theirs by whether the request is over TLS. It follows
// no redirect: that is the client's.
func (l *Law) Transport() http.RoundTripper {
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		d := &net.Dialer{Timeout: 10 * time.Second, Control: l.Control(secure(ctx))}
		return d.DialContext(ctx, network, address)
	}
	return lawful{Outward{&http.Transport{DialContext: dial, TLSHandshakeTimeout: 10 * time.Second,
		MaxResponseHeaderBytes: 64 << 10, IdleConnTimeout: 20 * time.Second, MaxIdleConnsPerHost: 2}}}
}

// lawful tells the dialer whether a request is over TLS.
type lawful struct{ http.RoundTripper }

type secureKey struct{}

func secure(ctx context.Context) bool { yes, _ := ctx.Value(secureKey{}).(bool); return yes }

func (l lawful) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx := context.WithValue(r.Context(), secureKey{}, r.URL.Scheme == "https")
	return l.RoundTripper.RoundTrip(r.WithContext(ctx))
}

// Short is a transport for libraries that read an answer as a whole, however long it is: reading more than Most bytes of
// one fails.
type Short struct {
	http.RoundTripper
	Most int64
}

// RoundTrip implements http.RoundTripper.
func (s Short) RoundTrip(r *http.Request) (*http.Response, error) {
	a, err := s.RoundTripper.RoundTrip(r)
	if err == nil {
		a.Body = http.MaxBytesReader(nil, a.Body, s.Most)
	}
	return a, err
}

// AtOnce is a transport that bounds how many answers are read at a time, by the capacity of Places. An answer takes a
// place with its first byte, once there is one, and keeps it until it is closed. While it waits, the request may end by
// its context, whose error Read returns.
type AtOnce struct {
	http.RoundTripper
	Places chan struct{}
}

// RoundTrip implements http.RoundTripper.
func (t AtOnce) RoundTrip(r *http.Request) (*http.Response, error) {
	a, err := t.RoundTripper.RoundTrip(r)
	if err == nil && a.Body != http.NoBody {
		a.Body = &placed{ReadCloser: a.Body, ctx: r.Context(), places: t.Places}
	}
	return a, err
}

// placed is the body of an answer that takes a place.
type placed struct {
	io.ReadCloser
	ctx    context.Context
	places chan struct{}

	mu    sync.Mutex // Close may come while Read waits
	taken bool
	ended bool
}

func (b *placed) Read(p []byte) (int, error) {
	if err := b.take(); err != nil {
		return 0, err
	}
	return b.ReadCloser.Read(p)
}

func (b *placed) take() error {
	b.mu.Lock()
	taken := b.taken
	b.mu.Unlock()
	if taken {
		return nil
	}
	select {
	case b.places <- struct{}{}:
	case <-b.ctx.Done():
		return b.ctx.Err()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended {
		<-b.places
		return net.ErrClosed
	}
	b.taken = true
	return nil
}

func (b *placed) Close() error {
	b.mu.Lock()
	if b.taken && !b.ended {
		<-b.places
	}
	b.ended = true
	b.mu.Unlock()
	return b.ReadCloser.Close()
}
