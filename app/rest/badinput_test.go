package rest_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
)

// body is a request body of which every field is sent wrong in every way; fields is what each field may hold.
type body struct {
	path   string
	good   string // with every field
	fields []bad
}

// bad describes a field by its path, a JSON string that is too long for it, and whether it must be there.
type bad struct {
	path     string
	required bool
	longest  int    // characters; 0 where the form bounds it
	kind     string // "text" (default), "object", "bool", "any"
}

var bodies = []body{
	{"/api/v1/bookings", `{"eventType":"color","start":"2026-12-01T08:00:00Z","host":"{ana}","notes":"n","answers":{"tone":"red"},"metadata":{"k":"v"},
		"invitee":{"name":"Bo","email":"bo@x.example","timeZone":"Europe/Berlin","locale":"de"}}`, []bad{
		{path: "eventType", required: true, longest: 100}, {path: "start", required: true, longest: 40}, {path: "invitee", required: true, kind: "object"},
		{path: "invitee.name", required: true, longest: 200}, {path: "invitee.email", required: true, longest: 254}, {path: "invitee.phone", longest: 40},
		{path: "invitee.timeZone", longest: 64}, {path: "invitee.locale", longest: 35}, {path: "host", longest: 100}, {path: "notes", longest: 2000},
		{path: "answers", kind: "object"}, {path: "answers.wish", longest: 5000, kind: "any"}, {path: "metadata", kind: "object"}, {path: "metadata.k", longest: 500},
	}},
	{"/api/v1/bookings/{id}/cancel", `{"reason":"r","refund":true}`, []bad{{path: "reason", longest: 500}, {path: "refund", kind: "bool"}}},
	{"/api/v1/bookings/{id}/reschedule", `{"start":"2026-12-01T09:30:00Z","host":"{ana}","reason":"r"}`, []bad{
		{path: "start", required: true, longest: 40}, {path: "host", longest: 100}, {path: "reason", longest: 500},
	}},
	{"/api/v1/bookings/{pending}/decline", `{"reason":"r"}`, []bad{{path: "reason", longest: 500}}},
	{"/api/v1/contacts", `{"name":"Di","email":"di@x.example","timeZone":"Europe/Berlin","notes":"n"}`, []bad{
		{path: "name", required: true, longest: 200}, {path: "email", required: true, longest: 254}, {path: "phone", longest: 40},
		{path: "timeZone", longest: 64}, {path: "notes", longest: 5000},
	}},
}

// with is the body with the JSON text value at the path, or without the field where value is "".
func with(t *testing.T, good, path, value string) string {
	t.Helper()
	var v map[string]json.RawMessage
	if err := json.Unmarshal([]byte(good), &v); err != nil {
		t.Fatal(err)
	}
	head, rest, nested := strings.Cut(path, ".")
	if nested {
		value = with(t, string(v[head]), rest, value)
	}
	parts := []string{}
	for name, text := range v {
		if name != head {
			parts = append(parts, fmt.Sprintf("%q:%s", name, text))
		}
	}
	if value != "" {
		parts = append(parts, fmt.Sprintf("%q:%s", head, value))
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// wrongs are the values that a field must refuse, by what is wrong with them.
func (b bad) wrongs() map[string]string {
	all := map[string]string{"list": `[]`}
	if b.kind != "any" {
		all["null"] = `null`
		all["number"] = `7`
	}
	if b.kind != "bool" && b.kind != "any" {
		all["boolean"] = `true`
	}
	if b.kind == "" {
		all["object"] = `{}`
	}
	if b.kind == "object" || b.kind == "bool" {
		all["text"] = `"x"`
	} else {
		all["too long"] = `"` + strings.Repeat("x", b.longest+1) + `"`
		all["much too long"] = `"` + strings.Repeat("ü", 100_000) + `"`
		all["not UTF-8"] = "\"a\xffb\""
		all["half a surrogate"] = `"\ud800"`
		all["NUL"] = `"a\u0000b"`
		all["NUL as it is"] = "\"a\x00b\""
		all["a control character"] = `"a\u0007b"`
	}
	if b.required {
		all["missing"] = ""
		if b.kind == "" {
			all["empty"] = `""`
			all["blank"] = `"  "`
		}
	}
	return all
}

// TestBadBodies sends every field of every body wrong in every way: 400 that names it, and nothing is written.
func TestBadBodies(t *testing.T) {
	w := newWorld(t)
	ids := strings.NewReplacer("{id}", w.book("color", "2026-12-01T11:00:00Z", "bo@x.example"), "{pending}", w.book("talk", "2026-12-02T08:00:00Z", "bo@x.example"), "{ana}", ana.String())
	before := w.state()
	for _, b := range bodies {
		good := ids.Replace(b.good)
		for _, field := range b.fields {
			for wrong, value := range field.wrongs() {
				got := w.do(w.full, "POST", ids.Replace(b.path), with(t, good, field.path, value))
				code, _, named := got.errorOf(t)
				if got.Code != 400 || code != "bad_request" || named != field.path {
					t.Errorf("POST %s, %s %s: %d %.300s", b.path, field.path, wrong, got.Code, got.text)
				}
			}
		}
	}
	if w.state() != before {
		t.Error("something was written")
	}
	for _, b := range bodies { // and as they are, they pass
		if got := w.do(w.full, "POST", ids.Replace(b.path), ids.Replace(b.good)); got.Code >= 300 && !strings.HasSuffix(b.path, "/reschedule") {
			t.Errorf("POST %s: %d %s", b.path, got.Code, got.text)
		}
	}
}

// parameters are the queries of which every parameter is sent wrong.
var parameters = []struct {
	path  string
	wrong map[string][]string
}{
	{"/api/v1/bookings?", map[string][]string{
		"scope": {"soon", "Upcoming"}, "from": {"yesterday", "2026-12-01T08", "2026-13-01"}, "to": {"x", "2026-02-30"},
		"status": {"done", "confirmed,", "confirmed,done", "confirmed&status=x"}, "timeZone": {"Mars/Olympus", "Local", "../etc/passwd"},
		"limit": {"0", "-1", "x", "", "1.5", "1e2", "+5", "0x10", "-99999999999999999999"}, "cursor": {"x", "!!", "eHg"},
		"eventType": nil, "invitee": nil, "host": nil,
	}},
	{"/api/v1/bookings?from=2026-12-02&", map[string][]string{"from": {"x"}}},
	{"/api/v1/event-types?", map[string][]string{"limit": {"0", "x"}, "cursor": {"x"}}},
	{"/api/v1/contacts?", map[string][]string{"limit": {"0", "x"}, "cursor": {"x"}, "q": {"a%07b"}}},
	{"/api/v1/availability?", map[string][]string{"eventType": {""}}},
	{"/api/v1/availability?eventType=cut&", map[string][]string{
		"from": {"x"}, "to": {"x"}, "days": {"0", "63", "x", "99999999999999999999"}, "timeZone": {"x"}, "host": nil, "excludeBooking": nil,
		"explain": {"yes", ""}, "limit": {"0", "x"}, "cursor": {"x"},
	}},
}

func TestBadQueries(t *testing.T) {
	w := newWorld(t)
	for _, p := range parameters {
		for name, wrong := range p.wrong {
			for _, value := range append([]string{"%ff", "a%00", strings.Repeat("x", 300), "%zz", "a&" + name + "=b"}, wrong...) {
				if strings.HasPrefix(value, "a&") && name == "status" {
					continue // may be repeated
				}
				got := w.do(w.full, "GET", p.path+name+"="+value, "")
				if code, _, field := got.errorOf(t); got.Code != 400 || code != "bad_request" || field != name {
					t.Errorf("%s%s=%.50s: %d %.300s", p.path, name, value, got.Code, got.text)
				}
			}
		}
	}
	got := w.do(w.full, "GET", "/api/v1/bookings?from=2026-12-02&to=2026-12-01", "")
	if _, _, field := got.errorOf(t); got.Code != 400 || field != "from" {
		t.Error(got.Code, got.text)
	}
	if got := w.do(w.full, "GET", "/api/v1/bookings?%6Cimit=0", ""); got.Code != 400 {
		t.Error("a name in percents is another name:", got.text)
	}
	if got := w.do(w.full, "GET", "/api/v1/contacts?q="+url.QueryEscape("Zoë & co"), ""); got.Code != 200 {
		t.Error(got.Code, got.text)
	}
}

func TestBadIdempotencyKeys(t *testing.T) {
	w := newWorld(t)
	for _, key := range []string{strings.Repeat("k", 256), "ü", "a\x01b", "a\x00"} {
		got := w.do(w.full, "POST", "/api/v1/bookings", bookingBody("cut", cutAt, "bo@x.example"), "Idempotency-Key", key)
		if _, _, field := got.errorOf(t); got.Code != 400 || field != "Idempotency-Key" {
			t.Errorf("%q: %d %s", key, got.Code, got.text)
		}
	}
	if w.count() != 0 {
		t.Error("something was booked")
	}
}
