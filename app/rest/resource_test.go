package rest_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"daybook/app/setup"
)

// Two services compete for one room: who comes second is told so, no override takes it, a move keeps it, and once it is
// retired no new booking takes it.
func TestServicesCompeteForAResource(t *testing.T) {
	w := newWorld(t)
	key := w.manager()
	made := w.do(key, "POST", "/api/v1/resources", `{"name":"Room 1"}`)
	room := made.json(t)
	id, _ := room["id"].(string)
	if made.Code != 201 || !strings.HasPrefix(id, "rs_") || made.Header().Get("Location") != base+"/api/v1/resources/"+id || made.Header().Get("ETag") == "" ||
		room["kind"] != "room" || room["active"] != true || room["shown"] != false || room["timeZone"] != "Europe/Berlin" {
		t.Fatal(made.Code, made.text)
	}
	needs := `[{"oneOf":["` + id + `"],"during":"all"}]`
	if got := w.do(key, "PATCH", "/api/v1/event-types/cut", `{"needs":[{"oneOf":["room 1"]}]}`); got.Code != 200 || !strings.Contains(got.text, `"needs":`+needs) {
		t.Fatal(got.Code, got.text)
	}
	w.made(key, "PATCH", "/api/v1/event-types/color", `{"hosts":["`+bob.String()+`"],"needs":`+needs+`}`)
	const nine = "2026-12-01T08:00:00Z"
	first := w.do(w.full, "POST", "/api/v1/bookings", bookingBody("cut", nine, "bo@x.example"))
	if first.Code != 201 || !strings.Contains(first.text, `"resources":[{"id":"`+id+`","name":"Room 1"}]`) {
		t.Fatal(first.Code, first.text)
	}
	second := strings.TrimSuffix(bookingBody("color", nine, "eva@x.example"), "}")
	got := w.do(w.full, "POST", "/api/v1/bookings", second+`}`)
	if d := details(t, got); got.Code != 409 || d["reason"] != "slot_taken" || fmt.Sprint(d["reasons"]) != "[resource_taken]" || len(d["alternatives"].([]any)) == 0 {
		t.Error(got.Code, got.text)
	}
	if got := w.do(w.full, "POST", "/api/v1/bookings", second+`,"override":["resource_taken"]}`); got.Code != 400 || details(t, got)["field"] != "override" {
		t.Error(got.Code, got.text)
	}
	if got := w.do(w.full, "POST", "/api/v1/bookings", second+`,"override":["buffer","busy","time_off","outside_hours","off_grid"]}`); got.Code != 409 || fmt.Sprint(details(t, got)["reasons"]) != "[resource_taken]" {
		t.Error(got.Code, got.text)
	}
	why := w.do(w.readOnly, "GET", "/api/v1/availability?eventType=color&explain=1&from="+nine+"&days=1", "")
	if !strings.Contains(why.text, `"start":"`+nine+`","end":"2026-12-01T09:30:00Z","host":"`+bob.String()+`","reason":"resource_taken"`) {
		t.Error(why.text)
	}
	moved := w.do(w.full, "POST", "/api/v1/bookings/"+first.json(t)["id"].(string)+"/reschedule", `{"start":"2026-12-01T09:30:00Z"}`)
	if moved.Code != 200 || !strings.Contains(moved.text, `"resources":[{"id":"`+id+`"`) {
		t.Error(moved.Code, moved.text)
	}
	w.made(w.full, "POST", "/api/v1/bookings", second+`}`)
	// It keeps its bookings when it is retired, and gets no more.
	if got := w.do(key, "DELETE", "/api/v1/resources/"+id, "", "If-Match", `"other"`); got.Code != 412 {
		t.Error(got.Code, got.text)
	}
	if got := w.do(key, "DELETE", "/api/v1/resources/"+id, "", "If-Match", made.Header().Get("ETag")); got.Code != 204 {
		t.Error(got.Code, got.text)
	}
	if got := w.do(key, "GET", "/api/v1/resources/"+id, ""); got.Code != 200 || got.json(t)["active"] != false {
		t.Error(got.Code, got.text)
	}
	late := w.do(w.full, "POST", "/api/v1/bookings", bookingBody("color", "2026-12-02T08:00:00Z", "flo@x.example"))
	if late.Code != 409 || fmt.Sprint(details(t, late)["reasons"]) != "[resource_taken]" {
		t.Error(late.Code, late.text)
	}
	if got := w.do(w.full, "GET", "/api/v1/bookings/"+first.json(t)["id"].(string), ""); !strings.Contains(got.text, `"resources":[{"id":"`+id+`"`) {
		t.Error(got.text)
	}
	w.made(key, "PATCH", "/api/v1/resources/"+id, `{"active":true}`)
	w.made(w.full, "POST", "/api/v1/bookings", bookingBody("color", "2026-12-02T08:00:00Z", "flo@x.example"))
}

// Everything that a set-up file says of a resource can be said by PATCH, and is read back.
func TestResourceRoundTrip(t *testing.T) {
	w := newWorld(t)
	key := w.manager()
	at := "/api/v1/resources/" + w.do(key, "POST", "/api/v1/resources", `{"name":"Basin 1","kind":"equipment","weekly":{"mon":["09:00-12:00"]}}`).json(t)["id"].(string)
	changes := map[string]string{
		"name": `"Basin by the window"`, "kind": `"chair"`, "active": `false`, "shown": `true`, "timeZone": `"Europe/London"`,
		"weekly":              `{"mon":["10:00-12:00"],"tue":["09:00-17:00"],"wed":[],"thu":[],"fri":[],"sat":[],"sun":[]}`,
		"overrides":           `[{"date":"2026-12-24","hours":["09:00-12:00"]}]`,
		"whenCalendarUnknown": `"refuse"`,
		"timeOff":             `[{"start":"2026-12-28","end":"2026-12-30","reason":"Plumber"},{"start":"2026-12-02T12:00","end":"2026-12-02T13:00","repeat":{"every":1,"unit":"week"}}]`,
	}
	all := map[string]json.RawMessage{}
	for _, f := range setup.OwnResource.Fields {
		if changes[f.Name] == "" {
			t.Fatalf("%s is not changed here", f.Name)
		}
		all[f.Name] = json.RawMessage(changes[f.Name])
	}
	body, err := json.Marshal(all)
	w.Must(err)
	got := w.patched(key, at, string(body))
	for name, c := range changes {
		var want any
		w.Must(json.Unmarshal([]byte(c), &want))
		if !reflect.DeepEqual(got[name], want) {
			t.Errorf("%s: %v, want %v", name, got[name], want)
		}
	}
	back, err := json.Marshal(w.patched(key, at, `{}`)["timeOff"]) // what was read is taken
	w.Must(err)
	w.patched(key, at, `{"timeOff":`+string(back)+`}`)
	if got := w.patched(key, at, `{"weekly":null,"overrides":null,"timeOff":null}`); fmt.Sprint(got["weekly"]) != "map[fri:[] mon:[] sat:[] sun:[] thu:[] tue:[] wed:[]]" || len(got["timeOff"].([]any)) != 0 {
		t.Error(got)
	}
}

// What is wrong is named as it stands in the body, and nothing is kept of it.
func TestWrongResources(t *testing.T) {
	w := newWorld(t)
	key := w.manager()
	id := w.do(key, "POST", "/api/v1/resources", `{"name":"Basin 1"}`).json(t)["id"].(string)
	w.made(key, "POST", "/api/v1/resources", `{"name":"Basin 2"}`)
	before := w.do(key, "GET", "/api/v1/resources", "").text + w.do(key, "GET", "/api/v1/event-types/cut", "").text
	for _, c := range []struct {
		method, path, body string
		status             int
		reason, field      string
	}{
		{"POST", "resources", `{"kind":"room"}`, 400, "invalid", "name"},
		{"POST", "resources", `{"name":""}`, 400, "invalid", "name"},
		{"POST", "resources", `{"name":"X","kind":"pool"}`, 400, "invalid", "kind"},
		{"POST", "resources", `{"name":"X","timeZone":"Mars"}`, 400, "invalid", "timeZone"},
		{"POST", "resources", `{"name":"X","weekly":{"mon":["18:00-17:00"]}}`, 400, "invalid", "weekly.mon[0]"},
		{"POST", "resources", `{"name":"X","nmae":"X"}`, 400, "invalid", "nmae"},
		{"POST", "resources", `{"name":"X","id":"rs_1"}`, 400, "invalid", "id"},
		{"POST", "resources", `{"name":"BASIN 1"}`, 409, "name_taken", "name"},
		{"PATCH", "resources/" + id, `{"name":"basin 2"}`, 409, "name_taken", "name"},
		{"PATCH", "resources/" + id, `{"kind":null}`, 400, "invalid", "kind"},
		{"PATCH", "resources/rs_nothing", `{"name":"X"}`, 404, "not_found", ""},
		{"PATCH", "event-types/cut", `{"needs":[{"oneOf":["Basin 9"]}]}`, 400, "invalid", "needs[0].oneOf[0]"},
		{"PATCH", "event-types/cut", `{"needs":[{"oneOf":[]}]}`, 400, "invalid", "needs[0].oneOf"},
		{"PATCH", "event-types/cut", `{"needs":[{"during":"all"}]}`, 400, "invalid", "needs[0].oneOf"},
		{"PATCH", "event-types/cut", `{"needs":[{"oneOf":["` + id + `","basin 1"]}]}`, 400, "invalid", "needs[0].oneOf[1]"},
		{"PATCH", "event-types/cut", `{"needs":[{"oneOf":["` + id + `"],"during":"wait"}]}`, 400, "invalid", "needs[0].during"},
	} {
		got := w.do(key, c.method, "/api/v1/"+c.path, c.body)
		_, reason, field := got.errorOf(t)
		if got.Code != c.status || c.status != 404 && reason != c.reason || field != c.field {
			t.Errorf("%s %s: %d %s", c.path, c.body, got.Code, got.text)
		}
	}
	if now := w.do(key, "GET", "/api/v1/resources", "").text + w.do(key, "GET", "/api/v1/event-types/cut", "").text; now != before {
		t.Errorf("something was changed: %s", now)
	}
}
