package rest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"daybook/app/catalog"
)

// Visits are changed as they are known: cancel, reschedule and no-show take the ETag of any answer as If-Match.
func TestVisitIfMatch(t *testing.T) {
	w := newWorld(t)
	for _, slug := range []string{"lather", "rinse"} {
		w.eventType(slug, 30, nil)
	}
	made := w.do(w.full, "POST", "/api/v1/visits", `{"items":[{"eventType":"lather"},{"eventType":"rinse"}],"start":"2026-12-11T09:00:00Z","invitee":{"name":"Vi","email":"vi@x.example"}}`)
	visit := made.json(t)
	at, first := "/api/v1/visits/"+visit["id"].(string), made.Header().Get("ETag")
	if got := w.do(w.full, "GET", at, "").Header().Get("ETag"); first == "" || got != first {
		t.Fatalf("made as %s, read as %s", first, got)
	}
	item, _ := visit["items"].([]any)[1].(map[string]any)
	w.do(w.full, "PATCH", "/api/v1/bookings/"+item["id"].(string), `{"notes":"window seat"}`)
	now := w.do(w.full, "GET", at, "").Header().Get("ETag")
	for path, body := range map[string]string{"/reschedule": `{"start":"2026-12-11T10:00:00Z"}`, "/no-show": "", "/cancel": ""} {
		for _, stale := range []string{first, ","} {
			got := w.do(w.full, "POST", at+path, body, "If-Match", stale)
			if got.Code != http.StatusPreconditionFailed || !strings.Contains(got.text, "precondition_failed") {
				t.Errorf("%s with %q: %d %s", path, stale, got.Code, got.text)
			}
		}
	}
	moved := w.do(w.full, "POST", at+"/reschedule", `{"start":"2026-12-11T10:00:00Z"}`, "If-Match", first+", "+now)
	if moved.Code != 200 || moved.Header().Get("ETag") == now || moved.Header().Get("ETag") == "" {
		t.Fatalf("moved: %d %s %s", moved.Code, moved.Header().Get("ETag"), moved.text)
	}
	night := `{"start":"2026-12-11T02:00:00Z"`
	if got := w.do(w.full, "POST", at+"/reschedule", night+"}"); got.Code != 400 || !strings.Contains(got.text, `"reasons":["outside_hours"`) {
		t.Errorf("into the night: %d %s", got.Code, got.text)
	}
	if moved = w.do(w.full, "POST", at+"/reschedule", night+`,"override":["outside_hours"]}`); moved.Code != 200 {
		t.Fatalf("into the night: %d %s", moved.Code, moved.text)
	}
	if got := w.do(w.full, "POST", at+"/cancel", "", "If-Match", moved.Header().Get("ETag")); got.Code != 200 {
		t.Errorf("cancelled: %d %s", got.Code, got.text)
	}
}

// The times of a visit are asked for by items, hosts, add-ons, order, samePerson and maxGap, and what is answered is taken
// back as it is; each parameter that can't be so is refused by its name.
func TestTimesOfVisits(t *testing.T) {
	w := newWorld(t)
	both := []catalog.HostRef{{ID: ana}, {ID: bob}}
	w.eventType("lather", 30, func(e *catalog.EventType) {
		e.Hosts, e.AddOns = both, []catalog.AddOn{{ID: "mask", Title: "Mask", Minutes: 15}}
	})
	w.eventType("rinse", 30, func(e *catalog.EventType) { e.Hosts = both })
	const day, at = "from=2026-12-11T09:00:00Z&to=2026-12-11T09:01:00Z&", "/api/v1/availability?"
	// slots writes the items of each slot.
	slots := func(query string) (all []string, raw []any) {
		t.Helper()
		got := w.do(w.full, "GET", at+day+query, "")
		if got.Code != 200 {
			t.Fatalf("%s: %d %s", query, got.Code, got.text)
		}
		raw = got.json(t)["data"].([]any)
		for _, slot := range raw {
			var items []string
			for _, i := range object(slot)["items"].([]any) {
				item, who := object(i), "ana"
				if item["host"] == bob.String() {
					who = "bob"
				}
				items = append(items, fmt.Sprintf("%s %s-%s %s", item["eventType"], item["start"].(string)[11:16], item["end"].(string)[11:16], who))
			}
			all = append(all, strings.Join(items, ", "))
		}
		return all, raw
	}
	want := func(query, want string) (raw []any) {
		t.Helper()
		all, raw := slots(query)
		if got := strings.Join(all, "; "); got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
		return raw
	}
	want("items=lather,rinse&hosts="+bob.String()+","+ana.String(), "lather 09:00-09:30 bob, rinse 09:30-10:00 ana")
	want("items=lather,rinse&samePerson=must&hosts=,"+bob.String(), "lather 09:00-09:30 bob, rinse 09:30-10:00 bob")
	want("items=rinse,lather&hosts=,"+bob.String()+"&addOns=,mask", "rinse 09:00-09:30 ana, lather 09:30-10:15 bob")
	taken := w.do(w.full, "POST", "/api/v1/bookings", `{"eventType":"rinse","host":"`+ana.String()+`","start":"2026-12-11T09:00:00Z","invitee":{"name":"Bo","email":"bo@x.example"}}`)
	if taken.Code != 201 {
		t.Fatal(taken.text)
	}
	of := "&hosts=" + ana.String() + "," + bob.String()
	want("items=rinse,lather"+of, "")
	want("items=rinse,lather&order=any"+of, "lather 09:00-09:30 bob, rinse 09:30-10:00 ana")
	gap := want("items=lather,rinse&maxGap=30&samePerson=must&hosts="+bob.String()+",", "lather 09:00-09:30 bob, rinse 09:30-10:00 bob")
	items, _ := json.Marshal(object(gap[0])["items"])
	made := w.do(w.full, "POST", "/api/v1/visits", `{"items":`+string(items)+`,"invitee":{"name":"Vi","email":"vi@x.example"}}`)
	if made.Code != 201 {
		t.Fatalf("what was shown can't be booked: %d %s", made.Code, made.text)
	}
	want("items=lather,rinse", "")
	want("excludeVisit="+made.json(t)["id"].(string), "lather 09:00-09:30 bob, rinse 09:30-10:00 bob")

	for query, field := range map[string]string{
		"items=lather,rinse,lather,rinse,lather,rinse,lather": "items", "items=lather&eventType=cut": "eventType", "items=lather,,rinse": "items",
		"items=lather&hosts=" + ana.String() + "," + bob.String(): "hosts", "items=lather,rinse&order=fast": "order",
		"items=lather,rinse&samePerson=maybe": "samePerson", "items=lather,rinse&maxGap=241": "maxGap", "eventType=lather&maxGap=5": "maxGap",
		"eventType=lather&order=any": "order", "eventType=lather&hosts=" + ana.String(): "hosts",
		"items=lather,rinse&excludeVisit=" + made.json(t)["id"].(string):                "items",
		"items=lather,rinse&samePerson=must&hosts=" + ana.String() + "," + bob.String(): "samePerson",
	} {
		got := w.do(w.full, "GET", at+day+query, "")
		if got.Code != 400 || object(object(got.json(t)["error"])["details"])["field"] != field {
			t.Errorf("%s: %d %s, want the field %s", query, got.Code, got.text, field)
		}
	}
	if got := w.do(w.full, "GET", at+day+"excludeVisit=vi_nothing", ""); got.Code != 404 {
		t.Errorf("an unknown visit: %d %s", got.Code, got.text)
	}
}

// Somebody walks in for two services: nobody is named, it begins in this minute, and only a key that may override does it.
func TestVisitOfAWalkIn(t *testing.T) {
	w := newWorld(t)
	for _, slug := range []string{"lather", "rinse"} {
		w.eventType(slug, 30, nil)
	}
	const items = `"items":[{"eventType":"lather"},{"eventType":"rinse"}]`
	w.Clock.Advance(2*time.Hour + 7*time.Minute + 20*time.Second)
	now := w.Clock.Now().Truncate(time.Minute).UTC().Format(time.RFC3339)
	for _, c := range []struct {
		key, body string
		status    int
		has       string
	}{
		{w.full, `{` + items + `,"start":"2026-12-11T09:00:00Z"}`, 400, `"field":"invitee"`},
		{w.readOnly, `{` + items + `,"walkIn":true}`, 403, `"read_only_key"`},
		{w.full, `{` + items + `,"walkIn":true,"hold":"hd_0000000000000"}`, 400, `"field":"start"`},
		{w.full, `{` + items + `,"walkIn":true,"dryRun":true}`, 200, `"start":"` + now},
		{w.full, `{` + items + `,"walkIn":true}`, 201, `"invitee":{"name":"Walk-in","email":""}`},
		{w.full, `{` + items + `,"walkIn":true}`, 409, `"slot_taken"`},
	} {
		got := w.do(c.key, "POST", "/api/v1/visits", c.body)
		if got.Code != c.status || !strings.Contains(got.text, c.has) {
			t.Errorf("%s: %d %s, want %d and %s", c.body, got.Code, got.text, c.status, c.has)
		}
		if got.Code == 201 && got.json(t)["start"] != now {
			t.Errorf("it begins at %v, want %s", got.json(t)["start"], now)
		}
	}
}
