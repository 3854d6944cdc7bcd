package rest_test

import (
	"strings"
	"testing"
)

// Every key learns what it is; nobody else does.
func TestMe(t *testing.T) {
	w := newWorld(t)
	for key, want := range map[string][2]string{w.full: {"full", "salon"}, w.readOnly: {"read-only", "salon"}, w.foreign: {"full", "other"}} {
		got := w.do(key, "GET", "/api/v1/me", "")
		me, ws := object(got.json(t)["key"]), object(got.json(t)["workspace"])
		if got.Code != 200 || me["scope"] != want[0] || ws["slug"] != want[1] || me["name"] != "test" || me["rateLimit"] != 1e6 || me["areas"] == nil || strings.Contains(got.text, "dbk_") {
			t.Errorf("%d %s", got.Code, got.text)
		}
	}
	if got := w.do("", "GET", "/api/v1/me", ""); got.Code != 401 {
		t.Error(got.Code)
	}
}

// Analytics are what the dashboard and the tools show.
func TestAnalytics(t *testing.T) {
	w := newWorld(t)
	w.book("color", "2026-12-01T08:00:00Z", "bo@x.example")
	got := w.do(w.readOnly, "GET", "/api/v1/analytics?from=2026-12-01&to=2026-12-02&timeZone=Europe/Berlin", "")
	if got.Code != 200 || object(got.json(t)["totals"])["confirmed"] != 1.0 || !strings.Contains(got.text, `"value":[{"amount":9000,"currency":"EUR"}]`) {
		t.Errorf("%d %s", got.Code, got.text)
	}
	for query, field := range map[string]string{"timeZone=Mars": "timeZone", "from=x": "from", "from=2026-12-02&to=2026-12-01": "from", "days=7": "days"} {
		if got := w.do(w.full, "GET", "/api/v1/analytics?"+query, ""); got.Code != 400 || details(t, got)["field"] != field {
			t.Errorf("%s: %d %s", query, got.Code, got.text)
		}
	}
}

func details(t *testing.T, got reply) map[string]any {
	t.Helper()
	return object(object(got.json(t)["error"])["details"])
}

// An endpoint's address, events and switch change; what is left out stays, and a lost update is refused.
func TestChangeEndpoint(t *testing.T) {
	w := newWorld(t)
	const path = "/api/v1/webhook-endpoints"
	made := w.do(w.full, "POST", path, hook(hookURL, "booking.created", "payment.refunded")).json(t)
	at := path + "/" + made["id"].(string)
	first := w.do(w.full, "GET", at, "").Header().Get("ETag")
	for _, c := range []struct{ body, want string }{
		{`{}`, `"events":["booking.created","payment.refunded"]`},
		{`{"events":["booking.cancelled"]}`, `"url":"` + hookURL + `","events":["booking.cancelled"],"enabled":true`},
		{`{"url":"https://93.184.216.34/other"}`, `"url":"https://93.184.216.34/other","events":["booking.cancelled"]`},
		{`{"enabled":false}`, `"enabled":false,"disabledReason":"by_owner"`},
		{`{"enabled":true}`, `"enabled":true,"disabledReason":null`},
	} {
		got := w.do(w.full, "PATCH", at, c.body)
		again := w.do(w.full, "GET", at, "")
		if got.Code != 200 || !strings.Contains(got.text, c.want) || again.text != got.text || again.Header().Get("ETag") != got.Header().Get("ETag") {
			t.Errorf("%s: %d %s, then %s", c.body, got.Code, got.text, again.text)
		}
	}
	for _, c := range []struct {
		key, body string
		status    int
		field     string
	}{
		{w.readOnly, `{"enabled":false}`, 403, ""}, {w.foreign, `{"enabled":false}`, 404, ""},
		{w.full, `{"url":"http://93.184.216.34/"}`, 400, "url"}, {w.full, `{"url":null}`, 400, "url"}, {w.full, `{"events":[]}`, 400, "events"},
		{w.full, `{"events":["x"]}`, 400, "events"}, {w.full, `{"event":["booking.created"]}`, 400, "event"}, {w.full, `{"enabled":null}`, 400, "enabled"},
	} {
		if got := w.do(c.key, "PATCH", at, c.body); got.Code != c.status || c.field != "" && details(t, got)["field"] != c.field {
			t.Errorf("%s: %d %s", c.body, got.Code, got.text)
		}
	}
	if got := w.do(w.full, "PATCH", at, `{"enabled":false}`, "If-Match", first); got.Code != 412 || !strings.Contains(got.text, `"precondition_failed"`) {
		t.Error(got.Code, got.text)
	}
	if got := w.do(w.full, "POST", at+"/test", ""); got.Code != 202 || got.json(t)["event"] != "booking.cancelled" {
		t.Error(got.Code, got.text)
	}
	for _, body := range []string{"", `{"overlapMinutes":60}`, `{"overlapMinutes":0}`} {
		got := w.do(w.full, "POST", at+"/rotate", body, "Idempotency-Key", "r")
		secret, _ := got.json(t)["secret"].(string)
		if got.Code != 200 || !strings.HasPrefix(secret, "whsec_") || secret == made["secret"] || got.Header().Get("Idempotency-Replayed") != "" {
			t.Errorf("%s: %d %s", body, got.Code, got.text)
		}
	}
	if got := w.do(w.full, "POST", at+"/rotate", `{"overlapMinutes":-1}`); got.Code != 400 {
		t.Error(got.Code, got.text)
	}
	w.do(w.full, "PATCH", at, `{"enabled":false}`)
	if got := w.do(w.full, "POST", at+"/test", ""); got.Code != 409 || details(t, got)["reason"] != "endpoint_disabled" {
		t.Error(got.Code, got.text)
	}
}
