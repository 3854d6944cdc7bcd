package rest_test

import (
	"fmt"
	"strings"
	"testing"
)

const hookURL = "https://93.184.216.34/hook"

func hook(url string, events ...string) string {
	return fmt.Sprintf(`{"url":%q,"events":["%s"]}`, url, strings.Join(events, `","`))
}

// Endpoints come and go; the secret is shown once.
func TestWebhookEndpoints(t *testing.T) {
	w := newWorld(t)
	const path = "/api/v1/webhook-endpoints"
	got := w.do(w.full, "POST", path, hook(hookURL, "booking.created", "payment.refunded"), "Idempotency-Key", "k")
	made := got.json(t)
	id, _ := made["id"].(string)
	if secret, _ := made["secret"].(string); got.Code != 201 || !strings.HasPrefix(secret, "whsec_") || got.Header().Get("Location") != base+path+"/"+id {
		t.Fatalf("%d %s", got.Code, got.text)
	}
	again := w.do(w.full, "POST", path, hook(hookURL, "booking.created", "payment.refunded"), "Idempotency-Key", "k")
	if again.Code != 201 || again.json(t)["id"] == id || again.Header().Get("Idempotency-Replayed") != "" {
		t.Errorf("an answer with a secret was kept: %d %s", again.Code, again.text)
	}
	w.book("cut", cutAt, "bo@x.example")
	for _, key := range []string{w.full, w.readOnly} {
		for _, p := range []string{path, path + "/" + id} {
			got := w.do(key, "GET", p, "")
			if got.Code != 200 || !strings.Contains(got.text, `"events":["booking.created","payment.refunded"]`) || !strings.Contains(got.text, `"state":"pending"`) || strings.Contains(got.text, "whsec_") {
				t.Errorf("GET %s: %d %s", p, got.Code, got.text)
			}
		}
	}
	first := w.do(w.full, "GET", path+"?limit=1", "").json(t)
	next := w.do(w.full, "GET", fmt.Sprintf("%s?limit=1&cursor=%s", path, first["nextCursor"]), "").json(t)
	if first["hasMore"] != true || next["hasMore"] != false || len(next["data"].([]any)) != 1 {
		t.Errorf("pages: %v %v", first, next)
	}
	for _, c := range []struct {
		key, method, path, body string
		status                  int
		field                   string
	}{
		{w.readOnly, "POST", path, hook(hookURL, "booking.created"), 403, ""},
		{w.readOnly, "DELETE", path + "/" + id, "", 403, ""},
		{w.foreign, "DELETE", path + "/" + id, "", 404, ""},
		{w.foreign, "GET", path + "/" + id, "", 404, ""},
		{"", "DELETE", path + "/" + id, "", 401, ""},
		{w.full, "DELETE", path + "/wh_nothing", "", 404, ""},
		{w.full, "PUT", path, "", 405, ""},
		{w.full, "POST", path, hook("http://93.184.216.34/", "booking.created"), 400, "url"},
		{w.full, "POST", path, hook("https://127.0.0.1/", "booking.created"), 400, "url"},
		{w.full, "POST", path, hook("https://[::ffff:169.254.169.254]/", "booking.created"), 400, "url"},
		{w.full, "POST", path, hook("https://0x7f000001/", "booking.created"), 400, "url"},
		{w.full, "POST", path, hook("https://a:b@93.184.216.34/", "booking.created"), 400, "url"},
		{w.full, "POST", path, hook(hookURL, "booking.made"), 400, "events"},
		{w.full, "POST", path, `{"url":"` + hookURL + `"}`, 400, "events"},
		{w.full, "POST", path, `{"url":"` + hookURL + `","events":[]}`, 400, "events"},
		{w.full, "POST", path, `{"events":["booking.created"]}`, 400, "url"},
		{w.full, "POST", path, `{"url":7,"events":["booking.created"]}`, 400, "url"},
	} {
		got := w.do(c.key, c.method, c.path, c.body)
		if _, _, field := got.errorOf(t); got.Code != c.status || c.field != "" && field != c.field {
			t.Errorf("%s %s %s: %d %s", c.method, c.path, c.body, got.Code, got.text)
		}
	}
	if got := w.do(w.full, "DELETE", path+"/"+id, ""); got.Code != 204 || got.text != "" || got.Header().Get("RateLimit-Limit") == "" {
		t.Errorf("delete: %d %s", got.Code, got.text)
	}
	if got := w.do(w.full, "DELETE", path+"/"+id, ""); got.Code != 404 {
		t.Errorf("delete again: %d", got.Code)
	}
}

// The events are the bodies that webhooks send, oldest first, of the key's workspace.
func TestEventList(t *testing.T) {
	w := newWorld(t)
	id := w.book("cut", cutAt, "bo@x.example")
	w.book("cut", nextCut, "di@x.example")
	w.do(w.full, "POST", "/api/v1/bookings/"+id+"/cancel", `{"reason":"ill"}`)
	all := w.do(w.full, "GET", "/api/v1/events", "")
	stored, err := w.Store.EventsAfter(w.Workspace.ID, 0, 10)
	w.Must(err)
	want := `{"data":[`
	for i, e := range stored {
		if i > 0 {
			want += ","
		}
		want += string(e.Body)
	}
	if want += `],"hasMore":false,"nextCursor":null}`; all.text != want || len(stored) != 3 {
		t.Errorf("%s\nwant\n%s", all.text, want)
	}
	page := w.do(w.full, "GET", "/api/v1/events?limit=2", "").json(t)
	if page["hasMore"] != true || page["nextCursor"] != stored[1].ID.String() {
		t.Error(page)
	}
	for _, name := range []string{"after", "cursor"} {
		rest := w.do(w.full, "GET", fmt.Sprintf("/api/v1/events?limit=2&%s=%s", name, page["nextCursor"]), "")
		if !strings.Contains(rest.text, `"event":"booking.cancelled"`) || strings.Contains(rest.text, "booking.created") || !strings.Contains(rest.text, `"reason":"ill"`) {
			t.Error(rest.text)
		}
	}
	if got := w.do(w.foreign, "GET", "/api/v1/events", ""); got.text != `{"data":[],"hasMore":false,"nextCursor":null}` {
		t.Error(got.text)
	}
	if _, _, field := w.do(w.full, "GET", "/api/v1/events?after=bk_1", "").errorOf(t); field != "after" {
		t.Error("a wrong after is taken")
	}
}

// The list of events keeps to kinds and to one booking, newest first if it is asked for; and the events of a booking are
// numbered in their order.
func TestEventFilters(t *testing.T) {
	w := newWorld(t)
	id := w.book("cut", cutAt, "bo@x.example")
	other := w.book("cut", nextCut, "di@x.example")
	if got := w.do(w.full, "POST", "/api/v1/bookings/"+id+"/reschedule", `{"start":"2026-12-01T09:30:00Z"}`); got.Code != 200 {
		t.Fatal(got.text)
	}
	w.do(w.full, "POST", "/api/v1/bookings/"+id+"/cancel", "")
	list := func(query string) (text, next string) {
		t.Helper()
		got := w.do(w.full, "GET", "/api/v1/events?"+query, "")
		if got.Code != 200 {
			t.Fatal(query, got.Code, got.text)
		}
		for _, e := range got.json(t)["data"].([]any) {
			text += fmt.Sprintf("%s %v %v; ", strings.TrimPrefix(object(e)["event"].(string), "booking."), object(e)["sequence"],
				object(object(e)["data"])["id"] == id)
		}
		next, _ = got.json(t)["nextCursor"].(string)
		return text, next
	}
	for query, want := range map[string]string{
		"booking=" + id:                            "created 1 true; rescheduled 2 true; cancelled 3 true; ",
		"booking=" + id + "&order=desc":            "cancelled 3 true; rescheduled 2 true; created 1 true; ",
		"event=booking.created":                    "created 1 true; created 1 false; ",
		"event=booking.created,booking.cancelled":  "created 1 true; created 1 false; cancelled 3 true; ",
		"event=booking.cancelled&booking=" + other: "",
		"booking=bk_0000000000001":                 "",
		"order=desc":                               "cancelled 3 true; rescheduled 2 true; created 1 false; created 1 true; ",
	} {
		if got, _ := list(query); got != want {
			t.Errorf("%s: %s", query, got)
		}
	}
	walked, next := list("order=desc&limit=3")
	rest, end := list("order=desc&limit=3&cursor=" + next)
	if walked+rest != "cancelled 3 true; rescheduled 2 true; created 1 false; created 1 true; " || end != "" {
		t.Errorf("%s, then %s", walked, rest)
	}
	for query, field := range map[string]string{"event=booking.made": "event", "booking=Bo": "booking", "booking=": "booking", "order=up": "order",
		"event=": "event", "event=%20": "event"} {
		if got := w.do(w.full, "GET", "/api/v1/events?"+query, ""); got.Code != 400 || !strings.Contains(got.text, `"field":"`+field+`"`) {
			t.Errorf("%s: %d %s", query, got.Code, got.text)
		}
	}
}
