package serve_test

import (
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"daybook/app/serve"
)

// What is known to come over plain HTTP is refused or redirected where the base URL is https; an untold scheme is not.
func TestPlainHTTPIsRefused(t *testing.T) {
	t.Parallel()
	served := 0
	ok := func(w http.ResponseWriter, _ *http.Request) {
		served++
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, "{}")
	}
	config := func(base string) serve.Config {
		u, err := url.Parse(base)
		if err != nil {
			t.Fatal(err)
		}
		return serve.Config{
			BaseURL: u, TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
			Routes: routes(map[string]http.HandlerFunc{"/api/v1/bookings": ok, "/api/docs": ok, "/login": ok, "/salon": ok, "/.well-known/acme-challenge/{x}": ok}),
		}
	}
	const key, from, proto = "Authorization", "X-Forwarded-For", "X-Forwarded-Proto"
	s := run(t, config("https://book.example.com"))
	for _, c := range []struct {
		name, method, path string
		headers            []string
		status             int
		says               string // in the Location or the body
		hsts               bool
	}{
		{"a key in the clear", "GET", "/api/v1/bookings", []string{key, "Bearer dbk_x", proto, "http"}, 403, "replace the API key", false},
		{"a key that writes in the clear", "POST", "/api/v1/bookings", []string{key, "Bearer dbk_x", from, "203.0.113.9", proto, "http"}, 403, "https://book.example.com", false},
		{"a key over HTTPS", "GET", "/api/v1/bookings", []string{key, "Bearer dbk_x", from, "203.0.113.9", proto, "https"}, 200, "{}", true},
		{"a key, untold", "GET", "/api/v1/bookings", []string{key, "Bearer dbk_x", from, "203.0.113.9"}, 200, "{}", true},
		{"nobody forwards", "GET", "/salon", nil, 200, "{}", true},
		{"a page", "GET", "/salon?x=1", []string{proto, "http"}, 308, "https://book.example.com/salon?x=1", false},
		{"a page, by RFC 7239", "GET", "/salon", []string{"Forwarded", "for=203.0.113.9;proto=http"}, 308, "https://book.example.com/salon", false},
		{"a page at another name", "HEAD", "/salon", []string{proto, "http", "X-Forwarded-Host", "evil.example"}, 308, "https://book.example.com/salon", false},
		{"the docs", "GET", "/api/docs", []string{proto, "http"}, 308, "https://book.example.com/api/docs", false},
		{"a form", "POST", "/login", []string{proto, "http"}, 403, "nothing was done", false},
		{"a challenge", "GET", "/.well-known/acme-challenge/x", []string{proto, "http"}, 200, "{}", false},
		{"alive", "GET", "/healthz", []string{proto, "http"}, 200, "ok", false},
		{"ready", "GET", "/readyz", []string{proto, "http"}, 200, "ok", false},
		{"metrics", "GET", "/metrics", []string{proto, "http"}, 200, "daybook_", false},
	} {
		before := served
		res := s.do(c.method, c.path, c.headers...)
		if text := res.Header.Get("Location") + res.body; res.StatusCode != c.status || !strings.Contains(text, c.says) {
			t.Errorf("%s: %d %q, want %d %q", c.name, res.StatusCode, text, c.status, c.says)
		}
		if refused := c.status == 308 || c.status == 403; refused && served != before {
			t.Errorf("%s: refused, and yet done", c.name)
		}
		if strings.HasPrefix(c.path, "/api/v1") && c.status == 403 {
			if code, _, id := res.apiError(t); code != "forbidden" || id == "" {
				t.Errorf("%s: %s", c.name, res.body)
			}
		}
		if got := res.Header.Get("Strict-Transport-Security") != ""; got != c.hsts {
			t.Errorf("%s: Strict-Transport-Security %v, want %v", c.name, got, c.hsts)
		}
	}
	if n := len(s.log.lines("the proxy does not say whether its clients use HTTPS, so plain HTTP can't be refused")); n != 1 {
		t.Errorf("%d warnings that the proxy does not say the scheme, want 1", n)
	}

	plain := run(t, config("http://book.example.com"))
	res := plain.get("/api/v1/bookings", key, "Bearer dbk_x", proto, "http")
	if res.StatusCode != 200 || res.Header.Get("Strict-Transport-Security") != "" {
		t.Errorf("an http base URL: %d %v", res.StatusCode, res.Header)
	}
	stranger := config("https://book.example.com")
	stranger.TrustedProxies = nil
	if res := run(t, stranger).get("/salon", proto, "http"); res.StatusCode != 200 {
		t.Errorf("anybody may say http, and is believed: %d", res.StatusCode)
	}
}
