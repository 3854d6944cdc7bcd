package serve

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
)

// recovery turns a panic into a 500; the stack goes to the log only. When part
// of the answer was sent already, the connection is cut, so that no client
// takes half an answer for a whole one.
func (s *server) recovery(next step) step {
	return func(e *requestState) {
		defer func() {
			cause := recover()
			if cause == nil {
				return
			}
			if cause == http.ErrAbortHandler { //nolint:errorlint // net/http compares it so
				e.aborted = true
				panic(cause)
			}
			s.log.LogAttrs(e.r.Context(), slog.LevelError, "panic in a handler",
				slog.String("panic", fmt.Sprint(cause)), slog.String("method", e.r.Method), slog.String("route", e.r.Pattern),
				slog.String("requestId", e.id), slog.String("stack", string(debug.Stack())))
			if e.answer.status != 0 {
				e.aborted = true
				panic(http.ErrAbortHandler)
			}
			e.answer.deferred = 0
			e.fail(http.StatusInternalServerError, statusMessage(http.StatusInternalServerError))
		}()
		next(e)
	}
}
