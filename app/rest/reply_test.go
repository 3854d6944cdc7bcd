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

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/contact"
	"daybook/app/rest"
	"daybook/app/subjects"
)

type heard struct {
	Method string          `json:"method"`
	Path   string          `json:"path"`
	Status int             `json:"status"`
	Body   json.RawMessage `json:"body"`
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
	w.T.Helper()
	r := httptest.NewRequest(method, base+path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
		if headers[i+1] == "" && headers[i] != "If-Match" { // which is empty there, and not missing
			r.Header.Del(headers[i])
		}
	}
	rec := httptest.NewRecorder()
	w.door.ServeHTTP(rec, r)
	text, ended := strings.CutSuffix(rec.Body.String(), "\n")

	if strings.HasPrefix(rec.Header().Get("Content-Disposition"), "attachment") {
		text = rec.Body.String()
	} else if text != "" && !ended {
		w.T.Errorf("%s %s: no newline at the end", method, path)
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
	w.T.Helper()
	got := w.do(w.full, "POST", "/api/v1/bookings", bookingBody(eventType, start, email))
	if got.Code != 201 {
		w.T.Fatalf("booking %s at %s: %d %s", eventType, start, got.Code, got.text)
	}
	return got.json(w.T)["id"].(string)
}

func bookingBody(eventType, start, email string) string {
	return fmt.Sprintf(`{"eventType":%q,"start":%q,"invitee":{"name":"Bo Berg","email":%q}}`, eventType, start, email)
}

// state is everything that a refused request must leave alone: the latest event and the rows.
func (w *world) state() string {
	w.T.Helper()
	events, err := w.Store.EventsAfter(w.Workspace.ID, 0, 10_000)
	w.Must(err)
	actor := app.Actor{Kind: booking.ByAPI, Workspace: w.Workspace.ID}
	hundred := 100
	bookings, err := w.Bookings(w.T.Context(), actor, booking.ListBookingsInput{From: "2000-01-01", Limit: &hundred})
	w.Must(err)
	contacts, err := w.People.Contacts(w.T.Context(), actor, contact.Filter{}, &hundred, "")
	w.Must(err)
	text, err := json.Marshal([]any{len(events), bookings, contacts})
	w.Must(err)
	return string(text)
}

// described is the document that the door serves, closed: in a test, a field that it does not tell of is an error.
var described = sync.OnceValues(func() (routers.Router, *openapi3.T) {
	door := rest.New(subjects.New(subjects.Config{Config: app.Config{BaseURL: &url.URL{Scheme: "https", Host: "book.test"}}}), rest.Options{})
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
	w.T.Helper()
	h := got.Header()
	if h.Get("X-Request-Id") == "" {
		w.T.Errorf("%s %s: no X-Request-Id", r.Method, r.URL)
	}
	if got.Code == http.StatusNoContent || got.Code == http.StatusNotModified || r.Method == http.MethodHead || strings.HasPrefix(r.URL.Path, "/api/docs") {
		return
	}
	if strings.HasPrefix(h.Get("Content-Disposition"), "attachment") { // its media type is looked at by who asks for it
		return
	}
	if h.Get("Content-Type") != "application/json" {
		w.T.Errorf("%s %s: Content-Type %q", r.Method, r.URL, h.Get("Content-Type"))
	}
	router, doc := described()
	route, params, err := router.FindRoute(r)
	if err != nil || strings.HasSuffix(r.URL.Path, "/") {
		var v any
		w.Must(json.Unmarshal([]byte(got.text), &v))
		if err := doc.Components.Schemas["Error"].Value.VisitJSON(v, openapi3.EnableJSONSchema2020()); err != nil && got.Code >= 400 {
			w.T.Errorf("%s %s: %d %s: %v", r.Method, r.URL, got.Code, got.text, err)
		}
		return
	}
	err = openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: route},
		Status:                 got.Code, Header: h, Body: readCloser{bytes.NewReader([]byte(got.text))},
		Options: &openapi3filter.Options{IncludeResponseStatus: true, MultiError: true},
	})
	if err != nil {
		w.T.Errorf("%s %s: %d %s\nis not what the document says: %v", r.Method, r.URL, got.Code, got.text, err)
	}
}

type readCloser struct{ *bytes.Reader }

func (readCloser) Close() error { return nil }
