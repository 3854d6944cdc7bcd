package agent_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/agent"
	"daybook/app/fault"
)

const listTools = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`

func TestGate(t *testing.T) {
	w := newWorld(t, func(o *agent.Options) { o.AllowedOrigins = []string{"https://app.example/"} })
	signIn := func(path, more string) string { // where agents' programs learn how to sign in
		return `Www-Authenticate: Bearer resource_metadata="` + w.server.URL + `/.well-known/oauth-protected-resource` + path + `", scope="read write"` + more
	}
	large := `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"` + strings.Repeat("x", 1<<20) + `"}}`
	for _, c := range []struct {
		name, method, path, body string
		header                   []string
		status                   int
		code                     fault.Code
		want                     string // header: value
	}{
		{"no key", "POST", "/api/mcp", listTools, []string{"Authorization", ""}, 401, fault.Unauthorized, signIn("/api/mcp", "")},
		{"wrong key", "POST", "/api/mcp", listTools, []string{"Authorization", "Bearer dbk_x"}, 401, fault.Unauthorized, signIn("/api/mcp", `, error="invalid_token"`)},
		{"no key, stream", "GET", "/api/mcp", "", []string{"Authorization", ""}, 401, fault.Unauthorized, signIn("/api/mcp", "")},
		{"no key, SSE", "GET", "/api/sse", "", []string{"Authorization", ""}, 401, fault.Unauthorized, signIn("/api/sse", "")},
		{"no key, message", "POST", "/api/sse/message?sessionId=x", listTools, []string{"Authorization", ""}, 401, fault.Unauthorized, signIn("/api/sse", "")},
		{"key in another scheme", "POST", "/api/mcp", listTools, []string{"Authorization", "Basic " + w.key}, 401, fault.Unauthorized, ""},
		{"foreign page", "POST", "/api/mcp", listTools, []string{"Origin", "https://evil.example"}, 403, fault.Forbidden, ""},
		{"foreign page, SSE", "GET", "/api/sse", "", []string{"Origin", "https://evil.example"}, 403, fault.Forbidden, ""},
		{"foreign page, message", "POST", "/api/sse/message?sessionId=x", listTools, []string{"Origin", "null"}, 403, fault.Forbidden, ""},
		{"foreign preflight", "OPTIONS", "/api/mcp", "", []string{"Origin", "https://evil.example", "Access-Control-Request-Method", "POST"}, 403, fault.Forbidden, ""},
		{"own page", "POST", "/api/mcp", listTools, []string{"Origin", w.server.URL}, 200, "", "Access-Control-Allow-Origin: " + w.server.URL},
		{"own page by another name", "POST", "/api/mcp", listTools, []string{"Origin", strings.Replace(w.server.URL, "127.0.0.1", "localhost", 1)}, 200, "", ""},
		{"allowed page", "POST", "/api/mcp", listTools, []string{"Origin", "https://app.example"}, 200, "", "Access-Control-Allow-Origin: https://app.example"},
		{"allowed preflight", "OPTIONS", "/api/mcp", "", []string{"Authorization", "", "Origin", "https://app.example", "Access-Control-Request-Method", "POST"}, 204, "", "Access-Control-Allow-Methods: GET, POST, DELETE"},
		{"behind a proxy", "POST", "/api/mcp", listTools, []string{"Host", "book.example.com"}, 200, "", ""},
		{"large", "POST", "/api/mcp", large, nil, 413, fault.PayloadTooLarge, ""},
		{"large message", "POST", "/api/sse/message?sessionId=x", large, nil, 413, fault.PayloadTooLarge, ""},
		{"not JSON", "POST", "/api/mcp", listTools, []string{"Content-Type", "text/plain"}, 415, fault.UnsupportedMediaType, ""},
		{"method", "PUT", "/api/mcp", listTools, nil, 405, fault.MethodNotAllowed, "Allow: GET, POST, DELETE"},
		{"method of SSE", "POST", "/api/sse", listTools, nil, 405, fault.MethodNotAllowed, "Allow: GET"},
		{"method of message", "GET", "/api/sse/message", "", nil, 405, fault.MethodNotAllowed, "Allow: POST"},
		{"unknown session", "POST", "/api/sse/message?sessionId=x.y", listTools, nil, 404, fault.NotFound, ""},
		{"no session", "POST", "/api/sse/message", listTools, nil, 404, fault.NotFound, ""},
		{"a browser", "GET", "/api/mcp", "", []string{"Authorization", "", "Accept", "text/html,application/xhtml+xml,*/*;q=0.8"}, 406, "", "Content-Type: text/plain; charset=utf-8"},
		{"a browser, SSE", "GET", "/api/sse", "", []string{"Accept", "text/html"}, 406, "", ""},
		{"session of another server", "POST", "/api/mcp", listTools, []string{"Mcp-Session-Id", "x"}, 200, "", ""},
		{"end of a session", "DELETE", "/api/mcp", "", nil, 200, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := w.request(c.method, c.path, c.body, c.header...)
			body, _ := io.ReadAll(res.Body)
			if res.StatusCode != c.status {
				t.Fatalf("%d, want %d: %.300s", res.StatusCode, c.status, body)
			}
			if origin := res.Header.Get("Access-Control-Allow-Origin"); origin == "*" || strings.Contains(origin, "evil") {
				t.Errorf("lets %q read the answer", origin)
			}
			if name, value, ok := strings.Cut(c.want, ": "); ok && res.Header.Get(name) != value {
				t.Errorf("%s is %q, want %q", name, res.Header.Get(name), value)
			}
			var failure struct{ Error struct{ Code fault.Code } }
			if c.code != "" && (json.Unmarshal(body, &failure) != nil || failure.Error.Code != c.code) {
				t.Errorf("want code %s: %s", c.code, body)
			}
		})
	}
}

func TestRate(t *testing.T) {
	w := newWorld(t)
	w.key = w.newKey(account.FullScope, 5)
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_contacts"}}`
	for i := range 5 { // what is said besides the calls takes nothing away from them
		w.request("POST", "/api/mcp", listTools)
		w.request("POST", "/api/mcp", `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		res := w.request("POST", "/api/mcp", call)
		if left := res.Header.Get("RateLimit-Remaining"); res.StatusCode != 200 || left != fmt.Sprint(4-i) || res.Header.Get("RateLimit-Limit") != "5" {
			t.Fatalf("call %d: %d, %s left", i+1, res.StatusCode, left)
		}
	}
	res := w.request("POST", "/api/mcp", call)
	body, _ := io.ReadAll(res.Body)
	if res.StatusCode != 429 || res.Header.Get("Retry-After") != "60" || !strings.Contains(string(body), `"code":"rate_limited"`) {
		t.Errorf("%d %v %s", res.StatusCode, res.Header, body)
	}
	if res = w.request("POST", "/api/mcp", listTools); res.StatusCode != 200 {
		t.Errorf("tools/list after the last call: %d", res.StatusCode)
	}
	refused := 0
	for range 120 {
		if w.request("POST", "/api/mcp", listTools).StatusCode == 429 {
			refused++
		}
	}
	if refused != 11 { // 5 + 5 + 1 were counted before
		t.Errorf("%d of 120 more lists were refused", refused)
	}
	w.Clock.Advance(time.Minute)
	if res = w.request("POST", "/api/mcp", call); res.StatusCode != 200 {
		t.Errorf("a minute later: %d", res.StatusCode)
	}
}

func TestRevokedKeyEndsAtNextRequest(t *testing.T) {
	w := newWorld(t)
	w.call("list_contacts", `{}`)
	keys, err := w.Account.Keys(t.Context(), app.Operator(w.Workspace.ID))
	must(t, err)
	for _, k := range keys {
		_, err := w.Account.RevokeKey(t.Context(), app.Operator(0), k.ID.String())
		must(t, err)
	}
	if res := w.request("POST", "/api/mcp", listTools); res.StatusCode != 401 {
		t.Errorf("status %d", res.StatusCode)
	}
}

// stream reads the events of an SSE answer.
func events(res *http.Response) <-chan [2]string {
	out := make(chan [2]string, 100)
	go func() {
		defer close(out)
		kind := ""
		lines := bufio.NewScanner(res.Body)
		lines.Buffer(nil, 1<<20) // the list of tools is one line
		for lines.Scan() {
			line := strings.TrimRight(lines.Text(), "\r")
			if k, ok := strings.CutPrefix(line, "event: "); ok {
				kind = k
			} else if data, ok := strings.CutPrefix(line, "data: "); ok {
				out <- [2]string{kind, data}
			}
		}
	}()
	return out
}

func TestSSESessionBelongsToItsKey(t *testing.T) {
	w := newWorld(t)
	other := w.newKey(account.FullScope, 1000)
	received := events(w.request("GET", "/api/sse", "", "Content-Type", ""))
	first := <-received
	if first[0] != "endpoint" || !strings.HasPrefix(first[1], "/api/sse/message?sessionId=") {
		t.Fatalf("%q", first)
	}
	if res := w.request("POST", first[1], listTools, "Authorization", "Bearer "+other); res.StatusCode != 404 {
		t.Errorf("another key's message: %d", res.StatusCode)
	}
	if res := w.request("POST", first[1], listTools); res.StatusCode != 202 {
		t.Errorf("own message: %d", res.StatusCode)
	}
	if e := <-received; !strings.Contains(e[1], "check_availability") {
		t.Errorf("%.200q", e)
	}
	tampered := first[1][:len(first[1])-1] + "-"
	if res := w.request("POST", tampered, listTools); res.StatusCode != 404 {
		t.Errorf("tampered session: %d", res.StatusCode)
	}
}

// TestCloseEndsStreams also has streams that open after Close end at once.
func TestCloseEndsStreams(t *testing.T) {
	w := newWorld(t, func(o *agent.Options) { o.Heartbeat = 50 * time.Millisecond })
	var open []<-chan [2]string
	for range 5 {
		sse := events(w.request("GET", "/api/sse", "", "Content-Type", ""))
		<-sse // the endpoint
		mcp := events(w.request("GET", "/api/mcp", "", "Content-Type", ""))
		if e := <-mcp; !strings.Contains(e[1], `"ping"`) {
			t.Errorf("first event %q, want a heartbeat", e)
		}
		open = append(open, sse, mcp)
	}
	began := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	w.door.Close(ctx)
	open = append(open, events(w.request("GET", "/api/sse", "", "Content-Type", "")), events(w.request("GET", "/api/mcp", "", "Content-Type", "")))
	for i, stream := range open {
		for range stream {
		}
		if took := time.Since(began); took > time.Second {
			t.Fatalf("stream %d ended after %v", i, took)
		}
	}
	w.call("list_contacts", `{}`) // requests under way are the server's to end
}

// What is wrong with a message is numbered as JSON-RPC has it.
func TestJSONRPCErrors(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		name, body string
		code       int
		id         string
	}{
		{"no JSON", `{"jsonrpc":`, -32700, "null"},
		{"nothing", ``, -32700, "null"},
		{"two values", listTools + listTools, -32700, "null"},
		{"batch", "[" + listTools + "]", -32600, "null"},
		{"empty batch", "[]", -32600, "null"},
		{"a text", `"ping"`, -32600, "null"},
		{"null", `null`, -32600, "null"},
		{"no version", `{"id":1,"method":"ping"}`, -32600, "null"},
		{"version 1", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, -32600, "null"},
		{"no method", `{"jsonrpc":"2.0","id":1}`, -32600, "1"},
		{"method is a number", `{"jsonrpc":"2.0","id":1,"method":7}`, -32600, "null"},
		{"id is an object", `{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}`, -32600, "null"},
		{"id is null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, -32600, "null"},
		{"id is true", `{"jsonrpc":"2.0","id":true,"method":"ping"}`, -32600, "null"},
		{"initialize without a protocol version", `{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"capabilities":{}}}`, -32602, `"a"`},
	} {
		for _, path := range []string{"/api/mcp", "/api/sse/message"} {
			res := w.request("POST", path, c.body)
			var answer struct {
				Version string          `json:"jsonrpc"`
				ID      json.RawMessage `json:"id"`
				Error   struct {
					Code    int
					Message string
				}
			}
			if err := json.NewDecoder(res.Body).Decode(&answer); err != nil || res.StatusCode != 400 {
				t.Fatalf("%s, %s: %d, %v", c.name, path, res.StatusCode, err)
			}
			if answer.Version != "2.0" || answer.Error.Code != c.code || string(answer.ID) != c.id || answer.Error.Message == "" {
				t.Errorf("%s, %s: %+v, id %s; want %d, id %s", c.name, path, answer, answer.ID, c.code, c.id)
			}
		}
	}
	res := w.request("POST", "/api/mcp", `{"jsonrpc":"2.0","id":1,"method":"no/such"}`)
	if body, _ := io.ReadAll(res.Body); !strings.Contains(string(body), "-32601") {
		t.Errorf("an unknown method: %s", body)
	}
}
