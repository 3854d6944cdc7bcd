package page

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"time"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/views"
)

// image is a picture as pages show it; the zero Image for nil. Alt is what it shows, in words: "" where they stand
// beside it.
func image(p *catalog.Picture, alt string) views.Image {
	if p == nil {
		return views.Image{}
	}
	widest := p.Widest()
	return views.Image{Src: p.Src(320), SrcSet: p.SrcSet(), Width: widest.Width, Height: widest.Height, Alt: alt}
}

// widest is the whole address of a picture.
func (v *visit) widest(p *catalog.Picture) string { return v.profile(nil).Widest(p) }

// picture answers one width of a picture. What is at its address never changes, so browsers and proxies keep it for
// ever.
func (d *Door) picture(w http.ResponseWriter, r *http.Request) {
	name, extension, _ := strings.Cut(r.PathValue("file"), ".")
	width, err := strconv.Atoi(name)
	var format catalog.PictureFormat
	var data []byte
	if err == nil {
		format, data, err = d.service.Pictures.Data(r.Context(), r.PathValue("hash"), width)
	}
	h := w.Header()
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	switch e := fault.As(err); {
	case err != nil && e == nil && width > 0:
		if r.Context().Err() == nil {
			d.log.ErrorContext(r.Context(), "a picture failed", "route", r.Pattern, "error", err.Error())
		}
		http.Error(w, "That didn't work. Please try again in a moment.", http.StatusInternalServerError)
	case e != nil && e.Code == fault.Unavailable:
		http.Error(w, e.Message, e.Code.Status())
	case err != nil || extension != format.Extension() || name != strconv.Itoa(width):
		h.Set("Cache-Control", "no-store")
		http.Error(w, "There is no such picture.", http.StatusNotFound)
	default:
		h.Set("Content-Type", format.MediaType())
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
		h.Set("Etag", `"`+r.PathValue("hash")+"-"+name+`"`)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
	}
}
