package serve

import (
	"context"
	"net/http"
	"net/netip"
	"strings"
	"time"
)

// exchange is one request and its answer: the ResponseWriter (answer) and the
// context that the doors get, and what the middleware learns, in one
// allocation.
type exchange struct {
	answer answer
	ctx    requestContext

	server *server
	r      *http.Request // what the doors get; the mux leaves its Pattern here
	start  time.Time

	id      string
	idValue [1]string // the header's value, without a slice of its own

	client  netip.Addr
	trusted bool // the peer is one of TrustedProxies
	proxied bool // and it says whom it speaks for
	relayed bool // the peer is not, but says it forwards
	secure  bool // HTTPS, as far as is told
	told    bool // it is known whether it is
	api     bool // the path is /api or below
	quiet   bool // no access line when all went well
	stream  bool
	aborted bool // the connection was cut after a panic

	took    time.Duration // these two by over
	outcome *outcome
}

func (s *server) newExchange(w http.ResponseWriter, r *http.Request) *exchange {
	e := &exchange{server: s, start: time.Now(), api: underAPI(r.URL.Path)}
	e.answer.ResponseWriter, e.answer.exchange = w, e
	e.ctx.Context, e.ctx.exchange = r.Context(), e
	e.r = r.WithContext(&e.ctx)
	return e
}

// over says what came of it, to the log and the metrics alike.
func (e *exchange) over() *outcome {
	if e.outcome == nil {
		e.took = time.Since(e.start)
		e.outcome = e.server.outcomes.find(e.r.Pattern, e.r.Method, e.status())
	}
	return e.outcome
}

// status is the one sent; 499 when the client left before there was one.
func (e *exchange) status() int {
	switch {
	case e.answer.status != 0:
		return e.answer.status
	case e.aborted, e.ctx.Context.Err() != nil:
		return 499
	}
	return http.StatusOK
}

func underAPI(path string) bool {
	rest, ok := strings.CutPrefix(path, "/api")
	return ok && (rest == "" || rest[0] == '/')
}

type exchangeKey struct{}

func exchangeOf(ctx context.Context) *exchange {
	e, _ := ctx.Value(exchangeKey{}).(*exchange)
	return e
}

// RequestID is the request's X-Request-Id; "" outside a request of this server.
func RequestID(ctx context.Context) string {
	if e := exchangeOf(ctx); e != nil {
		return e.id
	}
	return ""
}

// ClientIP is the address of whoever asks: the peer's, or what trusted proxies
// say of theirs. IPv4 is never mapped into IPv6. The zero Addr outside a
// request of this server.
func ClientIP(ctx context.Context) netip.Addr {
	if e := exchangeOf(ctx); e != nil {
		return e.client
	}
	return netip.Addr{}
}

// Secure says whether the client speaks HTTPS, to us or to a trusted proxy.
func Secure(ctx context.Context) bool {
	e := exchangeOf(ctx)
	return e != nil && e.secure
}
