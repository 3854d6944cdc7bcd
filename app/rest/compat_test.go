package rest_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http/httptest"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/rest"
	"daybook/app/subjects"
)

var release = flag.Bool("release", false, "write testdata/openapi.v1.json: what v1 promises from now on")

const snapshot = "testdata/openapi.v1.json"

// TestReleased holds the document against the one that was released: v1 is never broken in place.
func TestReleased(t *testing.T) {
	rec := httptest.NewRecorder()
	rest.New(subjects.New(subjects.Config{Config: app.Config{Clock: func() time.Time { return apptest.Monday }}}), rest.Options{Version: "1"}).ServeHTTP(rec, httptest.NewRequest("GET", "/api/v1/openapi.json", nil))
	now := rec.Body.Bytes()
	if *release {
		if err := os.WriteFile(snapshot, now, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	was, err := os.ReadFile(snapshot)
	if err != nil {
		t.Fatal(err)
	}
	for _, broken := range breaks(parse(t, was), parse(t, now)) {
		t.Error(broken)
	}
	if t.Failed() {
		t.Log("v1 must not be broken in place: fields are added, none is renamed, retyped or removed. What was only added is released by: go test ./app/rest -run TestReleased -release")
	}
}

func parse(t *testing.T, text []byte) map[string]any {
	t.Helper()
	var doc map[string]any
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

// breaks says what of the released document no longer holds.
func breaks(was, now map[string]any) []string {
	c := &comparison{was: was, now: now}
	for path, item := range object(was["paths"]) {
		for method, op := range object(item) {
			where := strings.ToUpper(method) + " " + path
			current, there := object(object(object(now["paths"])[path])[method]), object(object(now["paths"])[path])[method] != nil
			if c.expect(there, where, "is gone") {
				c.operation(where, object(op), current)
			}
		}
	}
	schemas := func(doc map[string]any) map[string]any { return object(object(doc["components"])["schemas"]) }
	for name := range schemas(was) {
		_, there := schemas(now)[name]
		c.expect(there, "schema "+name, "is gone: generated clients name types after it")
	}
	slices.Sort(c.found)
	return c.found
}

type comparison struct {
	was, now map[string]any
	found    []string
	seen     map[string]bool // pairs of references under comparison: schemas may be recursive
}

func (c *comparison) expect(holds bool, where, what string, args ...any) bool {
	if !holds {
		c.found = append(c.found, where+": "+fmt.Sprintf(what, args...))
	}
	return holds
}

func (c *comparison) operation(where string, was, now map[string]any) {
	c.expect(was["operationId"] == now["operationId"], where, "operationId was %v", was["operationId"])
	c.parameters(where, was, now)
	media := func(v any) map[string]any {
		return object(object(object(object(v)["content"])["application/json"])["schema"])
	}
	before, after := object(was["requestBody"]), object(now["requestBody"])
	c.expect(before["required"] == true || after["required"] != true, where, "the body is required now")
	if before["content"] != nil && c.expect(after["content"] != nil, where, "the body is gone") {
		c.schema(where+" body", media(before), media(after), true)
	}
	for status, r := range object(was["responses"]) {
		current, there := object(now["responses"])[status]
		if !c.expect(there, where, "the answer %s is gone", status) {
			continue
		}
		for name := range object(object(r)["headers"]) {
			c.expect(object(object(current)["headers"])[name] != nil, where+" "+status, "the header %s is gone", name)
		}
		c.schema(where+" "+status, media(r), media(current), false)
	}
}

func (c *comparison) parameters(where string, was, now map[string]any) {
	byName := func(op map[string]any) map[string]map[string]any {
		all := map[string]map[string]any{}
		list, _ := op["parameters"].([]any)
		for _, p := range list {
			all[fmt.Sprint(object(p)["in"], " parameter ", object(p)["name"])] = object(p)
		}
		return all
	}
	before, after := byName(was), byName(now)
	for name, p := range before {
		if c.expect(after[name] != nil, where, "%s is gone", name) {
			c.expect(p["required"] == true || after[name]["required"] != true, where, "%s is required now", name)
			c.expect(p["explode"] == after[name]["explode"], where, "%s is written otherwise", name)
			c.schema(where+" "+name, object(p["schema"]), object(after[name]["schema"]), true)
		}
	}
	for name, p := range after {
		c.expect(before[name] != nil || p["required"] != true, where, "%s is new and required", name)
	}
}

// schema compares what callers send (input) or get. An input may become wider, never narrower; of an answer, nothing
// may go, and what was never null or absent must stay so. New values of an answer's enum are an addition.
func (c *comparison) schema(where string, was, now map[string]any, input bool) {
	key := fmt.Sprint(was["$ref"], now["$ref"], input)
	if was["$ref"] != nil {
		if c.seen[key] {
			return
		}
		if c.seen == nil {
			c.seen = map[string]bool{}
		}
		c.seen[key] = true
	}
	was, now = c.resolve(c.was, was), c.resolve(c.now, now)
	if !c.types(where, was, now, input) {
		return
	}
	c.enum(where, was, now, input)
	c.bounds(where, was, now, input)
	// An answer's format that some answers broke is no promise: an e-mail address may be empty.
	broken := !input && now["format"] == nil && (strings.HasSuffix(where, " email") || strings.HasSuffix(where, " manageUrl"))
	c.expect(broken || was["format"] == now["format"], where, "the format was %v", was["format"])
	c.expect(reflect.DeepEqual(was["default"], now["default"]), where, "the default was %v", was["default"])
	for name, p := range object(was["properties"]) {
		if q, there := object(now["properties"])[name]; c.expect(there, where, "the field %s is gone", name) {
			c.schema(where+" "+name, object(p), object(q), input)
		}
	}
	before, after := texts(was["required"]), texts(now["required"])
	for _, name := range before {
		c.expect(input || slices.Contains(after, name), where, "the field %s may be absent now", name)
	}
	for _, name := range after {
		c.expect(!input || slices.Contains(before, name), where, "the field %s is required now", name)
	}
	c.expect(!input || was["additionalProperties"] == false || now["additionalProperties"] != false, where, "unknown fields are refused now")
	for _, branch := range list(was["oneOf"]) {
		i := slices.IndexFunc(list(now["oneOf"]), func(b any) bool { return object(b)["$ref"] == object(branch)["$ref"] })
		if c.expect(i >= 0, where, "%v is gone", object(branch)["$ref"]) {
			c.schema(where+" union", object(branch), object(list(now["oneOf"])[i]), input)
		}
	}
	for _, part := range []string{"items", "additionalProperties"} {
		if sub := object(was[part]); sub != nil {
			c.schema(where+" "+part, sub, object(now[part]), input)
		}
	}
}

// resolve follows a reference, and turns "this or null" into this with null among its types.
func (c *comparison) resolve(doc, s map[string]any) map[string]any {
	if choices, ok := s["anyOf"].([]any); ok && len(choices) > 2 { // of plain types
		types := []any{}
		for _, c := range choices {
			if object(c)["type"] == nil { // a reference
				return s
			}
			types = append(types, object(c)["type"])
		}
		s = maps(s)
		s["type"] = types
		return s
	}
	if choices, ok := s["anyOf"].([]any); ok && len(choices) == 2 {
		s = maps(c.resolve(doc, object(choices[0])))
		s["type"] = []any{s["type"], "null"}
		return s
	}
	if ref, ok := s["$ref"].(string); ok {
		return object(object(object(doc["components"])["schemas"])[ref[strings.LastIndexByte(ref, '/')+1:]])
	}
	return s
}

func (c *comparison) types(where string, was, now map[string]any, input bool) bool {
	before, after := texts(was["type"]), texts(now["type"])
	must, may := before, after // an input takes at least what it took
	if !input {
		must, may = after, before // an answer is at most what it was
	}
	for _, t := range must {
		if !c.expect(slices.Contains(may, t), where, "the type was %v and is %v", before, after) {
			return false
		}
	}
	return c.expect(len(before) == 0 || len(after) > 0, where, "the type was %v and is open", before)
}

func (c *comparison) enum(where string, was, now map[string]any, input bool) {
	before, _ := was["enum"].([]any)
	after, _ := now["enum"].([]any)
	c.expect(!input || before != nil || after == nil, where, "only some values are taken now")
	c.expect(input || before == nil || after != nil, where, "the values are open now")
	for _, v := range before {
		c.expect(after == nil || slices.Contains(after, v), where, "the value %v is gone", v)
	}
}

func (c *comparison) bounds(where string, was, now map[string]any, input bool) {
	if !input {
		return
	}
	for _, name := range []string{"maxLength", "maximum", "maxProperties"} {
		before, had := was[name].(float64)
		after, has := now[name].(float64)
		c.expect(!has || had && after >= before, where, "%s is narrower", name)
	}
	for _, name := range []string{"minLength", "minimum"} {
		before, had := was[name].(float64)
		after, has := now[name].(float64)
		c.expect(!has || had && after <= before, where, "%s is narrower", name)
	}
	c.expect(now["pattern"] == nil || now["pattern"] == was["pattern"], where, "the pattern changed")
}

func object(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}

func maps(m map[string]any) map[string]any {
	clone := map[string]any{}
	for k, v := range m {
		clone[k] = v
	}
	return clone
}

// texts is a list of texts, or one text, or nothing.
func texts(v any) []string {
	if one, ok := v.(string); ok {
		return []string{one}
	}
	list, _ := v.([]any)
	all := []string{}
	for _, e := range list {
		all = append(all, texts(e)...)
	}
	return all
}
