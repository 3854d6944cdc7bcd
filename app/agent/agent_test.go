package agent_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/agent"
	"daybook/app/catalog"
	"daybook/app/rooms"
	"daybook/store"
	"daybook/store/enginetest"
)

// morning is when the tests begin: a Monday, 09:00 in Berlin.
var morning = time.Date(2026, 11, 30, 8, 0, 0, 0, time.UTC)

// world is a salon with a door on a listener.
type world struct {
	*testing.T
	service  *rooms.Set
	store    *store.Store
	ws       catalog.Workspace
	key      string // full
	readOnly string
	door     *agent.Door
	server   *httptest.Server
	log      locked
	clock    atomic.Int64 // added to morning
	// anonymous has requests without a key come with the full one.
	anonymous atomic.Bool
}

func (w *world) now() time.Time { return morning.Add(time.Duration(w.clock.Load())) }

func newWorld(t *testing.T, with ...func(*agent.Options)) *world {
	t.Helper()
	w := &world{T: t, store: store.New(enginetest.Open(t))}
	mux := http.NewServeMux()
	w.server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if w.anonymous.Load() && r.Header.Get("Authorization") == "" {
			r.Header.Set("Authorization", "Bearer "+w.key)
		}
		mux.ServeHTTP(rw, r)
	}))
	base, _ := url.Parse(w.server.URL)
	log := slog.New(slog.NewTextHandler(&w.log, nil))
	w.service = rooms.New(rooms.Config{Config: app.Config{Store: w.store, Clock: w.now, BaseURL: base, Logger: log}})
	o := agent.Options{Version: "test", Logger: log}
	for _, f := range with {
		f(&o)
	}
	w.door = agent.New(w.service, o)
	w.door.Routes(mux)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		w.door.Close(ctx)
		w.server.Close()
	})
	var err error
	w.ws, err = w.service.CreateWorkspace(t.Context(), app.Operator(0), app.WorkspaceInput{Slug: "salon", Name: "Salon Ana", TimeZone: "Europe/Berlin"})
	must(t, err)
	w.furnish(w.ws.ID, 0)
	w.key, w.readOnly = w.newKey(account.FullScope, 100_000), w.newKey(account.ReadOnlyScope, 100_000)
	return w
}

// furnish gives a workspace two hosts and their services, with ids from first on.
func (w *world) furnish(ws catalog.WorkspaceID, first int) {
	w.Helper()
	hours := catalog.Hours{Weekly: map[string][]string{}}
	for _, day := range catalog.Weekdays {
		hours.Weekly[day] = []string{"09:00-17:00"}
	}
	must(w.T, w.store.Write(w.Context(), func(tx app.Tx) error {
		for i, name := range []string{"Ana", "Bo"} {
			h := catalog.Host{ID: catalog.HostID(first + 1 + i), WorkspaceID: ws, Name: name, Email: strings.ToLower(name) + "@salon.example", TimeZone: "Europe/Berlin", Active: true, Hours: hours}
			if err := tx.InsertHost(&h); err != nil {
				return err
			}
		}
		for i, slug := range []string{"cut", "colour"} {
			e := catalog.NewEventType()
			e.ID, e.WorkspaceID, e.Slug, e.Title = catalog.EventTypeID(first+10+i), ws, slug, strings.ToUpper(slug)
			e.DurationMinutes, e.SlotStepMinutes, e.Position = 60, 60, i
			e.Price, e.Hosts = &catalog.Money{Amount: 4500, Currency: "EUR"}, []catalog.HostRef{{ID: catalog.HostID(first + 1 + i)}}
			if err := tx.InsertEventType(&e); err != nil {
				return err
			}
		}
		return nil
	}))
}

func (w *world) newKey(scope account.Scope, rate int) string {
	w.Helper()
	k, err := w.service.Account.CreateKey(w.Context(), app.Operator(w.ws.ID), account.KeyInput{Name: string(scope), Scope: scope, RateLimit: rate})
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
	res := w.request("POST", "/api/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`","arguments":`+arguments+`}}`, header...)
	body, err := io.ReadAll(res.Body)
	must(w.T, err)
	var message struct {
		Result answer
		Error  json.RawMessage
	}
	if err := json.Unmarshal(body, &message); err != nil || message.Error != nil || res.StatusCode != 200 {
		w.Fatalf("%s %s: %d %v %s", tool, arguments, res.StatusCode, res.Header, body)
	}
	if len(message.Result.Content) != 1 || message.Result.Content[0].Text != string(message.Result.Structured) {
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
