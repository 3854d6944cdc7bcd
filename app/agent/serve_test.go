package agent_test

import (
	"context"
	"net"
	"net/http"
	"testing"
	"time"

	"daybook/app/agent"
	"daybook/app/serve"
)

// TestBehindTheServer has streams outlive every deadline of the server, carry an answer, and end at once with it.
func TestBehindTheServer(t *testing.T) {
	w := newWorld(t, func(o *agent.Options) { o.Stream = serve.Stream })
	ctx, stop := context.WithCancel(t.Context())
	addr, stopped := make(chan net.Addr, 1), make(chan error, 1)
	go func() {
		stopped <- serve.Run(ctx, serve.Config{
			Routes: w.door.Routes, OnShutdown: []func(context.Context){w.door.Close},
			Limits: serve.Limits{Request: 100 * time.Millisecond, Read: 100 * time.Millisecond, Write: 200 * time.Millisecond},
		}, func(a net.Addr) { addr <- a })
	}()
	w.server.URL = "http://" + (<-addr).String()
	began := time.Now()
	c := w.connect("sse")
	streams := []*http.Response{w.request("GET", "/api/mcp", "", "Content-Type", ""), w.request("GET", "/api/sse", "", "Content-Type", "")}
	for deadline := began.Add(500 * time.Millisecond); time.Now().Before(deadline); { // well beyond all limits
		if a, err := use(t.Context(), c, "list_contacts", map[string]any{}); err != nil || a.IsError {
			t.Fatalf("after %v: %v %s", time.Since(began), err, a.Structured)
		}
	}
	res := w.request("POST", "/api/mcp", listTools, "Authorization", "")
	if res.StatusCode != 401 || res.Header.Get("X-Request-Id") == "" {
		t.Errorf("%d %v", res.StatusCode, res.Header)
	}
	began = time.Now()
	stop()
	must(t, <-stopped)
	for _, s := range streams {
		for range events(s) {
		}
	}
	if took := time.Since(began); took > time.Second {
		t.Errorf("stopping took %v", took)
	}
}
