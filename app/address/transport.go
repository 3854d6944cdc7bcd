package address

import (
	"context"
	"net"
	"net/http"
	"time"
)

// Transport makes requests that obey the law, each connection of theirs by whether the request is over TLS. It follows
// no redirect: that is the client's.
func (l *Law) Transport() http.RoundTripper {
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		d := &net.Dialer{Timeout: 10 * time.Second, Control: l.Control(secure(ctx)), Resolver: l.DNS}
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
