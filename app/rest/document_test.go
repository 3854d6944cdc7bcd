package rest_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"daybook/app/setup"
)

func TestDocument(t *testing.T) {
	w := newWorld(t)
	got := w.do("", "GET", "/api/v1/openapi.json", "")
	if again := newWorld(t).do("", "GET", "/api/v1/openapi.json", ""); again.text != got.text {
		t.Error("two servers serve two documents")
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

// The reference of the set-up file is served to anybody, and the page leads to it.
func TestSetupFileReference(t *testing.T) {
	w := newWorld(t)
	got := w.do("", "GET", "/api/docs/setup-file.yaml", "")
	if got.Code != 200 || got.Header().Get("Content-Type") != "text/plain; charset=utf-8" || got.text+"\n" != setup.Example {
		t.Error(got.Code, got.Header())
	}
	if page := w.do("", "GET", "/api/docs", ""); !strings.Contains(page.text, "/api/docs/setup-file.yaml\"") {
		t.Error("the page does not lead to it")
	}
}

// TestReference: the page runs nothing, loads nothing, and shows every operation and object.
// The page is light or dark as was chosen in the dashboard, and long parts of it are folded.
func TestReferenceFollowsTheDashboard(t *testing.T) {
	w := newWorld(t)
	for chosen, want := range map[string]string{"": `data-theme=""`, "dark": `data-theme="dark"`, "light": `data-theme="light"`, `"><b>`: `data-theme=""`} {
		got := w.do("", "GET", "/api/docs", "", "Cookie", "daybook-theme="+chosen)
		if got.Code != 200 || !strings.Contains(got.text, `<html lang="en" `+want) || got.Header().Get("Vary") != "Cookie" {
			t.Errorf("%q: %d %v", chosen, got.Code, got.Header())
		}
	}
	got := w.do("", "GET", "/api/docs", "")
	if n := strings.Count(got.text, `<details class="object">`); n < 20 || strings.Contains(got.text, `<section class="object"`) {
		t.Errorf("%d objects are folded", n)
	}
}

func TestReference(t *testing.T) {
	w := newWorld(t)
	got := w.do("", "GET", "/api/docs", "")
	if got.Code != 200 || got.Header().Get("Content-Type") != "text/html; charset=utf-8" {
		t.Fatal(got.Code, got.Header())
	}
	style := regexp.MustCompile(`(?s)<style>(.*?)</style>`).FindStringSubmatch(got.text)
	sum := sha256.Sum256([]byte(style[1]))
	policy := got.Header().Get("Content-Security-Policy")
	if !strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "style-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'") {
		t.Error("the policy does not allow the page's own style:", policy)
	}
	for _, bad := range []string{"<script", "style=", "onclick", "@import", "url(", `src="`, "ZgotmplZ", "%!", "<no value>"} {
		if strings.Contains(got.text, bad) {
			t.Error("the page has", bad)
		}
	}
	for _, link := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(got.text, -1) {
		anchor, local := strings.CutPrefix(link[1], "#")
		known := link[1] == base+"/api/v1/openapi.json" || link[1] == base+"/api/docs/setup-file.yaml" || link[1] == base+"/dashboard"
		if !local && !known || local && !strings.Contains(got.text, `id="`+anchor+`"`) {
			t.Error("the page links to", link[1])
		}
	}
	var doc struct {
		Paths      map[string]map[string]struct{ OperationID string }
		Components struct{ Schemas map[string]any }
	}
	w.Must(json.Unmarshal([]byte(w.do("", "GET", "/api/v1/openapi.json", "").text), &doc))
	for _, item := range doc.Paths {
		for _, op := range item {
			if !strings.Contains(got.text, `<section class="operation" id="`+op.OperationID+`">`) {
				t.Error("the page lacks", op.OperationID)
			}
		}
	}
	for name := range doc.Components.Schemas {
		if !strings.Contains(got.text, `<section id="`+name+`">`) {
			t.Error("the page lacks", name)
		}
	}
	for _, word := range []string{"X-Service-Signature", "webhook-signature", "whsec_", "standardwebhooks", "constructEvent", "410", "--webhook-allow", "Getting a key", "1.1.0"} {
		if !strings.Contains(got.text, word) {
			t.Error("the page does not tell of", word)
		}
	}
	if got := w.do("", "POST", "/api/docs", ""); got.Code != 405 {
		t.Error(got.Code, got.text)
	}
}
