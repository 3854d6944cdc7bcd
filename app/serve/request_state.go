package serve

import (
	"context"
	"net/http"
	"net/netip"
	"strings"
	"time"
)

// requestState is a request and its answer: the ResponseWriter (answer) that
// the doors get, and what the middleware has found out.
type requestState struct {
	answer response
	body   body

	server     *server
	r          *http.Request   // what the doors get; the mux leaves its Pattern here
	connection context.Context // ends when the client leaves
	cancel     context.CancelFunc
	start      time.Time

	id      string
	idValue [1]string // the header's value, without a slice of its own

	client      netip.Addr
	trusted     bool // the peer is one of TrustedProxies
	proxied     bool // and it names the client
	relayed     bool // the peer is not, but sent a forwarding header
	secure      bool // the client uses HTTPS, as far as is known
	schemeKnown bool // secure is known, not assumed
	api         bool // the path is /api or below
	quiet       bool // no access line when all went well
	stream      bool
	aborted     bool // the connection was cut after a panic

	took    time.Duration // these two are set by finish
	outcome *outcome
}

func (s *server) newState(w http.ResponseWriter, r *http.Request) *requestState {
	e := &requestState{server: s, start: time.Now(), api: underAPI(r.URL.Path)}
	e.answer.ResponseWriter, e.answer.state = w, e
	e.connection = r.Context()
	var ctx context.Context
	ctx, e.cancel = context.WithDeadline(e.connection, e.start.Add(s.limits.Request))
	e.r = r.WithContext(context.WithValue(ctx, stateKey{}, e))
	if r.Body != nil && r.Body != http.NoBody {
		e.body.ReadCloser, e.body.of = r.Body, &s.bodies
		e.r.Body = &e.body
	}
	return e
}

// finish returns the outcome of the request, for the log and the metrics.
func (e *requestState) finish() *outcome {
	if e.outcome == nil {
		e.took = time.Since(e.start)
		e.outcome = e.server.outcomes.find(e.r.Pattern, e.r.Method, e.status())
	}
	return e.outcome
}

// status returns the status sent; 499 when the client left before there was one.
func (e *requestState) status() int {
	switch {
	case e.answer.status != 0:
		return e.answer.status
	case e.aborted, e.connection.Err() != nil:
		return 499
	}
	return http.StatusOK
}

func underAPI(path string) bool {
	rest, ok := strings.CutPrefix(path, "/api")
	return ok && (rest == "" || rest[0] == '/')
}

type stateKey struct{}

func stateOf(ctx context.Context) *requestState {
	e, _ := ctx.Value(stateKey{}).(*requestState)
	return e
}

// RequestID returns the request's X-Request-Id; "" outside a request of this server.
func RequestID(ctx context.Context) string {
	if e := stateOf(ctx); e != nil {
		return e.id
	}
	return ""
}

// ClientIP returns the address of the client: the peer's, or the one that trusted
// proxies name. IPv4 is never mapped into IPv6. The zero Addr outside a
// request of this server.
func ClientIP(ctx context.Context) netip.Addr {
	if e := stateOf(ctx); e != nil {
		return e.client
	}
	return netip.Addr{}
}
