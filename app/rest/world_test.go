package rest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/catalog"
	"daybook/app/record"
	"daybook/app/rest"
	"daybook/app/rooms"
	"daybook/app/when"
	"daybook/store"
	"daybook/store/enginetest"
)

const base = "https://book.test"

// world is the door on a real file, with a clock that stands still until it is moved.
type world struct {
	t       testing.TB
	place   string
	service *rooms.Set
	store   *store.Store
	door    http.Handler

	ws, other               catalog.Workspace
	full, readOnly, foreign string // values of API keys; foreign is of the other workspace
	fullKey                 account.NewKey

	mu    sync.Mutex
	now   time.Time
	heard []heard // every answer with a body
}

type heard struct {
	Method string          `json:"method"`
	Path   string          `json:"path"`
	Status int             `json:"status"`
	Body   json.RawMessage `json:"body"`
}

// monday is the start of the tests: 2026-11-30 08:00 in Berlin, an hour before work.
var monday = time.Date(2026, 11, 30, 7, 0, 0, 0, time.UTC)

const (
	ana catalog.HostID = 1 + iota
	bob
	cyd // of the other workspace
)

// newWorld has two workspaces. In "salon", ana and bob work in Berlin every day from 09:00 to 17:00; ana alone serves
// cut (45 minutes), wash (20, buffers 5 and 10) and talk (30, by approval), both serve color (90, three questions),
// and class has three seats. In "other", cyd serves cut. The keys have a rate that tests don't reach.
func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{t: t, now: monday, place: enginetest.Place(t)}
	w.service, w.store = w.open()
	w.door = rest.New(w.service, rest.Options{Version: "test"})
	w.ws, w.other = w.workspace("salon"), w.workspace("other")
	w.populate()
	w.fullKey = w.key(w.ws, account.FullScope, 1_000_000)
	w.full = w.fullKey.Value
	w.readOnly = w.key(w.ws, account.ReadOnlyScope, 1_000_000).Value
	w.foreign = w.key(w.other, account.FullScope, 1_000_000).Value
	return w
}

// open opens the database once more, as another process would.
func (w *world) open() (*rooms.Set, *store.Store) {
	w.t.Helper()
	s := store.New(enginetest.OpenAt(w.t, w.place))
	at, _ := url.Parse(base)
	return rooms.New(rooms.Config{Config: app.Config{Store: s, Clock: w.clock, BaseURL: at}}), s
}

func (w *world) workspace(slug string) catalog.Workspace {
	ws, err := w.service.CreateWorkspace(w.t.Context(), app.Operator(0), app.WorkspaceInput{Slug: slug, Name: strings.ToUpper(slug), TimeZone: "Europe/Berlin"})
	w.must(err)
	return ws
}

func (w *world) key(ws catalog.Workspace, scope account.Scope, rate int) account.NewKey {
	k, err := w.service.Account.CreateKey(w.t.Context(), app.Operator(ws.ID), account.KeyInput{Name: "test", Scope: scope, RateLimit: rate})
	w.must(err)
	return k
}

func (w *world) populate() {
	w.t.Helper()
	weekly := map[string][]string{}
	for _, day := range catalog.Weekdays {
		weekly[day] = []string{"09:00-17:00"}
	}
	w.must(w.store.Write(w.t.Context(), func(tx app.Tx) error {
		for id, name := range map[catalog.HostID]string{ana: "ana", bob: "bob", cyd: "cyd"} {
			h := catalog.Host{ID: id, WorkspaceID: w.ws.ID, Name: name, Email: name + "@salon.example", TimeZone: "Europe/Berlin", Active: true, Hours: catalog.Hours{Weekly: weekly}}
			if id == cyd {
				h.WorkspaceID = w.other.ID
			}
			if err := tx.InsertHost(&h); err != nil {
				return err
			}
		}
		return nil
	}))
	w.eventType("cut", 45, nil)
	w.eventType("wash", 20, func(e *catalog.EventType) { e.BufferBeforeMinutes, e.BufferAfterMinutes, e.SlotStepMinutes = 5, 10, 5 })
	w.eventType("talk", 30, func(e *catalog.EventType) { e.RequiresApproval = true })
	w.eventType("color", 90, func(e *catalog.EventType) {
		e.Hosts = []catalog.HostRef{{ID: ana}, {ID: bob}}
		e.Price, e.NoShowFee = &catalog.Money{Amount: 9000, Currency: "EUR"}, &catalog.Money{Amount: 2000, Currency: "EUR"}
		e.Questions = []catalog.Question{
			{Key: "tone", Label: "Which tone?", Type: "choice", Options: []string{"red", "blond"}},
			{Key: "first", Label: "First time?", Type: "checkbox"}, {Key: "wish", Label: "Wishes", Type: "long_text"},
		}
	})
	w.eventType("class", 60, func(e *catalog.EventType) { e.Seats = 3 })
	w.eventType("cut", 30, func(e *catalog.EventType) { e.WorkspaceID, e.Hosts = w.other.ID, []catalog.HostRef{{ID: cyd}} })
}

var lastEventType catalog.EventTypeID = 100

func (w *world) eventType(slug string, minutes int, change func(*catalog.EventType)) {
	w.t.Helper()
	e := catalog.NewEventType()
	lastEventType++
	e.ID, e.WorkspaceID, e.Slug, e.Title = lastEventType, w.ws.ID, slug, strings.ToUpper(slug[:1])+slug[1:]
	e.DurationMinutes, e.SlotStepMinutes, e.Position, e.MinimumNoticeMinutes = minutes, minutes, int(lastEventType), 0
	e.Hosts, e.CreatedAt = []catalog.HostRef{{ID: ana}}, when.At(monday)
	if change != nil {
		change(&e)
	}
	w.must(w.store.Write(w.t.Context(), func(tx app.Tx) error { return tx.InsertEventType(&e) }))
}

func (w *world) clock() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *world) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// reply is an answer that was held against the document.
type reply struct {
	*httptest.ResponseRecorder
	text string
}

// json reads the body.
func (r reply) json(t testing.TB) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(r.text), &v); err != nil {
		t.Fatalf("%v in %s", err, r.text)
	}
	return v
}

// errorOf is the code, and the reason and field of an error.
func (r reply) errorOf(t testing.TB) (code, reason, field string) {
	t.Helper()
	e, _ := r.json(t)["error"].(map[string]any)
	code, _ = e["code"].(string)
	details, _ := e["details"].(map[string]any)
	reason, _ = details["reason"].(string)
	field, _ = details["field"].(string)
	return code, reason, field
}

// do sends a request through the door. Headers are pairs; a key is sent as it is given, "" is none.
func (w *world) do(key, method, path, body string, headers ...string) reply {
	w.t.Helper()
	r := httptest.NewRequest(method, base+path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
		if headers[i+1] == "" {
			r.Header.Del(headers[i])
		}
	}
	rec := httptest.NewRecorder()
	w.door.ServeHTTP(rec, r)
	text, ended := strings.CutSuffix(rec.Body.String(), "\n")
	if text != "" && !ended {
		w.t.Errorf("%s %s: no newline at the end", method, path)
	}
	got := reply{rec, text}
	if json.Valid([]byte(text)) {
		w.mu.Lock()
		w.heard = append(w.heard, heard{method, r.URL.Path, rec.Code, json.RawMessage(text)})
		w.mu.Unlock()
	}
	w.validate(r, got)
	return got
}

// book makes a booking that must succeed, and answers its id.
func (w *world) book(eventType, start, email string) string {
	w.t.Helper()
	got := w.do(w.full, "POST", "/api/v1/bookings", booking(eventType, start, email))
	if got.Code != 201 {
		w.t.Fatalf("booking %s at %s: %d %s", eventType, start, got.Code, got.text)
	}
	return got.json(w.t)["id"].(string)
}

func booking(eventType, start, email string) string {
	return fmt.Sprintf(`{"eventType":%q,"start":%q,"invitee":{"name":"Bo Berg","email":%q}}`, eventType, start, email)
}

// state is everything that a refused request must leave alone: the latest event and the rows.
func (w *world) state() string {
	w.t.Helper()
	events, err := w.store.EventsAfter(w.ws.ID, 0, 10_000)
	w.must(err)
	actor := app.Actor{Kind: record.ByAPI, Workspace: w.ws.ID}
	hundred := 100
	bookings, err := w.service.Bookings(w.t.Context(), actor, record.ListBookingsInput{From: "2000-01-01", Limit: &hundred})
	w.must(err)
	contacts, err := w.service.Contacts(w.t.Context(), actor, "", &hundred, "")
	w.must(err)
	text, err := json.Marshal([]any{len(events), bookings, contacts})
	w.must(err)
	return string(text)
}

// described is the document that the door serves, closed: in a test, a field that it does not tell of is an error.
var described = sync.OnceValues(func() (routers.Router, *openapi3.T) {
	door := rest.New(rooms.New(rooms.Config{Config: app.Config{BaseURL: &url.URL{Scheme: "https", Host: "book.test"}}}), rest.Options{})
	rec := httptest.NewRecorder()
	door.ServeHTTP(rec, httptest.NewRequest("GET", base+"/api/v1/openapi.json", nil))
	doc, err := openapi3.NewLoader().LoadFromData(rec.Body.Bytes())
	if err == nil {
		err = doc.Validate(context.Background())
	}
	if err != nil {
		panic(err)
	}
	for _, s := range doc.Components.Schemas {
		if len(s.Value.Properties) > 0 {
			no := false
			s.Value.AdditionalProperties = openapi3.AdditionalProperties{Has: &no}
		}
	}
	router, err := legacy.NewRouter(doc)
	if err != nil {
		panic(err)
	}
	return router, doc
})

// validate holds an answer against the document, and every answer under /api against what all have in common.
func (w *world) validate(r *http.Request, got reply) {
	w.t.Helper()
	h := got.Header()
	if h.Get("X-Request-Id") == "" {
		w.t.Errorf("%s %s: no X-Request-Id", r.Method, r.URL)
	}
	if got.Code == http.StatusNoContent || r.Method == http.MethodHead || strings.HasPrefix(r.URL.Path, "/api/docs") {
		return
	}
	if h.Get("Content-Type") != "application/json" {
		w.t.Errorf("%s %s: Content-Type %q", r.Method, r.URL, h.Get("Content-Type"))
	}
	router, doc := described()
	route, params, err := router.FindRoute(r)
	if err != nil || strings.HasSuffix(r.URL.Path, "/") {
		var v any
		w.must(json.Unmarshal([]byte(got.text), &v))
		if err := doc.Components.Schemas["Error"].Value.VisitJSON(v, openapi3.EnableJSONSchema2020()); err != nil && got.Code >= 400 {
			w.t.Errorf("%s %s: %d %s: %v", r.Method, r.URL, got.Code, got.text, err)
		}
		return
	}
	err = openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: route},
		Status:                 got.Code, Header: h, Body: readCloser{bytes.NewReader([]byte(got.text))},
		Options: &openapi3filter.Options{IncludeResponseStatus: true, MultiError: true},
	})
	if err != nil {
		w.t.Errorf("%s %s: %d %s\nis not what the document says: %v", r.Method, r.URL, got.Code, got.text, err)
	}
}

type readCloser struct{ *bytes.Reader }

func (readCloser) Close() error { return nil }
