package assets

import (
	"net/http"
	"strconv"
	"strings"
)

const (
	forEver  = "public, max-age=31536000, immutable"
	eachTime = "public, no-cache"
	// A site that embeds us can't change its script tag, so embed.js is asked for again soon.
	embedAge = "public, max-age=600, stale-while-revalidate=86400"
)

// Handler serves GET and HEAD under Prefix. A name with the hash of today's content
// may be cached for ever; one without, or with the hash of another release, gets
// today's content and is asked for again each time.
//
// It writes plain text: serve packs it.
//
// brand makes the stylesheet of a colour given as six lower-case hex digits, and
// says false to anything else; nil means there are none.
func Handler(brand func(hex string) (css []byte, ok bool)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, hash := unhash(strings.TrimPrefix(r.URL.Path, Prefix))
		a, ok := served[name]
		if hex, is := strings.CutPrefix(name, "brand-"); is && brand != nil {
			var css []byte
			if css, ok = brand(strings.TrimSuffix(hex, ".css")); ok && strings.HasSuffix(hex, ".css") {
				a = newAsset(name, css)
			} else {
				ok = false
			}
		}
		if !ok {
			http.NotFound(w, r)
			return
		}
		cache := eachTime
		if hash == a.hash {
			cache = forEver
		}
		serve(w, r, a, cache)
	})
}

// EmbedJS serves the script that other sites load.
func EmbedJS() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
		w.Header().Set("Access-Control-Allow-Origin", "*")
		serve(w, r, embedJS, embedAge)
	})
}

func serve(w http.ResponseWriter, r *http.Request, a asset, cache string) {
	h := w.Header()
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	tag := `"` + a.hash + `"`
	h.Set("Cache-Control", cache)
	h.Set("ETag", tag)
	h.Set("X-Content-Type-Options", "nosniff")
	if matches(r.Header.Get("If-None-Match"), tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", a.contentType)
	h.Set("Content-Length", strconv.Itoa(len(a.content)))
	if r.Method == http.MethodGet {
		w.Write(a.content)
	}
}

func matches(header, tag string) bool {
	for _, t := range strings.Split(header, ",") {
		t = strings.TrimPrefix(strings.TrimSpace(t), "W/")
		if t == tag || t == "*" {
			return true
		}
	}
	return false
}
