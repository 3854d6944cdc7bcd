package serve

import (
	"context"
	"net/http"
	"time"
)

// timeout ends the request's context after Limits.Request and, when the
// handler then left without a word, answers 500 in its place: the connection's
// own deadline would only cut it.
func (s *server) timeout(next step) step {
	return func(e *exchange) {
		defer e.ctx.end()
		next(e)
		if e.answer.status == 0 && e.answer.held == 0 && !e.stream && time.Since(e.start) >= s.limits.Request {
			e.fail(http.StatusInternalServerError, "This took too long and was given up. Please try again.")
		}
		if e.r.MultipartForm != nil {
			e.r.MultipartForm.RemoveAll() //nolint:errcheck // net/http does this for the request it made, not for our copy
		}
	}
}

// Stream is for routes whose answer stays open: the deadlines of connection
// and request are lifted, and the request's context ends when the client goes
// or the server begins to stop.
func Stream(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rc := http.NewResponseController(w)
		rc.SetReadDeadline(time.Time{})  //nolint:errcheck // a writer without deadlines needs none lifted
		rc.SetWriteDeadline(time.Time{}) //nolint:errcheck
		e := exchangeOf(r.Context())
		if e == nil {
			h.ServeHTTP(w, r)
			return
		}
		// The values stay; the ends are tied anew, without the deadline.
		ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context()))
		defer cancel()
		defer context.AfterFunc(e.ctx.Context, cancel)()
		defer context.AfterFunc(e.server.stopping, cancel)()
		e.stream = true
		e.server.streams.Add(1)
		defer e.server.streams.Add(-1)
		h.ServeHTTP(w, r.WithContext(ctx))
	})
}
