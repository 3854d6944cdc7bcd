package serve

import (
	"net/http"
	"strings"
)

// promisesHTTPS says whether the world is told to come by HTTPS.
func (s *server) promisesHTTPS() bool {
	return len(s.config.TLSDomains) > 0 || s.config.BaseURL != nil && s.config.BaseURL.Scheme == "https"
}

// httpsOnly refuses what a trusted proxy says came over plain HTTP, when the
// base URL is https. Where nobody tells the scheme, the request is served.
func (s *server) httpsOnly(next step) step {
	if !s.promisesHTTPS() {
		return next
	}
	return func(e *exchange) {
		if e.told && !e.secure && !plainAllowed(e.r.URL.Path) {
			s.refusePlain(e)
			return
		}
		if e.proxied && !e.told {
			s.untold.Do(func() {
				s.log.Warn("the proxy does not say whether its clients use HTTPS, so plain HTTP can't be refused",
					"action", "have the proxy set X-Forwarded-Proto")
			})
		}
		next(e)
	}
}

// plainAllowed says whether a path is for those who can't use HTTPS: probes of
// this machine, and the certificate authority.
func plainAllowed(path string) bool {
	switch path {
	case "/healthz", "/readyz", "/metrics":
		return true
	}
	return strings.HasPrefix(path, "/.well-known/acme-challenge/")
}

// refusePlain sends who only reads to HTTPS. A key, or what a form holds, was
// sent in the clear already: that must not go unnoticed, so it is an error.
func (s *server) refusePlain(e *exchange) {
	to := s.httpsHost(e.r.Host)
	reads := e.r.Method == http.MethodGet || e.r.Method == http.MethodHead
	switch {
	case e.r.Header.Get("Authorization") != "":
		e.fail(http.StatusForbidden, "This server is used over HTTPS only: use "+to+" and replace the API key, which was sent in the clear.")
	case !reads:
		e.fail(http.StatusForbidden, "This server is used over HTTPS only, so nothing was done: use "+to+".")
	default:
		e.answer.Header()["Location"] = []string{to + e.r.URL.RequestURI()}
		e.answer.Header()["Cache-Control"] = []string{"no-store"}
		e.answer.WriteHeader(http.StatusPermanentRedirect)
	}
}
