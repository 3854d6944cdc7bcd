package serve

import "net/http"

// pages answers paths that no pattern of Routes matches. It is a mux of its own,
// because in one mux "GET /{workspace}/{eventType}" conflicts with "/api/mcp",
// with "/assets/" and with every other pattern that is wider in its methods or
// below its prefix. Nothing under /api gets there: package rest answers
// unknown paths and methods of the API.
func (s *server) pages() http.Handler {
	own := http.NewServeMux()
	s.config.Pages(own)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !underAPI(r.URL.Path) {
			own.ServeHTTP(w, r)
			return
		}
		r.Pattern = "" // as the mux leaves it when nothing matches
		w.WriteHeader(http.StatusNotFound)
	})
}
