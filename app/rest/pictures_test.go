package rest_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"daybook/app/catalog"
)

// smallPNG is a picture of that width that compresses well.
func smallPNG(t testing.TB, width int) string {
	t.Helper()
	m := image.NewGray(image.Rect(0, 0, width, 100))
	m.SetGray(0, 0, color.Gray{Y: 200})
	var out bytes.Buffer
	if err := png.Encode(&out, m); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Pictures come, are listed and go; who may not, what is none and what is shown is refused.
func TestPictures(t *testing.T) {
	w := newWorld(t)
	const path = "/api/v1/pictures"
	file := smallPNG(t, 900)
	post := func(key, body, kind string) reply { return w.do(key, "POST", path, body, "Content-Type", kind) }
	got := post(w.full, file, "image/png")
	made := got.json(t)
	id, _ := made["id"].(string)
	url, _ := made["url"].(string)
	if got.Code != 201 || got.Header().Get("Location") != base+path+"/"+id || !strings.HasPrefix(url, base+"/_p/") || !strings.HasSuffix(url, "/900.jpg") {
		t.Fatalf("%d %v %s", got.Code, got.Header(), got.text)
	}
	if made["width"] != 900.0 || made["height"] != 100.0 || len(made["widths"].([]any)) != 3 {
		t.Errorf("%v", made)
	}
	for range 2 { // a repetition is the same picture, with a key or without
		again := w.do(w.full, "POST", path, file, "Content-Type", "image/png", "Idempotency-Key", "k")
		if again.Code != 200 || again.text != got.text || again.Header().Get("Idempotency-Replayed") != "" {
			t.Errorf("again: %d %s", again.Code, again.text)
		}
	}
	other := post(w.full, smallPNG(t, 30), "image/png").json(t)["id"].(string)
	first := w.do(w.readOnly, "GET", path+"?limit=1", "").json(t)
	next := w.do(w.readOnly, "GET", path+"?limit=1&cursor="+first["nextCursor"].(string), "").json(t)
	if first["hasMore"] != true || next["hasMore"] != false || object(next["data"].([]any)[0])["id"] != id {
		t.Errorf("pages: %v, %v", first, next)
	}
	if got := w.do(w.readOnly, "GET", path+"/"+id, ""); got.Code != 200 || got.json(t)["url"] != url {
		t.Errorf("%d %s", got.Code, got.text)
	}
	w.Alter("cut", func(e *catalog.EventType) {
		w.Must(e.Picture.UnmarshalText([]byte(id)))
	})
	if shown := w.do(w.full, "GET", "/api/v1/event-types/cut", "").json(t)["picture"]; shown != id {
		t.Errorf("the event type shows %v", shown)
	}
	large := strings.Repeat("x", 10_000_001)
	for _, c := range []struct {
		key, method, path, body, kind string
		status                        int
		reason                        string
	}{
		{w.readOnly, "POST", "", file, "image/png", 403, "read_only_key"},
		{w.readOnly, "DELETE", "/" + other, "", "", 403, "read_only_key"},
		{"", "POST", "", file, "image/png", 401, ""},
		{w.full, "POST", "", file, "application/json", 415, ""},
		{w.full, "POST", "", `<svg xmlns="http://www.w3.org/2000/svg"/>`, "image/svg+xml", 415, ""},
		{w.full, "POST", "", "GIF89a", "image/gif", 415, ""},
		{w.full, "POST", "", "<script>alert(1)</script>", "image/png", 400, "not_a_picture"},
		{w.full, "POST", "", "", "image/png", 400, "invalid"},
		{w.full, "POST", "", large, "image/jpeg", 413, ""},
		{w.full, "DELETE", "/" + id, "", "", 409, "picture_in_use"},
		{w.foreign, "DELETE", "/" + other, "", "", 404, ""},
		{w.foreign, "GET", "/" + id, "", "", 404, ""},
		{w.full, "GET", "/pic_nothing", "", "", 404, ""},
		{w.full, "PUT", "", "", "", 405, ""},
	} {
		got := w.do(c.key, c.method, path+c.path, c.body, "Content-Type", c.kind)
		if _, reason, _ := got.errorOf(t); got.Code != c.status || reason != c.reason {
			t.Errorf("%s %s as %s: %d %s", c.method, c.path, c.kind, got.Code, got.text)
		}
	}
	if got := w.do(w.full, "DELETE", path+"/"+other, ""); got.Code != 204 {
		t.Errorf("delete: %d %s", got.Code, got.text)
	}
	if got := w.do(w.full, "DELETE", path+"/"+other, ""); got.Code != 404 {
		t.Errorf("delete again: %d %s", got.Code, got.text)
	}
}
