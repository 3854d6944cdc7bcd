package serve

import (
	"mime"
	"net/http"
)

// Attach sets the headers of a body that somebody uploaded: it is saved under that name and never shown as a page, no
// browser takes it for another kind, and nothing in it runs or is loaded.
func Attach(h http.Header, media, name string) {
	h.Set("Content-Type", media)
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "sandbox; default-src 'none'")
}
