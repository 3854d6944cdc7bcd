package serve_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"daybook/app/serve"
)

func TestCompression(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("<p>A page that is worth it.</p>\n", 200)
	write := func(kind, text string, set ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			for i := 0; i+1 < len(set); i += 2 {
				w.Header().Set(set[i], set[i+1])
			}
			for _, part := range []string{text[:len(text)/3], text[len(text)/3:]} {
				io.WriteString(w, part)
			}
		}
	}
	h, err := serve.Handler(serve.Config{Routes: routes(map[string]http.HandlerFunc{
		"GET /page":       write("text/html; charset=utf-8", long, "Vary", "Accept-Language"),
		"GET /asset":      write("text/css", long, "Etag", `"abc"`, "Content-Length", "6400"),
		"GET /small":      write("text/html", long[:900]),
		"GET /json":       write("application/json", long),
		"GET /api/small":  write("application/json", long[:900]),
		"GET /api/json":   write("application/json", long, "Etag", `"abc"`),
		"GET /picture":    write("image/png", long),
		"GET /packed":     write("text/html", long, "Content-Encoding", "br"),
		"GET /part":       write("text/html", long, "Content-Range", "bytes 0-6399/9999"),
		"GET /events":     write("text/event-stream", long),
		"GET /api/docs/x": write("text/html", long),
		"GET /early": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, long[:100])
			w.(http.Flusher).Flush()
			io.WriteString(w, long[100:])
		},
		"GET /api/not-modified": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Etag", `"abc"`)
			w.WriteHeader(http.StatusNotModified)
		},
		"GET /not-modified": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(http.StatusNotModified)
		},
	})})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(method, path, accept string) (*http.Response, string) {
		r := httptest.NewRequest(method, path, nil)
		r.Header.Set("Accept-Encoding", accept)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		res := w.Result()
		body := io.Reader(res.Body)
		if res.Header.Get("Content-Encoding") == "gzip" {
			if body, err = gzip.NewReader(body); err != nil {
				t.Fatalf("%s %s: %v", method, path, err)
			}
		}
		text, err := io.ReadAll(body)
		if err != nil {
			t.Fatalf("%s %s: %v", method, path, err)
		}
		return res, string(text)
	}
	for _, c := range []struct {
		path   string
		packed bool
	}{
		{"/page", true}, {"/asset", true}, {"/api/docs/x", true}, {"/api/json", true}, {"/api/small", false},
		{"/small", false}, {"/json", false}, {"/picture", false}, {"/packed", false}, {"/part", false}, {"/events", false}, {"/early", false}, {"/not-modified", false},
	} {
		res, text := ask("GET", c.path, "gzip, deflate, br")
		if packed := res.Header.Get("Content-Encoding") == "gzip"; packed != c.packed {
			t.Errorf("%s: packed is %v, want %v", c.path, packed, c.packed)
		}
		if _, plain := ask("GET", c.path, ""); text != plain {
			t.Errorf("%s: the two texts differ", c.path)
		}
	}
	for _, accept := range []string{"gzip", ""} {
		if res, _ := ask("GET", "/api/not-modified", accept); res.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("Accept-Encoding %q: what is not modified has Vary %q", accept, res.Header.Get("Vary"))
		}
	}
	for accept, want := range map[string]bool{
		"": false, "br": false, "gzip": true, "GZIP": true, "x-gzip": true, "br, gzip;q=0.8": true, "*": true, "*;q=0.1": true,
		"gzip;q=0": false, "gzip; Q=0.000": false, "gzip;q=0, *": false, "*, gzip ; q=0": false, "*;q=0, gzip": true, "identity;q=0.5, gzip;q=0.4": false,
		"identity;q=0.1, gzip;q=0.4": true, "gzip;q=2": false, "gzip;q=x": false, "gzipped": false,
	} {
		if res, _ := ask("GET", "/page", accept); (res.Header.Get("Content-Encoding") == "gzip") != want {
			t.Errorf("Accept-Encoding %q: packed is %v", accept, !want)
		}
	}
	for _, accept := range []string{"gzip", ""} {
		if res, _ := ask("GET", "/page", accept); res.Header.Get("Vary") != "Accept-Language, Accept-Encoding" {
			t.Errorf("Accept-Encoding %q: Vary %q", accept, res.Header.Get("Vary"))
		}
	}
	if res, _ := ask("GET", "/asset", "gzip"); res.Header.Get("Etag") != `W/"abc"` || res.Header.Get("Content-Length") != "" {
		t.Errorf("asset: %v", res.Header)
	}
	if res, _ := ask("HEAD", "/asset", "gzip"); res.Header.Get("Content-Length") != "" {
		t.Errorf("HEAD tells the length of another answer: %v", res.Header)
	}
}
