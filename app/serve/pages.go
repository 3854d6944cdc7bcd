package serve

import (
	"net/http"
	"strings"
)

// pages answers what no pattern of Routes matches. It is a mux of its own,
// because in one mux "GET /{workspace}/{eventType}" conflicts with "/api/mcp",
// with "/assets/" and with every other pattern that is wider in its methods or
// below its prefix. Nothing under /api gets there: that is 404, or 405 with
// Allow where another method would do.
func (s *server) pages() http.Handler {
	own := http.NewServeMux()
	s.config.Pages(own)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !underAPI(r.URL.Path) {
			own.ServeHTTP(w, r)
			return
		}
		r.Pattern = "" // as the mux leaves it when nothing matches
		if allow := s.allowed(r); len(allow) > 0 {
			w.Header().Set("Allow", strings.Join(allow, ", "))
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		w.WriteHeader(http.StatusNotFound)
	})
}

// allowed are the methods that Routes has for this path.
func (s *server) allowed(r *http.Request) (methods []string) {
	for _, m := range []string{"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"} {
		probe := http.Request{Method: m, URL: r.URL, Host: r.Host}
		if _, pattern := s.mux.Handler(&probe); pattern != "/" && pattern != "" {
			methods = append(methods, m)
		}
	}
	return methods
}
