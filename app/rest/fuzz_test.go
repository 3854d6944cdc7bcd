package rest_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"daybook/app/account"
	"daybook/app/rest"
)

var (
	requests = flag.Int("requests", 10, "how many requests TestEveryOperationKeepsToTheDocument makes an operation")
	seed     = flag.Uint64("seed", 0, "of these requests; 0 draws one")
)

// TestEveryOperationKeepsToTheDocument makes requests from the document, good ones and others, in all operations: nothing
// is a 5xx, and each answer has a status, a type and a body that the document has.
func TestEveryOperationKeepsToTheDocument(t *testing.T) {
	if *seed == 0 {
		*seed = rand.Uint64()
	}
	t.Logf("-seed %d", *seed)
	f := newFuzzer(t)
	counts := map[int]int{}
	reached := map[string]bool{}
	for n := range *requests {
		if n%20 == 0 {
			f.refresh()
		}
		for _, op := range f.operations {
			status := f.try(op)
			counts[status]++
			reached[op.name] = reached[op.name] || status/100 == 2
		}
		if len(f.faults) > 20 {
			break
		}
	}
	for _, what := range sortedKeys(f.faults) {
		t.Errorf("%s", f.faults[what])
	}
	var never []string
	for _, op := range f.operations {
		if !reached[op.name] {
			never = append(never, op.name)
		}
	}
	t.Logf("%v, without a success: %v", counts, never)
	if *requests >= 10 && len(never) > len(f.operations)/2 {
		t.Errorf("only %d of %d operations succeeded: the requests are no good", len(f.operations)-len(never), len(f.operations))
	}
}

// fuzzer makes requests from the document.
type fuzzer struct {
	*world
	*rand.Rand
	doc        map[string]any
	compiler   *jsonschema.Compiler
	schemas    map[string]*jsonschema.Schema // by their place in the document
	operations []operation
	manager    string
	public     string
	pool       map[string][]string // what there is, by the last word of its list's path
	kept       map[string]bool     // ids that requests don't take away, as others need them
	starts     []string            // open ones
	tags       []string
	cursors    []string
	keys       []string
	faults     map[string]string // one of each kind
}

type operation struct {
	name, method, path string
	op                 map[string]any
}

func newFuzzer(t *testing.T) *fuzzer {
	w := newWorld(t)
	w.door = rest.New(w.Set, rest.Options{Version: "test", Public: rest.PublicOptions{BookingsPerHour: 1_000_000}})
	w.furnish()
	for _, slug := range []string{"lather", "rinse"} {
		w.eventType(slug, 30, nil)
	}
	const waived = `"override":["in_past","outside_hours","off_grid"],"invitee":{"name":"Vi","email":"vi@x.example"}}`
	for path, body := range map[string]string{"bookings": `{"eventType":"cut","start":"2026-11-30T05:00:00Z",` + waived,
		"visits": `{"items":[{"eventType":"lather"},{"eventType":"rinse"}],"start":"2026-11-30T03:00:00Z",` + waived} {
		if got := w.do(w.full, "POST", "/api/v1/"+path, body); got.Code != 201 {
			t.Fatal(path, got.text)
		}
	}
	visit := w.do(w.full, "POST", "/api/v1/visits", `{"items":[{"eventType":"lather"},{"eventType":"rinse"}],"start":"2026-12-11T09:00:00Z","invitee":{"name":"Vi","email":"vi@x.example"}}`).json(t)["id"]
	w.mails()
	f := &fuzzer{world: w, Rand: rand.New(rand.NewPCG(*seed, 1)), compiler: jsonschema.NewCompiler(), schemas: map[string]*jsonschema.Schema{},
		manager: w.manager(), pool: map[string][]string{}, kept: map[string]bool{}, faults: map[string]string{}}
	f.doc = parse(t, []byte(w.do("", "GET", "/api/v1/openapi.json", "").text))
	for path, item := range object(f.doc["paths"]) {
		for method, op := range object(item) {
			f.operations = append(f.operations, operation{strings.ToUpper(method) + " " + path, strings.ToUpper(method), path, object(op)})
		}
	}
	slices.SortFunc(f.operations, func(a, b operation) int { return strings.Compare(a.name, b.name) })
	closed := parse(t, []byte(w.do("", "GET", "/api/v1/openapi.json", "").text))
	for _, s := range object(object(closed["components"])["schemas"]) { // what isn't described isn't answered
		if s := object(s); s["properties"] != nil && s["additionalProperties"] == nil {
			s["additionalProperties"] = false
		}
	}
	f.compiler.AssertFormat()
	w.Must(f.compiler.AddResource("doc.json", closed))
	f.public = w.keyOf(account.KeyInput{Scope: account.PublicScope, RateLimit: 1_000_000, Limits: account.Limits{Origins: []string{website}}})
	f.learn("visits", visit.(string))
	f.refresh()
	for _, ids := range f.pool {
		for _, id := range ids {
			f.kept[id] = true
		}
	}
	return f
}

// refresh reads what there is, in every list.
func (f *fuzzer) refresh() {
	f.pool["event-types"] = nil
	for _, op := range f.operations {
		if op.method != "GET" || strings.Contains(op.path, "/public/") || strings.Contains(op.path, "availability") {
			continue
		}
		path := op.path
		if strings.Contains(path, "{id}") {
			if path = strings.ReplaceAll(path, "{id}", ana.String()); !strings.Contains(path, "/hosts/") {
				continue
			}
		}
		r := httptest.NewRequest("GET", base+path, nil)
		r.Header.Set("Authorization", "Bearer "+f.manager)
		got := httptest.NewRecorder()
		f.door.ServeHTTP(got, r)
		var list struct{ Data []map[string]any }
		if got.Code != 200 || json.Unmarshal(got.Body.Bytes(), &list) != nil {
			continue
		}
		noun := path[strings.LastIndexByte(path, '/')+1:]
		for _, row := range list.Data {
			if visit, is := object(row["visit"])["id"].(string); is {
				f.learn("visits", visit)
			}
			for _, name := range []string{"id", "slug"} {
				if id, is := row[name].(string); is {
					f.learn(noun, id)
				}
			}
		}
	}
	f.starts = f.starts[:0]
	for _, slug := range []string{"cut", "color", "talk", "class"} {
		for _, days := range []string{"3", "30"} {
			r := httptest.NewRequest("GET", base+"/api/v1/availability?limit=100&firstPerDay="+fmt.Sprint(days == "30")+"&days="+days+"&eventType="+slug, nil)
			r.Header.Set("Authorization", "Bearer "+f.manager)
			got := httptest.NewRecorder()
			f.door.ServeHTTP(got, r)
			var list struct{ Data []struct{ Start string } }
			if json.Unmarshal(got.Body.Bytes(), &list) == nil {
				for _, s := range list.Data {
					f.starts = append(f.starts, s.Start)
				}
			}
		}
	}
}

func (f *fuzzer) learn(noun, id string) {
	all := f.pool[noun]
	if slices.Contains(all, id) {
		return
	}
	if len(all) >= 40 { // the oldest that nobody needs
		if i := slices.IndexFunc(all, func(id string) bool { return !f.kept[id] }); i >= 0 {
			all = slices.Delete(all, i, i+1)
		}
	}
	f.pool[noun] = append(all, id)
}

// of returns one of a list's ids, or what is none.
func (f *fuzzer) of(noun string) string {
	if ids := f.pool[noun]; len(ids) > 0 && f.IntN(12) > 0 {
		return ids[f.IntN(len(ids))]
	}
	return pick(f, []string{"nothing", "bk_nothing", "0", "ä", strings.Repeat("x", 200), "hs_0000000003", "a b"})
}

func pick[T any](f *fuzzer, all []T) T { return all[f.IntN(len(all))] }

// try makes a request of the operation, and returns the status of its answer.
func (f *fuzzer) try(op operation) int {
	f.T.Helper()
	path := op.path
	noun := strings.Split(strings.TrimPrefix(path, "/api/v1/"), "/")[0]
	id := f.of(noun)
	if (op.method == "DELETE" || op.method == "PATCH") && noun != "bookings" && strings.HasSuffix(path, "{id}") && f.kept[id] {
		id = "nothing"
		if free := slices.DeleteFunc(slices.Clone(f.pool[noun]), func(id string) bool { return f.kept[id] }); len(free) > 0 {
			id = pick(f, free)
		}
	}
	path = strings.NewReplacer("{id}", url.PathEscape(id), "{date}", pick(f, []string{"2026-12-24", "2026-13-01", "x"}), "{entry}",
		url.PathEscape(f.of("time-off"))).Replace(path)
	headers := map[string]string{"Authorization": "Bearer " + f.manager}
	if strings.Contains(path, "/public/") {
		headers["Authorization"], headers["Origin"] = "Bearer "+f.public, website
	}
	query := url.Values{}
	list, _ := op.op["parameters"].([]any)
	for _, p := range list {
		p := object(p)
		name, _ := p["name"].(string)
		switch {
		case p["in"] == "query" && (p["required"] == true || f.IntN(4) == 0):
			query.Set(name, f.inQuery(name, p))
		case name == "Idempotency-Key" && f.IntN(3) == 0:
			headers[name] = f.once()
		case name == "If-Match" && f.IntN(4) == 0, name == "If-None-Match" && f.IntN(4) == 0:
			headers[name] = pick(f, append([]string{`"zzz"`, "*", "x", `W/"a", "b"`}, f.tags...))
		case name == "Daybook-Visitor":
			headers[name] = fmt.Sprint("visitor-of-the-page-", f.IntN(1000))
		}
	}
	switch f.IntN(60) {
	case 0:
		query.Set("nothing", "x")
	case 1:
		headers["Authorization"] = "Bearer " + f.readOnly
	case 2:
		headers["Authorization"] = pick(f, []string{"Bearer x", "Basic eDp5", "Bearer " + f.foreign, "Bearer " + f.public})
	case 3:
		delete(headers, "Authorization")
	}
	body := f.body(op, headers)
	target := base + path
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	r := httptest.NewRequest(op.method, target, bytes.NewReader(body))
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	got := httptest.NewRecorder()
	panicked := f.serve(got, r)
	shown := func(kind, why string, args ...any) {
		f.faults[op.name+" "+kind] = fmt.Sprintf("%s: %s\n%s %s %v\n%.2000s\nanswers %d %.2000s", op.name, fmt.Sprintf(why, args...),
			op.method, target, headers, body, got.Code, got.Body)
	}
	if panicked != "" {
		shown("panic", "panics: %s", panicked)
		return 500
	}
	f.judge(op, got, shown, query.Get("dryRun") == "true" || bytes.Contains(body, []byte(`"dryRun":true`)))
	f.hear(noun, op, got)
	return got.Code
}

func (f *fuzzer) serve(got *httptest.ResponseRecorder, r *http.Request) (panicked string) {
	defer func() {
		if p := recover(); p != nil {
			panicked = fmt.Sprintf("%v\n%s", p, debug.Stack())
		}
	}()
	f.door.ServeHTTP(got, r)
	return ""
}

// judge holds an answer against the document.
func (f *fuzzer) judge(op operation, got *httptest.ResponseRecorder, fault func(kind, why string, args ...any), dry bool) {
	status := fmt.Sprint(got.Code)
	if got.Code >= 500 {
		fault(status, "is an error of the server")
		return
	}
	described := object(object(op.op["responses"])[status])
	if described == nil {
		fault(status, "%s is not described", status)
		return
	}
	if got.Header().Get("X-Request-Id") == "" {
		fault("id", "has no X-Request-Id")
	}
	if got.Code == 204 || got.Code == 304 {
		if got.Body.Len() > 0 {
			fault(status, "has a body")
		}
		return
	}
	var v any
	if kind := got.Header().Get("Content-Type"); kind != "application/json" || json.Unmarshal(got.Body.Bytes(), &v) != nil {
		fault(status+" type", "is no JSON but %q", kind)
		return
	}
	place := fmt.Sprintf("#/paths/%s/%s/responses/%s/content/application~1json/schema", url.PathEscape(strings.ReplaceAll(op.path, "/", "~1")), strings.ToLower(op.method), status)
	if dry && got.Code == 200 {
		place = "#/components/schemas/DryRun"
	}
	schema := f.schemas[place]
	if schema == nil {
		var err error
		if schema, err = f.compiler.Compile("doc.json" + place); err != nil {
			f.T.Fatal(err)
		}
		f.schemas[place] = schema
	}
	if err := schema.Validate(v); err != nil {
		fault(status+" schema", "is not in its schema: %v", err)
	}
}

// hear keeps what later requests can name.
func (f *fuzzer) hear(noun string, op operation, got *httptest.ResponseRecorder) {
	if tag := got.Header().Get("Etag"); tag != "" && len(f.tags) < 50 {
		f.tags = append(f.tags, tag)
	}
	var v struct {
		ID, Slug   string
		NextCursor string
	}
	if got.Code/100 != 2 || json.Unmarshal(got.Body.Bytes(), &v) != nil {
		return
	}
	if v.NextCursor != "" && len(f.cursors) < 50 {
		f.cursors = append(f.cursors, v.NextCursor)
	}
	if op.method == "POST" && op.path == "/api/v1/"+noun {
		for _, id := range []string{v.ID, v.Slug} {
			if id != "" {
				f.learn(noun, id)
			}
		}
	}
}

func (f *fuzzer) once() string {
	if len(f.keys) > 0 && f.IntN(5) == 0 {
		return pick(f, f.keys)
	}
	key := pick(f, []string{fmt.Sprint("key-", f.Uint64()), fmt.Sprint("key-", f.Uint64()), strings.Repeat("k", 256), "", "ä"})
	f.keys = append(f.keys[max(0, len(f.keys)-20):], key)
	return key
}

func (f *fuzzer) inQuery(name string, p map[string]any) string {
	if f.IntN(5) == 0 {
		return pick(f, []string{"", "0", "-1", "1e9", "99999999999999999999", "x", "ä", "\x00", "true", "null", "a,b", strings.Repeat("y", 3000), "2026-02-30", "2026-12-01T09:00:00Z", "9999-12-31T23:59:59Z", "-0001-01-01"})
	}
	if name == "cursor" {
		return pick(f, append([]string{"x", "bnhrYzIwZzA"}, f.cursors...))
	}
	switch v := f.value(object(p["schema"]), name, 0).(type) {
	case []any:
		var parts []string
		for _, one := range v {
			parts = append(parts, fmt.Sprint(one))
		}
		return strings.Join(parts, ",")
	default:
		return fmt.Sprint(v)
	}
}

// body returns the body of a request: one of its schema, half of the time with something wrong in it.
func (f *fuzzer) body(op operation, headers map[string]string) []byte {
	content := object(object(op.op["requestBody"])["content"])
	if len(content) == 0 {
		return nil
	}
	media := object(content["application/json"])
	if media == nil {
		headers["Content-Type"] = pick(f, []string{"image/png", "image/png", "image/jpeg", "application/json"})
		if f.IntN(3) == 0 {
			return []byte("no picture")
		}
		return []byte(smallPNG(f.T.(*testing.T), 1+f.IntN(40)))
	}
	headers["Content-Type"] = "application/json"
	if f.IntN(50) == 0 {
		headers["Content-Type"] = pick(f, []string{"text/plain", "", "application/merge-patch+json", "application/json; charset=utf-8"})
	}
	var v any = f.value(object(media["schema"]), "", 0)
	if example := media["example"]; example != nil && f.IntN(3) == 0 {
		v = f.here(clone(example))
	}
	for f.IntN(5) < 2 {
		v = f.spoil(v)
	}
	text, err := json.Marshal(v)
	if err != nil {
		f.T.Fatal(err)
	}
	switch f.IntN(60) {
	case 0:
		return text[:f.IntN(len(text)+1)]
	case 1:
		return append(text, "x"...)
	case 2:
		return []byte(pick(f, []string{"null", "[]", "7", "{}", `"x"`, "{\"a\":\"\xff\"}", `{"start":1,"start":2}`, strings.Repeat("[", 20_000)}))
	}
	return text
}

// here returns an example with the times and names of this world.
func (f *fuzzer) here(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = f.here(v[i])
		}
	case map[string]any:
		for _, name := range sortedKeys(v) {
			if text, is := v[name].(string); is && (name == "start" && strings.HasSuffix(text, "Z") || lists[name] != "") {
				v[name] = f.text(nil, name)
			} else {
				v[name] = f.here(v[name])
			}
		}
	}
	return v
}

func clone(v any) (out any) {
	text, _ := json.Marshal(v)
	json.Unmarshal(text, &out) //nolint:errcheck // it was just written
	return out
}

// nasty are values that fit in few places.
var nasty = []any{nil, true, false, 0, -1, 1, 1.5, 1e18, -1e18, 1e300, "", " ", "x", "ä😀\u202e", "a\u0000b", "a\u0007b", "\u2028", strings.Repeat("y", 300), strings.Repeat("ü", 6000),
	[]any{}, []any{nil}, []any{"x", 7}, map[string]any{}, map[string]any{"a": nil}, map[string]any{"id": "x"}, "2026-12-01", "2026-02-30T25:00:00Z", "9999-12-31T23:59:59Z", "0000-01-01T00:00:00Z",
	"-1", "javascript:alert(1)", "%s%d", "'; DROP TABLE bookings; --", "Europe/Berlin", "09:00-24:00", "24:00-09:00"}

// spoil changes something in a value: another value, one more field, or one less.
func (f *fuzzer) spoil(v any) any {
	switch v := v.(type) {
	case map[string]any:
		names := sortedKeys(v)
		switch n := f.IntN(8); {
		case len(names) == 0 || n == 0:
			v[pick(f, []string{"x", "id", "", "startTime", "ä", strings.Repeat("n", 100)})] = clone(pick(f, nasty))
		case n == 1:
			delete(v, pick(f, names))
		default:
			name := pick(f, names)
			v[name] = f.spoil(v[name])
		}
		return v
	case []any:
		if len(v) > 0 && f.IntN(3) > 0 {
			i := f.IntN(len(v))
			v[i] = f.spoil(v[i])
			return v
		}
	}
	return clone(pick(f, nasty))
}

func (f *fuzzer) start() string {
	if len(f.starts) == 0 || f.IntN(6) == 0 {
		return f.Clock.Now().Add(time.Duration(f.IntN(40*24*4)-200) * 15 * time.Minute).UTC().Format(time.RFC3339)
	}
	return pick(f, f.starts)
}

// value returns a value of the schema, as far as that says what it is, for the field of that name.
func (f *fuzzer) value(s map[string]any, name string, depth int) any {
	if ref, is := s["$ref"].(string); is {
		return f.value(object(object(object(f.doc["components"])["schemas"])[ref[strings.LastIndexByte(ref, '/')+1:]]), name, depth)
	}
	for _, union := range []string{"oneOf", "anyOf"} {
		if all, is := s[union].([]any); is {
			return f.value(object(pick(f, all)), name, depth)
		}
	}
	if all, is := s["enum"].([]any); is {
		return pick(f, all)
	}
	if c, is := s["const"]; is {
		return c
	}
	kind, _ := s["type"].(string)
	if kinds, is := s["type"].([]any); is {
		kind, _ = pick(f, kinds).(string)
	}
	switch kind {
	case "null":
		return nil
	case "boolean":
		return f.IntN(2) == 0
	case "integer", "number":
		least, most := 0, 200
		if n, is := s["minimum"].(float64); is {
			least = int(n)
		}
		if n, is := s["maximum"].(float64); is {
			most = int(n)
		}
		if f.IntN(2) == 0 {
			most = min(most, least+100)
		}
		return least + f.IntN(max(1, most-least+1))
	case "array":
		all := []any{}
		for range f.IntN(4) {
			all = append(all, f.value(object(s["items"]), name, depth+1))
		}
		return all
	case "object":
		v := map[string]any{}
		required, _ := s["required"].([]any)
		properties, others := object(s["properties"]), pick(f, []int{0, 0, 1, 2, 4})
		for _, each := range sortedKeys(properties) {
			if slices.Contains(required, any(each)) || depth < 4 && f.IntN(8) < others && (each != "dryRun" || f.IntN(3) == 0) {
				v[each] = f.value(object(properties[each]), each, depth+1)
			}
		}
		if more := object(s["additionalProperties"]); more != nil {
			for range f.IntN(3) {
				v[pick(f, []string{"a", "tone", "first", "k-1", "wish"})] = f.value(more, "", depth+1)
			}
		}
		return v
	}
	return f.text(s, name)
}

// lists are where the values of fields come from.
var lists = map[string]string{"eventType": "event-types", "eventTypes": "event-types", "host": "hosts", "hosts": "hosts", "contact": "contacts", "into": "contacts", "booking": "bookings",
	"hold": "holds", "excludeBooking": "bookings", "excludeVisit": "visits", "resource": "resources", "oneOf": "resources", "of": "hosts", "invitation": "invitations", "endpoint": "webhook-endpoints", "picture": "pictures", "photo": "pictures"}

func (f *fuzzer) text(s map[string]any, name string) string {
	if list := lists[name]; list != "" {
		return f.of(list)
	}
	if examples, is := s["examples"].([]any); is && f.IntN(3) > 0 && name != "start" && name != "email" {
		if text, is := pick(f, examples).(string); is {
			return text
		}
	}
	switch {
	case name == "start":
		return f.start()
	case name == "slug":
		return fmt.Sprint("s", f.IntN(100_000))
	case s["format"] == "date-time":
		return f.start()
	case s["format"] == "date":
		return f.start()[:10]
	case s["format"] == "email", name == "email", name == "invitee":
		return fmt.Sprintf("p%d@x.example", f.IntN(400))
	case s["format"] == "uri", name == "url":
		return fmt.Sprintf("https://hooks.example.com/%d", f.IntN(100))
	case name == "phone":
		return fmt.Sprintf("+49309018%04d", f.IntN(3000))
	case name == "timeZone":
		return pick(f, []string{"Europe/Berlin", "America/New_York", "Pacific/Kiritimati", "UTC"})
	case name == "currency":
		return pick(f, []string{"EUR", "USD", "JPY"})
	case name == "from", name == "to", name == "updatedSince", name == "day":
		return pick(f, []string{f.start(), f.start()[:10]})
	case name == "status":
		return pick(f, []string{"confirmed", "live", "cancelled,no_show"})
	}
	most := 60
	if n, is := s["maxLength"].(float64); is && f.IntN(10) == 0 {
		most = int(n)
	}
	return strings.Repeat("Ab ü", most/4+1)[:1+f.IntN(most)]
}

func sortedKeys[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
