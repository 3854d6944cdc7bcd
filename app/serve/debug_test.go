package serve_test

import (
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"daybook/app/serve"
)

// Profiles are served at an address of their own, to programs of this machine, and never at the server's own.
func TestProfilesHaveAnAddressOfTheirOwn(t *testing.T) {
	s := run(t, serve.Config{DebugAddr: "127.0.0.1:0", Routes: func(*http.ServeMux) {}})
	at := regexp.MustCompile(`http://127\.0\.0\.1:\d+`).FindString(s.log.String())
	if at == "" || at == s.url {
		t.Fatalf("the log doesn't tell where profiles are: %s", s.log.String())
	}
	debug := &running{t: t, url: at, log: s.log}
	for path, want := range map[string]string{
		"/debug/pprof/":                        "goroutine",
		"/debug/pprof/goroutine?debug=1":       "goroutine profile:",
		"/debug/pprof/heap":                    "\x1f\x8b",
		"/debug/pprof/profile?seconds=1":       "\x1f\x8b",
		"/debug/pprof/trace?seconds=0.01":      "go 1.",
		"/debug/pprof/goroutine?debug=2&rest=": "goroutine ",
	} {
		res, err := direct.Get(at + path)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(res.Body)
		res.Body.Close()
		if res.StatusCode != 200 || !strings.Contains(string(body), want) {
			t.Errorf("%s: %d, %.60q lacks %q", path, res.StatusCode, body, want)
		}
	}
	if r := debug.get("/debug/pprof/cmdline"); r.StatusCode != 404 {
		t.Errorf("the command line, which may have a password: %d", r.StatusCode)
	}
	for _, path := range []string{"/healthz", "/metrics", "/"} {
		if r := debug.get(path); r.StatusCode != 404 {
			t.Errorf("%s is at the profiles' address, too: %d", path, r.StatusCode)
		}
	}
	for _, headers := range [][]string{{"Host", "evil.example:6060"}, {"Host", "10.0.0.1"},
		{"Sec-Fetch-Site", "cross-site"}} {
		if r := debug.get("/debug/pprof/", headers...); r.StatusCode != 403 {
			t.Errorf("%v: %d", headers, r.StatusCode)
		}
	}
	if r := debug.get("/debug/pprof/", "Host", "localhost:6060"); r.StatusCode != 200 {
		t.Errorf("localhost: %d", r.StatusCode)
	}
	for _, path := range []string{"/debug/pprof/", "/debug/pprof/heap", "/debug/pprof/profile?seconds=1",
		"/debug/pprof/cmdline", "/debug/vars"} {
		if r := s.get(path); r.StatusCode != 404 {
			t.Errorf("%s at the server's own address: %d", path, r.StatusCode)
		}
	}
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	if _, err := direct.Get(at + "/debug/pprof/"); err == nil {
		t.Error("profiles are still served after the stop")
	}
}

func TestProfilesOnlyOnLoopback(t *testing.T) {
	for addr, ok := range map[string]bool{"127.0.0.1:6060": true, "[::1]:6060": true, "127.9.9.9:0": true,
		":6060": false, "0.0.0.0:6060": false, "[::]:6060": false, "10.0.0.1:6060": false, "192.168.1.2:6060": false,
		"book.example.com:6060": false, "localhost:6060": false, "127.0.0.1": false, "6060": false, "169.254.1.1:1": false} {
		if err := serve.CheckDebugAddr(addr); (err == nil) != ok {
			t.Errorf("%s: %v", addr, err)
		}
	}
	err := serve.Run(t.Context(), serve.Config{DebugAddr: "0.0.0.0:0", Routes: func(*http.ServeMux) {}}, nil)
	if err == nil || !strings.Contains(err.Error(), "only this machine") {
		t.Errorf("Run with an address for everybody: %v", err)
	}
}
