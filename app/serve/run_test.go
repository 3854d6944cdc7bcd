package serve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app/serve"
)

// running is a server on a port of its own.
type running struct {
	t    *testing.T
	url  string
	log  *logBook
	stop func() error // ends it and waits; once
}

// run starts a server with c and stops it after the test.
func run(t *testing.T, c serve.Config) *running {
	t.Helper()
	s := &running{t: t, log: &logBook{}}
	c.LogOutput = serve.NewLogOutput(s.log)
	c.Logger = slog.New(slog.NewJSONHandler(c.LogOutput, nil))
	ctx, cancel := context.WithCancel(t.Context())
	address, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		ended <- serve.Run(ctx, c, func(a net.Addr) { address <- a.String() })
	}()
	s.stop = sync.OnceValue(func() error { cancel(); return <-ended })
	t.Cleanup(func() { s.stop() })
	select {
	case a := <-address:
		s.url = "http://" + a
	case err := <-ended:
		ended <- err
		t.Fatalf("Run ended at once: %v", err)
	case <-time.After(10 * time.Second):
		t.Fatal("Run did not become ready")
	}
	return s
}

// reply is an answer, read to its end.
type reply struct {
	*http.Response
	body string
}

func (s *running) get(path string, headers ...string) reply {
	s.t.Helper()
	return s.do("GET", path, headers...)
}

func (s *running) do(method, path string, headers ...string) reply {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			req.Host = headers[i+1]
			continue
		}
		req.Header.Add(headers[i], headers[i+1])
	}
	res, err := direct.Do(req)
	if err != nil {
		s.t.Fatalf("%s %s: %v", method, path, err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		s.t.Fatalf("%s %s: %v", method, path, err)
	}
	return reply{res, string(body)}
}

// direct follows no redirect.
var direct = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// apiError reads the contract's error body.
func (r reply) apiError(t *testing.T) (code, message, id string) {
	t.Helper()
	var body struct {
		Error struct{ Code, Message, RequestID string }
	}
	if err := json.Unmarshal([]byte(r.body), &body); err != nil || r.Header.Get("Content-Type") != "application/json" {
		t.Fatalf("%d %s %q is not a JSON error: %v", r.StatusCode, r.Header.Get("Content-Type"), r.body, err)
	}
	return body.Error.Code, body.Error.Message, body.Error.RequestID
}

// logBook keeps what was logged.
type logBook struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *logBook) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *logBook) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// lines are those with this message.
func (b *logBook) lines(msg string) (found []map[string]any) {
	for line := range strings.Lines(b.String()) {
		var m map[string]any
		if json.Unmarshal([]byte(line), &m) == nil && m["msg"] == msg {
			found = append(found, m)
		}
	}
	return found
}

// eventually waits until ok, for 30 s at most.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never happened: %s", what)
		}
	}
}

func prefixes(list ...string) (ps []netip.Prefix) {
	for _, p := range list {
		ps = append(ps, netip.MustParsePrefix(p))
	}
	return ps
}

// routes mounts handlers by pattern.
func routes(m map[string]http.HandlerFunc) func(*http.ServeMux) {
	return func(mux *http.ServeMux) {
		for pattern, h := range m {
			mux.HandleFunc(pattern, h)
		}
	}
}
