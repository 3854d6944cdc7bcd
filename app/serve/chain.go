package serve

import (
	"net/http"
	"slices"
)

// step handles a request; middleware is a step around another. They get the
// state of the request itself, so that no step looks it up in a context.
type (
	step       func(e *requestState)
	middleware func(next step) step
)

// chain returns what every request goes through, outermost first.
func (s *server) chain(doors http.Handler) http.Handler {
	return s.begin([]middleware{
		s.clientAddress, // ClientIP, HTTPS or not, Host
		s.requestID,     // X-Request-Id in and out
		s.accessLog,     // one line when the request is done
		s.metrics,       // in flight, duration by route
		s.recovery,      // a panic is a 500; inside the two above, so that they see it
		s.headers,       // nosniff, HSTS; Referrer-Policy comes with the head
		s.timeout,       // ends the context; 500 when there is no answer by then
		s.httpsOnly,     // refuses plain HTTP when the base URL is https
		s.compress,      // gzip for pages, assets and the API
		s.apiErrors,     // only JSON errors under /api
	}, func(e *requestState) { doors.ServeHTTP(&e.answer, e.r) })
}

// begin makes the state of a request and runs the steps on it.
func (s *server) begin(steps []middleware, last step) http.Handler {
	first := last
	for _, m := range slices.Backward(steps) {
		first = m(first)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e := s.newState(w, r)
		defer e.cancel()
		first(e)
	})
}
