package serve

import (
	"net/http"
	"slices"
)

// step handles an exchange; middleware is a step around another. They are
// given the exchange itself, so that nothing is looked up in a context on the
// way.
type (
	step       func(e *exchange)
	middleware func(next step) step
)

// chain is the way of every request, outermost first.
func (s *server) chain(doors http.Handler) http.Handler {
	return s.begin([]middleware{
		s.clientAddress, // who asks, over what: ClientIP, Secure, Host
		s.requestID,     // X-Request-Id in and out
		s.accessLog,     // one line when it is over
		s.metrics,       // in flight, duration by route
		s.recovery,      // a panic is a 500; inside the two above, so that they see it
		s.headers,       // nosniff, HSTS; Referrer-Policy comes with the head
		s.timeout,       // the context's end; 500 when nothing was said by then
		s.httpsOnly,     // what is known to come over plain HTTP is refused, with an https base URL
		s.compress,      // gzip for pages and assets
		s.apiErrors,     // nothing but JSON errors under /api
	}, func(e *exchange) { doors.ServeHTTP(&e.answer, e.r) })
}

// begin makes the exchange and runs the steps on it.
func (s *server) begin(steps []middleware, last step) http.Handler {
	first := last
	for _, m := range slices.Backward(steps) {
		first = m(first)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		first(s.newExchange(w, r))
	})
}
