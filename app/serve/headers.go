package serve

import (
	"net/http"
	"strings"
)

// The values are shared by all answers. Appending to one copies it, because
// its capacity is its length.
var (
	nosniff    = []string{"nosniff"}
	sameOrigin = []string{"same-origin"}
	hsts       = []string{"max-age=31536000"}
)

// headers sets what every answer carries. Content-Security-Policy and who may
// frame a page are up to the doors. With an https base URL, HSTS has browsers
// use HTTPS from their second visit on.
func (s *server) headers(next step) step {
	return func(e *requestState) {
		h := e.answer.Header()
		h["X-Content-Type-Options"] = nosniff
		if e.r.TLS != nil || s.promisesHTTPS() && (e.secure || !e.schemeKnown) {
			h["Strict-Transport-Security"] = hsts
		}
		next(e)
	}
}

// htmlHeaders adds what only pages need, when the head is sent: addresses with
// a token in them stay on this site. A door's own policy is kept.
func htmlHeaders(h http.Header) {
	if ct := h["Content-Type"]; len(ct) > 0 && !strings.HasPrefix(ct[0], "text/html") {
		return
	}
	if _, ok := h["Referrer-Policy"]; !ok {
		h["Referrer-Policy"] = sameOrigin
	}
}
