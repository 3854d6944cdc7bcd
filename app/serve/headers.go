package serve

import (
	"net/http"
	"strings"
)

// The values are shared by all answers; nobody appends to them in place, for
// their capacity is their length.
var (
	nosniff    = []string{"nosniff"}
	sameOrigin = []string{"same-origin"}
	hsts       = []string{"max-age=31536000"}
)

// headers sets what every answer carries. Content-Security-Policy and who may
// frame a page are the doors' business. HSTS goes by the base URL: who promises
// HTTPS to the world gets it from those who have been here once.
func (s *server) headers(next step) step {
	return func(e *exchange) {
		h := e.answer.Header()
		h["X-Content-Type-Options"] = nosniff
		if e.r.TLS != nil || s.promisesHTTPS() && (e.secure || !e.told) {
			h["Strict-Transport-Security"] = hsts
		}
		next(e)
	}
}

// htmlHeaders adds what only pages need, when the head goes out: addresses
// with a token in them stay on this site. A door's own policy stands.
func htmlHeaders(h http.Header) {
	if ct := h["Content-Type"]; len(ct) > 0 && !strings.HasPrefix(ct[0], "text/html") {
		return
	}
	if _, ok := h["Referrer-Policy"]; !ok {
		h["Referrer-Policy"] = sameOrigin
	}
}
