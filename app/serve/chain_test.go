package serve_test

import (
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"daybook/app/serve"
)

func TestPanics(t *testing.T) {
	t.Parallel()
	boom := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Set-Cookie", "session=half")
		w.Header().Set("Content-Length", "1000")
		panic("hunter2 is wrong")
	}
	s := run(t, serve.Config{Routes: routes(map[string]http.HandlerFunc{
		"GET /api/boom": boom, "GET /boom": boom,
		"GET /half": func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, strings.Repeat("x", 10_000))
			panic("too late")
		},
		"GET /abort": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	})})
	res := s.get("/api/boom")
	code, _, id := res.apiError(t)
	if res.StatusCode != 500 || code != "internal" || id == "" || id != res.Header.Get("X-Request-Id") {
		t.Errorf("api: %d %s", res.StatusCode, res.body)
	}
	page := s.get("/boom")
	if page.StatusCode != 500 || !strings.Contains(page.body, page.Header.Get("X-Request-Id")) || !strings.HasPrefix(page.Header.Get("Content-Type"), "text/plain") {
		t.Errorf("page: %d %q", page.StatusCode, page.body)
	}
	for _, r := range []reply{res, page} {
		if strings.Contains(r.body, "hunter2") || strings.Contains(r.body, "goroutine") || r.Header.Get("Set-Cookie") != "" {
			t.Errorf("the panic shows: %v %q", r.Header, r.body)
		}
	}
	for _, path := range []string{"/half", "/abort"} {
		if res, err := http.Get(s.url + path); err == nil {
			if _, err := io.ReadAll(res.Body); err == nil {
				t.Errorf("%s ended as if it were whole", path)
			}
			res.Body.Close()
		}
	}
	s.stop()
	if panics := s.log.lines("panic in a handler"); len(panics) != 3 || !strings.Contains(panics[0]["stack"].(string), "chain_test.go") {
		t.Errorf("logged panics: %v", panics)
	}
	if n := len(s.log.lines("request")); n != 4 {
		t.Errorf("%d access lines, want 4:\n%s", n, s.log)
	}
}

func TestNoErrorUnderAPIIsAnythingButJSON(t *testing.T) {
	t.Parallel()
	fixed := map[string]http.HandlerFunc{
		"GET /api/v1/bookings":  func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "fine") },
		"POST /api/v1/bookings": func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "fine") },
		"GET /api/text":         func(w http.ResponseWriter, r *http.Request) { http.Error(w, "Invalid session ID", 400) },
		"GET /api/inner":        func(w http.ResponseWriter, r *http.Request) { http.Error(w, "sql: hunter2", 500) },
		"GET /api/bare":         func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(413) },
		"GET /api/html": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(403)
			w.Write([]byte("<b>no</b>"))
			w.(http.Flusher).Flush()
			io.WriteString(w, "more")
		},
		"GET /api/own": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/problem+json")
			w.WriteHeader(409)
			io.WriteString(w, `{"own":true}`)
		},
	}
	pages := map[string]http.HandlerFunc{"GET /{workspace}/{eventType}": func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(404)
		io.WriteString(w, "<h1>no such page</h1>")
	}}
	t.Run("pages apart", func(t *testing.T) {
		// These two would conflict with the pages' pattern in one mux.
		fixed["/api/mcp"] = func(http.ResponseWriter, *http.Request) {}
		fixed["GET /assets/"] = func(http.ResponseWriter, *http.Request) {}
		s := run(t, serve.Config{Routes: routes(fixed), Pages: routes(pages)})
		onlyJSON(t, s)
		if res := s.do("POST", "/salon/cut"); res.StatusCode != 405 {
			t.Errorf("POST to a page: %d", res.StatusCode)
		}
		if res := s.get("/a/b/c"); res.StatusCode != 404 {
			t.Errorf("no page: %d", res.StatusCode)
		}
	})
}

// onlyJSON asks for everything that goes wrong.
func onlyJSON(t *testing.T, s *running) {
	t.Helper()
	for _, c := range []struct {
		method, path string
		status       int
		code, text   string
	}{
		{"GET", "/api/v2/x/y", 404, "not_found", "nothing at this path"},
		{"GET", "/api/v1", 404, "not_found", ""}, // the pages' pattern has it
		{"POST", "/api/v1", 404, "not_found", "nothing"},
		{"GET", "/api", 404, "not_found", ""},
		{"GET", "/api/", 404, "not_found", ""},
		{"GET", "/api/text", 400, "bad_request", "Invalid session ID"},
		{"GET", "/api/inner", 500, "internal", "went wrong"},
		{"GET", "/api/bare", 413, "payload_too_large", "Too Large"},
		{"GET", "/api/html", 403, "forbidden", "Forbidden"},
	} {
		res := s.do(c.method, c.path)
		code, message, id := res.apiError(t)
		if res.StatusCode != c.status || code != c.code || !strings.Contains(message, c.text) || id != res.Header.Get("X-Request-Id") {
			t.Errorf("%s %s: %d %s, want %d %s %q", c.method, c.path, res.StatusCode, res.body, c.status, c.code, c.text)
		}
	}
	if res := s.get("/api/own"); res.body != `{"own":true}` {
		t.Errorf("a JSON error was replaced: %s", res.body)
	}
	if res := s.do("HEAD", "/api/bare"); res.StatusCode != 413 || res.body != "" {
		t.Errorf("HEAD: %d %q", res.StatusCode, res.body)
	}
	if res := s.get("/salon/cut"); res.body != "<h1>no such page</h1>" {
		t.Errorf("a page's own error was replaced: %s", res.body)
	}
}

func TestRequestID(t *testing.T) {
	t.Parallel()
	echo := routes(map[string]http.HandlerFunc{"GET /id": func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, serve.RequestID(r.Context()))
	}})
	ours := regexp.MustCompile(`^req_[0-9a-z]{13}$`)
	open, proxied := run(t, serve.Config{Routes: echo}), run(t, serve.Config{Routes: echo, TrustedProxies: prefixes("127.0.0.0/8")})

	first, second := open.get("/id"), open.get("/id")
	if !ours.MatchString(first.body) || first.body == second.body || first.Header.Get("X-Request-Id") != first.body {
		t.Errorf("ids %q %q, header %q", first.body, second.body, first.Header.Get("X-Request-Id"))
	}
	if got := open.get("/id", "X-Request-Id", "abc").body; !ours.MatchString(got) {
		t.Errorf("an untrusted client named its request: %q", got)
	}
	if got := open.get("/nothing").Header.Get("X-Request-Id"); !ours.MatchString(got) {
		t.Errorf("404 without an id: %q", got)
	}
	for in, kept := range map[string]bool{"abc-1.2_3:4": true, "": false, "a b": false, "a\"b": false, "é": false,
		strings.Repeat("a", 128): true, strings.Repeat("a", 129): false} {
		if got := proxied.get("/id", "X-Request-Id", in).body; (got == in) != kept || !kept && !ours.MatchString(got) {
			t.Errorf("proxy's id %q became %q", in, got)
		}
	}
}

func TestHeaders(t *testing.T) {
	t.Parallel()
	s := run(t, serve.Config{Routes: routes(map[string]http.HandlerFunc{
		"GET /page": func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "<html>") },
		"GET /own": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Referrer-Policy", "no-referrer")
			io.WriteString(w, "<html>")
		},
		"GET /api/x": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, "{}")
		},
	})})
	for path, policy := range map[string]string{"/page": "same-origin", "/own": "no-referrer", "/api/x": ""} {
		h := s.get(path).Header
		if h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Referrer-Policy") != policy || h.Get("Strict-Transport-Security") != "" {
			t.Errorf("%s: %v", path, h)
		}
	}
}

func TestTheWriterKeepsWhatItCanDo(t *testing.T) {
	t.Parallel()
	s := run(t, serve.Config{Routes: routes(map[string]http.HandlerFunc{
		"GET /copy": func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusEarlyHints)
			w.WriteHeader(http.StatusCreated)
			w.WriteHeader(http.StatusTeapot) // too late
			io.Copy(w, strings.NewReader("abc"))
			w.(io.StringWriter).WriteString("def")
			if err := http.NewResponseController(w).Flush(); err != nil {
				t.Errorf("Flush: %v", err)
			}
		},
		"GET /hijack": func(w http.ResponseWriter, r *http.Request) {
			c, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Errorf("Hijack: %v", err)
				return
			}
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi")
			c.Close()
		},
	})})
	if res := s.get("/copy"); res.StatusCode != 201 || res.body != "abcdef" {
		t.Errorf("%d %q", res.StatusCode, res.body)
	}
	if res := s.get("/hijack"); res.body != "hi" {
		t.Errorf("hijacked: %q", res.body)
	}
	s.stop()
	if line := s.log.lines("request")[0]; line["bytes"] != 6.0 || line["status"] != 201.0 {
		t.Errorf("noted %v", line)
	}
}

// The mux would redirect these, in HTML, to paths that mean something else.
func TestUncleanPathsUnderAPIAreNotFound(t *testing.T) {
	t.Parallel()
	s := run(t, serve.Config{Routes: routes(map[string]http.HandlerFunc{
		"GET /api/things/{id}": func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "thing") },
		"GET /api/":            http.NotFound,
	})})
	for _, path := range []string{"/api", "/api/", "/api//things/a", "/api/things//a", "/api/x/../things/a", "/api/things/%2e%2e"} {
		res := s.get(path)
		if code, _, id := res.apiError(t); res.StatusCode != 404 || code != "not_found" || id == "" {
			t.Errorf("%s: %d %s", path, res.StatusCode, res.body)
		}
	}
	if res := s.get("/api/things/a"); res.body != "thing" {
		t.Errorf("a clean path: %d %s", res.StatusCode, res.body)
	}
}
