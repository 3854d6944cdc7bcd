package agent_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/agent"
	"daybook/app/apptest"
	"daybook/app/catalog"
	"daybook/app/money"
	"daybook/app/subjects"
)

// morning is when the tests begin: a Monday, 09:00 in Berlin.
var morning = apptest.Monday.Add(time.Hour)

// world is a salon with a door on a listener.
type world struct {
	*testing.T
	*apptest.Salon
	key      string // full
	readOnly string
	door     *agent.Door
	server   *httptest.Server
	log      locked
	// anonymous has requests without a key come with the full one.
	anonymous atomic.Bool
}

func newWorld(t *testing.T, with ...func(*agent.Options)) *world {
	t.Helper()
	w := &world{T: t}
	mux := http.NewServeMux()
	w.server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if w.anonymous.Load() && r.Header.Get("Authorization") == "" {
			r.Header.Set("Authorization", "Bearer "+w.key)
		}
		mux.ServeHTTP(rw, r)
	}))
	log := slog.New(slog.NewTextHandler(&w.log, nil))
	w.Salon = apptest.New(t, apptest.Options{Clock: apptest.Standing(morning), Name: "Salon Ana", Hosts: []string{"Ana", "Bo"}, With: func(c *subjects.Config) {
		c.BaseURL.Scheme, c.BaseURL.Host, c.Logger = "http", w.server.Listener.Addr().String(), log
	}})
	o := agent.Options{Version: "test", Logger: log}
	for _, f := range with {
		f(&o)
	}
	w.door = agent.New(w.Set, o)
	w.door.Routes(mux)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		w.door.Close(ctx)
		w.server.Close()
	})
	furnish(w.Salon)
	w.key, w.readOnly = w.Key(account.FullScope).Value, w.Key(account.ReadOnlyScope).Value
	return w
}

// furnish gives a workspace's two hosts a service each.
func furnish(s *apptest.Salon) {
	setup, err := s.Setup(s.Workspace.ID)
	s.Must(err)
	for i, slug := range []string{"cut", "colour"} {
		s.Offer(slug, 60, func(e *catalog.EventType) {
			e.Title, e.Position = strings.ToUpper(slug), i
			e.Price, e.Hosts = &money.Money{Amount: 4500, Currency: "EUR"}, []catalog.HostRef{{ID: setup.Hosts[i].ID}}
		})
	}
}

// newKey is a key that has that many requests a minute.
func (w *world) newKey(scope account.Scope, rate int) string {
	w.Helper()
	k, err := w.Account.CreateKey(w.Context(), app.Operator(w.Workspace.ID), account.KeyInput{Name: string(scope), Scope: scope, RateLimit: rate})
	must(w.T, err)
	return k.Value
}

// request is one HTTP request to the door, with the full key unless header says otherwise.
func (w *world) request(method, path, body string, header ...string) *http.Response {
	w.Helper()
	r, err := http.NewRequestWithContext(w.Context(), method, w.server.URL+path, strings.NewReader(body))
	must(w.T, err)
	r.Header.Set("Authorization", "Bearer "+w.key)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i+1 < len(header); i += 2 {
		switch {
		case header[i] == "Host":
			r.Host = header[i+1]
		case header[i+1] == "":
			r.Header.Del(header[i])
		default:
			r.Header.Set(header[i], header[i+1])
		}
	}
	res, err := http.DefaultClient.Do(r)
	must(w.T, err)
	w.Cleanup(func() { res.Body.Close() })
	return res
}

// answer is what a tool call came to.
type answer struct {
	IsError    bool
	Structured json.RawMessage `json:"structuredContent"`
	Content    []struct{ Type, Text string }
}

// failure is the error object of a failed call.
func (a answer) failure() (e struct {
	Code, Message string
	Details       map[string]any
}) {
	var body struct{ Error *json.RawMessage }
	body.Error = new(json.RawMessage)
	if a.IsError && json.Unmarshal(a.Structured, &body) == nil {
		json.Unmarshal(*body.Error, &e)
	}
	return e
}

func (w *world) call(tool, arguments string, header ...string) answer {
	w.Helper()
	return w.callAt("/api/mcp", tool, arguments, header...)
}

// callAt calls a tool of the set at the path.
func (w *world) callAt(path, tool, arguments string, header ...string) answer {
	w.Helper()
	res := w.request("POST", path, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`","arguments":`+arguments+`}}`, header...)
	body, err := io.ReadAll(res.Body)
	must(w.T, err)
	var message struct {
		Result answer
		Error  json.RawMessage
	}
	if err := json.Unmarshal(body, &message); err != nil || message.Error != nil || res.StatusCode != 200 {
		w.Fatalf("%s %s: %d %v %s", tool, arguments, res.StatusCode, res.Header, body)
	}
	structured := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(message.Result.Structured))
	if len(message.Result.Content) != 1 || message.Result.Content[0].Text != structured {
		w.Errorf("%s: text and structured content differ: %s", tool, body)
	}
	return message.Result
}

// get reads the resource that a call answers.
func (w *world) get(tool, arguments string, into any) {
	w.Helper()
	a := w.call(tool, arguments)
	if a.IsError {
		w.Fatalf("%s %s: %s", tool, arguments, a.Structured)
	}
	must(w.T, json.Unmarshal(a.Structured, into))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
