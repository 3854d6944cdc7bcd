package serve

import (
	"context"
	"net/http"
	"time"
)

// timeout ends the request's context after Limits.Request. When the handler
// then returns without an answer, the answer is 500: the connection's own
// deadline would only cut it.
func (s *server) timeout(next step) step {
	return func(e *requestState) {
		if e.body.of != nil {
			defer e.body.release()
		}
		next(e)
		if e.answer.status == 0 && e.answer.deferred == 0 && e.body.slow {
			e.tooSlow()
		} else if e.answer.status == 0 && e.answer.deferred == 0 && !e.stream && time.Since(e.start) >= s.limits.Request {
			e.fail(http.StatusInternalServerError, "This took too long and was given up. Please try again.")
		}
		if e.r.MultipartForm != nil {
			e.r.MultipartForm.RemoveAll() //nolint:errcheck // net/http does this for the request it made, not for our copy
		}
	}
}

// tooSlow answers that the body stopped coming.
func (e *requestState) tooSlow() {
	e.answer.Header().Set("Connection", "close")
	e.fail(http.StatusRequestTimeout, errSlow.Error())
}

// uploadTime is how long the upload of a large file and its answer may take: 10 MB at half a megabit a second.
const uploadTime = 3 * time.Minute

// Upload gives a request, once the door knows who sends it, the time that a large body needs on a slow line, in place
// of Limits. A body that comes more slowly than uploadPace ends before. The door goes on with the request that is returned, and calls done at the end.
func Upload(w http.ResponseWriter, r *http.Request) (longer *http.Request, done func()) {
	end := time.Now().Add(uploadTime)
	rc := http.NewResponseController(w)
	rc.SetReadDeadline(end)  //nolint:errcheck // a writer without deadlines is fine
	rc.SetWriteDeadline(end) //nolint:errcheck
	e := stateOf(r.Context())
	if e == nil {
		return r, func() {}
	}
	e.body.paced, e.body.due, e.body.end = rc, time.Now().Add(e.server.limits.Upload), end
	e.body.slack = 2 * e.server.limits.Upload
	// Keep the values; end with the connection.
	ctx, cancel := context.WithDeadline(context.WithoutCancel(r.Context()), end)
	stop := context.AfterFunc(e.connection, cancel)
	e.stream = true
	return r.WithContext(ctx), func() { stop(); cancel() }
}

// Stream is for routes whose answer stays open: it removes the deadlines of
// connection and request, and ends the request's context when the client
// leaves or the server begins to stop.
func Stream(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rc := http.NewResponseController(w)
		rc.SetReadDeadline(time.Time{})  //nolint:errcheck // a writer without deadlines is fine
		rc.SetWriteDeadline(time.Time{}) //nolint:errcheck
		e := stateOf(r.Context())
		if e == nil {
			h.ServeHTTP(w, r)
			return
		}
		// Keep the values, without the deadline; end when connection or server end.
		ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context()))
		defer cancel()
		defer context.AfterFunc(e.connection, cancel)()
		defer context.AfterFunc(e.server.stopping, cancel)()
		e.stream = true
		e.server.streams.Add(1)
		defer e.server.streams.Add(-1)
		h.ServeHTTP(w, r.WithContext(ctx))
	})
}
