package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"daybook/app/agent"
	"daybook/app/fault"
)

// connect is mcp-go's client over a transport.
func (w *world) connect(kind string) *client.Client {
	w.Helper()
	header := map[string]string{"Authorization": "Bearer " + w.key}
	var c *client.Client
	var err error
	if kind == "sse" {
		c, err = client.NewSSEMCPClient(w.server.URL+"/api/sse", client.WithHeaders(header))
	} else {
		c, err = client.NewStreamableHttpClient(w.server.URL+"/api/mcp", transport.WithHTTPHeaders(header))
	}
	must(w.T, err)
	must(w.T, c.Start(context.Background()))
	w.Cleanup(func() { c.Close() })
	_, err = c.Initialize(w.Context(), mcp.InitializeRequest{Params: mcp.InitializeParams{
		ProtocolVersion: mcp.LATEST_PROTOCOL_VERSION, ClientInfo: mcp.Implementation{Name: "test", Version: "1"}}})
	must(w.T, err)
	return c
}

func use(ctx context.Context, c *client.Client, tool string, arguments any) (answer, error) {
	r, err := c.CallTool(ctx, mcp.CallToolRequest{Params: mcp.CallToolParams{Name: tool, Arguments: arguments}})
	if err != nil {
		return answer{}, err
	}
	raw, err := json.Marshal(r.StructuredContent)
	return answer{IsError: r.IsError, Structured: raw}, err
}

// TestContest has 200 calls at once over both transports, with streams open, go for eight times of one host: each time
// is booked once, all others are told that it is taken.
func TestContest(t *testing.T) {
	w := newWorld(t)
	for range 20 {
		<-events(w.request("GET", "/api/sse", "", "Content-Type", ""))
		w.request("GET", "/api/mcp", "", "Content-Type", "")
	}
	clients := []*client.Client{w.connect("http"), w.connect("sse"), w.connect("http"), w.connect("sse")}
	var booked, taken atomic.Int32
	var all sync.WaitGroup
	for i := range 200 {
		all.Go(func() {
			start := time.Date(2026, 12, 1, 8+i%8, 0, 0, 0, time.UTC).Format(time.RFC3339)
			a, err := use(t.Context(), clients[i%4], "create_booking", map[string]any{
				"eventType": "cut", "start": start, "invitee": map[string]any{"name": "N", "email": fmt.Sprintf("n%d@x.example", i)}})
			switch e := a.failure(); {
			case err != nil:
				t.Error(err)
			case !a.IsError:
				booked.Add(1)
			case e.Code == "conflict" && e.Details["reason"] == "slot_taken":
				taken.Add(1)
			default:
				t.Errorf("%s", a.Structured)
			}
		})
	}
	all.Wait()
	if booked.Load() != 8 || taken.Load() != 192 {
		t.Errorf("%d booked, %d taken", booked.Load(), taken.Load())
	}
}

// TestCloseLetsCallsFinish has a slow call answer over SSE although the door is closing.
func TestCloseLetsCallsFinish(t *testing.T) {
	w := newWorld(t)
	c := w.connect("sse")
	release, entered := make(chan struct{}), make(chan struct{})
	w.OnCommit(func() { close(entered); <-release })
	done := make(chan error, 1)
	go func() {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		a, err := use(ctx, c, "create_contact", map[string]any{"name": "Ed", "email": "ed@x.example"})
		if err == nil && a.IsError {
			err = fmt.Errorf("%s", a.Structured)
		}
		done <- err
	}()
	<-entered
	closed := make(chan struct{})
	go func() { w.door.Close(t.Context()); close(closed) }()
	close(release)
	must(t, <-done)
	<-closed
}

func TestPanicIsAnInternalError(t *testing.T) {
	w := newWorld(t)
	w.OnCommit(func() { panic("boom") })
	for _, kind := range []string{"http", "sse"} {
		a, err := use(t.Context(), w.connect(kind), "create_contact", map[string]any{"name": "Ed", "email": kind + "@x.example"})
		must(t, err)
		if e := a.failure(); e.Code != "internal" || strings.Contains(string(a.Structured), "boom") || !strings.Contains(e.Message, "not certain") {
			t.Errorf("%s", a.Structured)
		}
	}
	if log := w.log.String(); !strings.Contains(log, "boom") || !strings.Contains(log, "call.go") {
		t.Errorf("the log says nothing of the panic: %s", log)
	}
}

func TestCallTimeout(t *testing.T) {
	w := newWorld(t, func(o *agent.Options) { o.CallTimeout = time.Nanosecond })
	if e := w.call("create_contact", `{"name":"Ed","email":"ed@x.example"}`).failure(); e.Code != string(fault.Internal) || e.Details["reason"] != "timeout" {
		t.Errorf("%+v", e)
	}
}
