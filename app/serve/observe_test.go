package serve_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"daybook/app/serve"
)

func TestAccessLogTellsNoSecret(t *testing.T) {
	t.Parallel()
	ok := func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "hello") }
	s := run(t, serve.Config{Routes: routes(map[string]http.HandlerFunc{
		"GET /api/v1/bookings/{id}": ok, "GET /booking/{token}": ok, "GET /booking/{token}/pay": ok,
		"GET /calendar/{file}": ok, "GET /setup/{token}": ok, "GET /{workspace}": ok, "GET /new/{token}/stop": ok,
		"POST /api/texts/{workspace}/{token}": ok, "GET /api/texts/{workspace}/{token}": ok,
		"GET /t/{token}": ok, "GET /{workspace}/{eventType}/{$}": ok,
	})})
	const secret = "s3cr3tS3cr3tS3cr3tS3cr3t"
	for _, path := range []string{
		"/api/v1/bookings/bk_1jxyzabcdefgh?key=" + secret,
		"/booking/" + secret, "/booking/" + secret + "/pay", "/calendar/" + secret + ".ics", "/setup/" + secret,
		"/setup/short", "/new/short/stop", "/api/texts/ws_1jxyz/short", "/api/texts/ws_1jxyz/" + secret + "/more", "/mail/short/nothing", "/" + secret, "/typo/" + secret, "/booking/" + secret + "/bk_" + secret, "/salon",
		"/t/short", "/t/short/", "/t/short/no",
	} {
		s.get(path, "Authorization", "Bearer "+secret, "Cookie", "session="+secret)
	}
	eventually(t, "the lines within a moment, before any stop", func() bool { return len(s.log.lines("request")) == 17 })
	if text := s.log.String(); strings.Contains(text, secret) || strings.Contains(text, "short") {
		t.Errorf("a secret in the log:\n%s", text)
	}
	line := s.log.lines("request")[0]
	for key, want := range map[string]any{
		"method": "GET", "route": "/api/v1/bookings/{id}", "path": "/api/v1/bookings/bk_1jxyzabcdefgh",
		"status": 200.0, "bytes": 5.0, "client": "127.0.0.1", "level": "INFO",
	} {
		if line[key] != want {
			t.Errorf("%s is %v, want %v", key, line[key], want)
		}
	}
	if !strings.HasPrefix(line["requestId"].(string), "req_") || line["micros"] == nil {
		t.Errorf("line %v", line)
	}
}

func TestEveryRequestIsNotedUnderLoad(t *testing.T) {
	t.Parallel()
	s := run(t, serve.Config{})
	const clients, each = 8, 400
	done := make(chan struct{}, clients)
	for range clients {
		go func() {
			defer func() { done <- struct{}{} }()
			for range each {
				if res, err := http.Get(s.url + "/nothing"); err == nil {
					io.Copy(io.Discard, res.Body)
					res.Body.Close()
				}
			}
		}()
	}
	for range clients {
		<-done
	}
	s.stop()
	if n := len(s.log.lines("request")); n != clients*each {
		t.Errorf("%d lines, want %d", n, clients*each)
	}
}

func TestHealthAndReadiness(t *testing.T) {
	t.Parallel()
	var answer error
	s := run(t, serve.Config{Ready: func(context.Context) error { return answer }})
	if res := s.get("/healthz"); res.StatusCode != 200 || res.body != "ok\n" {
		t.Errorf("healthz: %d %q", res.StatusCode, res.body)
	}
	for _, c := range []struct {
		err    error
		status int
		word   string
	}{
		{nil, 200, "ok"},
		{errors.New("dial tcp: hunter2"), 503, "not_ready"},
		{&serve.NotReady{Reason: "database", Err: errors.New("hunter2")}, 503, "database"},
	} {
		answer = c.err
		if res := s.get("/readyz"); res.StatusCode != c.status || res.body != c.word+"\n" {
			t.Errorf("%v: %d %q", c.err, res.StatusCode, res.body)
		}
	}
	s.stop()
	for _, line := range s.log.lines("request") {
		if line["status"] == 200.0 {
			t.Errorf("a good probe was logged: %v", line)
		}
	}
}

func TestReadinessSaysThatItStops(t *testing.T) {
	t.Parallel()
	said := make(chan reply, 1)
	var s *running
	started := make(chan struct{})
	s = run(t, serve.Config{OnShutdown: []func(context.Context){func(context.Context) {
		<-started
		said <- s.get("/readyz")
	}}})
	close(started)
	s.stop()
	if res := <-said; res.StatusCode != 503 || res.body != "stopping\n" {
		t.Errorf("%d %q", res.StatusCode, res.body)
	}
}

func TestMetrics(t *testing.T) {
	t.Parallel()
	base, _ := url.Parse("https://book.example.com")
	s := run(t, serve.Config{Version: "1.2.3", BaseURL: base, TrustedProxies: prefixes("127.0.0.2/32"), Routes: routes(map[string]http.HandlerFunc{
		"GET /api/v1/bookings/{id}": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) },
	})})
	s.get("/api/v1/bookings/1")
	s.get("/api/v1/bookings/2")
	s.do("BREW", "/coffee")
	res := s.get("/metrics")
	for _, want := range []string{
		`daybook_http_request_duration_seconds_count{method="GET",route="/api/v1/bookings/{id}",status="2xx"} 2`,
		`daybook_http_request_duration_seconds_count{method="other",route="unmatched",status="4xx"} 1`,
		`daybook_http_requests_in_flight 1`, `daybook_http_streams 0`, `daybook_build_info{version="1.2.3"} 1`,
		"go_goroutines", "process_open_fds",
	} {
		if !strings.Contains(res.body, want) {
			t.Errorf("no %s in\n%s", want, res.body)
		}
	}
	// An untrusted relay on this host, and the public name, came from anywhere.
	for _, headers := range [][]string{{"X-Forwarded-For", "127.0.0.1"}, {"Forwarded", "for=127.0.0.1"}, {"Host", "book.example.com"}} {
		if res := s.get("/metrics", headers...); res.StatusCode != 403 || strings.Contains(res.body, "go_") {
			t.Errorf("%v: %d", headers, res.StatusCode)
		}
	}
}

func TestMetricsBehindATrustedProxyAndWithAList(t *testing.T) {
	t.Parallel()
	proxied := run(t, serve.Config{TrustedProxies: prefixes("127.0.0.0/8")})
	for client, status := range map[string]int{"203.0.113.9": 403, "192.168.1.5": 200, "fe80::1": 200, "100.64.0.1": 403} {
		if res := proxied.get("/metrics", "X-Forwarded-For", client); res.StatusCode != status {
			t.Errorf("%s: %d, want %d", client, res.StatusCode, status)
		}
	}
	listed := run(t, serve.Config{TrustedProxies: prefixes("127.0.0.0/8"), MetricsAllow: prefixes("203.0.113.0/24")})
	for client, status := range map[string]int{"203.0.113.9": 200, "192.168.1.5": 403} {
		if res := listed.get("/metrics", "X-Forwarded-For", client); res.StatusCode != status {
			t.Errorf("listed: %s: %d, want %d", client, res.StatusCode, status)
		}
	}
}

// A token opens the metrics to those who ask from elsewhere, but not when it was sent in the clear.
func TestMetricsByToken(t *testing.T) {
	t.Parallel()
	base, _ := url.Parse("https://book.example.com")
	s := run(t, serve.Config{BaseURL: base, TrustedProxies: prefixes("127.0.0.0/8"), MetricsToken: "a-token-of-the-metrics", Routes: routes(map[string]http.HandlerFunc{
		"GET /limited": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(429) },
	})})
	from := []string{"X-Forwarded-For", "203.0.113.9", "X-Forwarded-Proto", "https"}
	s.get("/limited", from...)
	for name, c := range map[string]struct {
		headers []string
		status  int
	}{
		"the token":         {append([]string{"Authorization", "Bearer a-token-of-the-metrics"}, from...), 200},
		"another token":     {append([]string{"Authorization", "Bearer a-token-of-the-metric"}, from...), 403},
		"another scheme":    {append([]string{"Authorization", "Basic a-token-of-the-metrics"}, from...), 403},
		"none":              {from, 403},
		"in the clear":      {[]string{"Authorization", "Bearer a-token-of-the-metrics", "X-Forwarded-For", "203.0.113.9", "X-Forwarded-Proto", "http"}, 403},
		"a private network": {[]string{"X-Forwarded-For", "10.0.0.9", "X-Forwarded-Proto", "http"}, 200},
	} {
		res := s.get("/metrics", c.headers...)
		if res.StatusCode != c.status {
			t.Errorf("%s: %d, want %d", name, res.StatusCode, c.status)
		}
		if c.status == 200 && (!strings.Contains(res.body, "\ndaybook_http_rate_limited_total 1\n") || !strings.Contains(res.body, "\ndaybook_http_connections ")) {
			t.Errorf("%s:\n%s", name, res.body)
		}
	}
	none := run(t, serve.Config{BaseURL: base, TrustedProxies: prefixes("127.0.0.0/8")})
	if res := none.get("/metrics", append([]string{"Authorization", "Bearer "}, from...)...); res.StatusCode != 403 {
		t.Errorf("without a token an empty one: %d", res.StatusCode)
	}
}

func TestDeadlines(t *testing.T) {
	t.Parallel()
	wait := func(w http.ResponseWriter, r *http.Request) {
		child, cancel := context.WithTimeout(r.Context(), time.Minute)
		defer cancel()
		<-child.Done()
		if !errors.Is(child.Err(), context.DeadlineExceeded) || r.Context().Err() == nil {
			t.Errorf("ended by %v", child.Err())
		}
	}
	s := run(t, serve.Config{
		Limits: serve.Limits{Request: 150 * time.Millisecond, Write: 400 * time.Millisecond, Read: 400 * time.Millisecond},
		Routes: func(mux *http.ServeMux) {
			mux.HandleFunc("GET /api/slow", wait)
			mux.HandleFunc("GET /slow", wait)
			mux.HandleFunc("GET /api/quick", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(204) })
			mux.HandleFunc("POST /api/upload", func(w http.ResponseWriter, r *http.Request) {
				longer, done := serve.Upload(w, r)
				defer done()
				body, err := io.ReadAll(longer.Body)
				if err != nil || len(body) != 10 || longer.Context().Err() != nil || serve.RequestID(longer.Context()) == "" {
					t.Errorf("an upload that takes long: %q, %v, %v", body, err, longer.Context().Err())
				}
				w.WriteHeader(204)
			})
			mux.HandleFunc("GET /api/stream", func(w http.ResponseWriter, r *http.Request) {
				type key struct{}
				r = r.WithContext(context.WithValue(r.Context(), key{}, "kept"))
				<-time.After(10 * time.Millisecond)
				_ = r.Context().Done() // the deadline is armed before Stream lifts it
				serve.Stream(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.Context().Value(key{}) != "kept" || serve.RequestID(r.Context()) == "" {
						t.Error("the context lost its values")
					}
					for range 10 {
						io.WriteString(w, "data: tick\n\n")
						w.(http.Flusher).Flush()
						select {
						case <-r.Context().Done():
							t.Errorf("the stream ended: %v", r.Context().Err())
						case <-time.After(100 * time.Millisecond):
						}
					}
				})).ServeHTTP(w, r)
			})
		},
	})
	res := s.get("/api/slow")
	if code, message, _ := res.apiError(t); res.StatusCode != 500 || code != "internal" || !strings.Contains(message, "too long") {
		t.Errorf("%d %s", res.StatusCode, res.body)
	}
	if res := s.get("/slow"); res.StatusCode != 500 || !strings.Contains(res.body, "too long") {
		t.Errorf("%d %s", res.StatusCode, res.body)
	}
	if res := s.get("/api/quick"); res.StatusCode != 204 {
		t.Errorf("%d", res.StatusCode)
	}
	body, slowly := io.Pipe()
	go func() {
		for range 10 {
			<-time.After(60 * time.Millisecond)
			io.WriteString(slowly, "x")
		}
		slowly.Close()
	}()
	sent, err := http.Post(s.url+"/api/upload", "image/png", body)
	if err != nil {
		t.Fatal(err)
	}
	if sent.Body.Close(); sent.StatusCode != 204 {
		t.Errorf("an upload that takes long: %d", sent.StatusCode)
	}
	if res := s.get("/api/stream"); strings.Count(res.body, "tick") != 10 {
		t.Errorf("the stream was cut: %q", res.body)
	}
}

// A client that leaves ends the stream's context.
func TestStreamEndsWithItsClient(t *testing.T) {
	t.Parallel()
	ended := make(chan struct{})
	s := run(t, serve.Config{Routes: func(mux *http.ServeMux) {
		mux.Handle("GET /api/sse", serve.Stream(events(func(r *http.Request) { <-r.Context().Done(); close(ended) })))
	}})
	s.open("/api/sse").Body.Close()
	select {
	case <-ended:
	case <-time.After(5 * time.Second):
		t.Error("the stream stayed open")
	}
}
