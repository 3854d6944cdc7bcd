package serve

import (
	"context"
	"io"
	"log/slog"
)

// ErrorLog returns what takes the lines of net/http.
func ErrorLog(log *slog.Logger) io.Writer { return &errorLog{log: log} }

// Secure reports whether the server takes the request of ctx for one over HTTPS.
func Secure(ctx context.Context) bool {
	e := stateOf(ctx)
	return e != nil && e.secure
}
