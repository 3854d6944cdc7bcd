package serve

import (
	"net/http"
	"strings"
)

// promisesHTTPS reports whether the public address is https.
func (s *server) promisesHTTPS() bool {
	return len(s.config.TLSDomains) > 0 || s.config.BaseURL != nil && s.config.BaseURL.Scheme == "https"
}

// httpsOnly refuses requests that came over plain HTTP, as a trusted proxy
// says, when the base URL is https. A request of unknown scheme is served.
func (s *server) httpsOnly(next step) step {
	if !s.promisesHTTPS() {
		return next
	}
	return func(e *requestState) {
		if e.schemeKnown && !e.secure && !httpAllowed(e.r.URL.Path) {
			s.refuseHTTP(e)
			return
		}
		if e.proxied && !e.schemeKnown {
			s.schemeWarning.Do(func() {
				s.log.Warn("the proxy does not say whether its clients use HTTPS, so plain HTTP can't be refused",
					"action", "have the proxy set X-Forwarded-Proto")
			})
		}
		next(e)
	}
}

// httpAllowed reports whether a path is for clients that can't use HTTPS:
// probes on this machine, and the certificate authority.
func httpAllowed(path string) bool {
	switch path {
	case "/healthz", "/readyz", "/metrics":
		return true
	}
	return strings.HasPrefix(path, "/.well-known/acme-challenge/")
}

// refuseHTTP redirects a request that only reads to HTTPS. A key or a form was
// already sent in the clear: the client must learn of it, so it gets an error.
func (s *server) refuseHTTP(e *requestState) {
	to := s.httpsHost(e.r.Host)
	reads := e.r.Method == http.MethodGet || e.r.Method == http.MethodHead
	switch {
	case e.r.Header.Get("Authorization") != "":
		e.fail(http.StatusForbidden,
			"This server is used over HTTPS only: use "+to+" and replace the API key, which was sent in the clear.")
	case !reads:
		e.fail(http.StatusForbidden, "This server is used over HTTPS only, so nothing was done: use "+to+".")
	default:
		e.answer.Header()["Location"] = []string{to + e.r.URL.RequestURI()}
		e.answer.Header()["Cache-Control"] = []string{"no-store"}
		e.answer.WriteHeader(http.StatusPermanentRedirect)
	}
}
