package serve

import "context"

// Secure reports whether the server takes the request of ctx for one over HTTPS.
func Secure(ctx context.Context) bool {
	e := stateOf(ctx)
	return e != nil && e.secure
}
