package page_test

import (
	"bytes"
	"image"
	"image/png"
	"strings"
	"testing"

	"daybook/app/catalog"
	"daybook/app/page"
)

// A picture is public, is kept for ever by who has seen it, and is nothing but a picture; all else is 404.
func TestPictureIsServed(t *testing.T) {
	w := newWorld(t, page.Options{})
	var file bytes.Buffer
	w.Must(png.Encode(&file, image.NewGray(image.Rect(0, 0, 500, 100))))
	p, _, err := w.Pictures.Upload(t.Context(), w.Owner, file.Bytes())
	w.Must(err)
	_, err = w.Shop.UpdateWorkspace(t.Context(), w.Owner, func(ws *catalog.Workspace) { ws.Settings.Logo = p.ID })
	w.Must(err)
	at := path(p.URL)
	got := w.get(at)
	h := got.Header
	if got.StatusCode != 200 || h.Get("Content-Type") != "image/jpeg" || h.Get("Cache-Control") != "public, max-age=31536000, immutable" ||
		h.Get("X-Content-Type-Options") != "nosniff" || !strings.HasPrefix(got.text, "\xff\xd8\xff") {
		t.Errorf("%s: %d %v", at, got.StatusCode, h)
	}
	if again := w.get(at, "If-None-Match", h.Get("Etag")); again.StatusCode != 304 || again.text != "" {
		t.Errorf("again: %d", again.StatusCode)
	}
	hash := strings.Split(at, "/")[2]
	for _, wrong := range []string{"/_p/" + strings.Repeat("0", len(hash)) + "/500.jpg", "/_p/" + hash + "/501.jpg", "/_p/" + hash + "/500.png",
		"/_p/" + hash + "/0500.jpg", "/_p/" + hash + "/-500.jpg", "/_p/" + hash + "/500", "/_p/" + hash + "/x.jpg", "/_p/" + hash} {
		if got := w.get(wrong); got.StatusCode != 404 || strings.Contains(got.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %d %v", wrong, got.StatusCode, got.Header)
		}
	}
	if list := w.get("/salon"); !strings.Contains(list.text, `src="/_p/`+hash+"/320.jpg") || !strings.Contains(list.text, `content="https://book.example.com/_p/`+hash) ||
		!strings.Contains(list.Header.Get("Content-Security-Policy"), "img-src 'self'") {
		t.Errorf("%v %s", list.Header, list.text)
	}
}
