package page

import (
	"bytes"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/picture"
)

// Pictures serves the workspaces' pictures, at paths with a hash and a file.
type Pictures struct {
	Service *picture.Service
	Log     *slog.Logger
}

// ServeHTTP answers one width of a picture, or the preview made from it. What is at its address never changes, so browsers and proxies keep it for
// ever.
func (p Pictures) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, extension, _ := strings.Cut(r.PathValue("file"), ".")
	width, err := strconv.Atoi(name)
	var format catalog.PictureFormat
	var data []byte
	switch {
	case err != nil:
	case extension == catalog.PreviewExtension:
		format = catalog.JPEG
		data, err = p.Service.Preview(r.Context(), r.PathValue("hash"), width)
	default:
		format, data, err = p.Service.Data(r.Context(), r.PathValue("hash"), width)
	}
	h := w.Header()
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	switch e := fault.As(err); {
	case err != nil && e == nil && width > 0:
		if r.Context().Err() == nil {
			p.Log.ErrorContext(r.Context(), "a picture failed", "route", r.Pattern, "error", err.Error())
		}
		http.Error(w, "That didn't work. Please try again in a moment.", http.StatusInternalServerError)
	case e != nil && e.Code == fault.Unavailable:
		http.Error(w, e.Error(), e.Code.Status())
	case err != nil || extension != format.Extension() && extension != catalog.PreviewExtension || name != strconv.Itoa(width):
		h.Set("Cache-Control", "no-store")
		http.Error(w, "There is no such picture.", http.StatusNotFound)
	default:
		h.Set("Content-Type", format.MediaType())
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
		h.Set("Etag", `"`+r.PathValue("hash")+"-"+r.PathValue("file")+`"`)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
	}
}
