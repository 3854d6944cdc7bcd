package rest_test

import (
	"context"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

func TestDocument(t *testing.T) {
	w := newWorld(t)
	got := w.do("", "GET", "/api/v1/openapi.json", "")
	if again := newWorld(t).do("", "GET", "/api/v1/openapi.json", ""); again.text != got.text {
		t.Error("two servers serve two documents")
	}
	if got.Header().Get("Access-Control-Allow-Origin") != "*" {
		t.Error("viewers on other sites can't read the document")
	}
	if again := w.do("", "GET", "/api/v1/openapi.json", "", "If-None-Match", got.Header().Get("Etag")); again.Code != 304 || again.text != "" {
		t.Errorf("the document is sent again: %d", again.Code)
	}
	doc, err := openapi3.NewLoader().LoadFromData([]byte(got.text))
	w.Must(err)
	if err := doc.Validate(context.Background(), openapi3.EnableExamplesValidation()); err != nil {
		t.Error(err)
	}
	for path, methods := range map[string][]string{ // the paths that were released
		"/api/v1/bookings": {"GET", "POST"}, "/api/v1/bookings/{id}": {"GET"}, "/api/v1/bookings/{id}/cancel": {"POST"}, "/api/v1/bookings/{id}/reschedule": {"POST"},
		"/api/v1/bookings/{id}/no-show": {"POST"}, "/api/v1/bookings/{id}/confirm": {"POST"}, "/api/v1/bookings/{id}/decline": {"POST"},
		"/api/v1/event-types": {"GET"}, "/api/v1/event-types/{id}": {"GET"}, "/api/v1/availability": {"GET"}, "/api/v1/contacts": {"GET", "POST"}, "/api/v1/contacts/{id}": {"GET"},
	} {
		for _, method := range methods {
			if item := doc.Paths.Value(path); item == nil || item.GetOperation(method) == nil {
				t.Errorf("%s %s is not described", method, path)
			}
		}
	}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			checkOperation(t, method+" "+path, op)
		}
	}
	for name, s := range doc.Components.Schemas {
		if s.Value.Description == "" {
			t.Errorf("%s is not described", name)
		}
	}
	checkDescribed(t, "", parse(t, []byte(got.text))["components"])
}

// checkOperation wants an operation to say all that its callers may meet.
func checkOperation(t *testing.T, where string, op *openapi3.Operation) {
	t.Helper()
	if op.Summary == "" || op.Description == "" || op.OperationID == "" || len(op.Tags) != 1 {
		t.Errorf("%s is not described", where)
	}
	for _, p := range op.Parameters {
		if p.Value.Description == "" {
			t.Errorf("%s: the parameter %s is not described", where, p.Value.Name)
		}
	}
	want := []string{"400", "401", "429", "500"}
	if strings.HasPrefix(where, "POST") {
		want = append(want, "403", "413", "415")
		if p := op.Parameters.GetByInAndName("header", "Idempotency-Key"); p == nil {
			t.Errorf("%s: no Idempotency-Key", where)
		} else if !strings.Contains(p.Description, "nothing is kept") {
			want = append(want, "409")
		}
	}
	if strings.Contains(where, "{id}") {
		want = append(want, "404")
	}
	for _, status := range want {
		r := op.Responses.Value(status)
		if r == nil || r.Value.Content["application/json"].Schema.Ref != "#/components/schemas/Error" {
			t.Errorf("%s: the answer %s is not described", where, status)
		}
	}
	if op.Responses.Value("429").Value.Headers["Retry-After"] == nil || op.Responses.Value("400").Value.Headers["RateLimit-Remaining"] == nil {
		t.Errorf("%s: a header is not described", where)
	}
}

// checkDescribed wants every property of every schema to have a description.
func checkDescribed(t *testing.T, where string, v any) {
	t.Helper()
	for name, sub := range object(v) {
		if name == "properties" {
			for field, p := range object(sub) {
				if text, _ := object(p)["description"].(string); text == "" {
					t.Errorf("%s.%s is not described", where, field)
				}
			}
		}
		checkDescribed(t, where+"."+name, sub)
	}
}
