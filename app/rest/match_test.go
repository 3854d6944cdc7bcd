package rest_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/store/enginetest"
)

// Every POST below a booking is refused with another version of it in If-Match and changes nothing then, also as a dry
// run; with the version that it has, it is done. A new route needs a line.
func TestEveryPostBelowABookingTakesIfMatch(t *testing.T) {
	w := newWorld(t)
	color := func(start, email string) string { return w.book("color", start, email) }
	mailed := w.book("cut", "2026-12-08T08:00:00Z", "mail@x.example")
	w.mails()
	missed, came := w.book("cut", "2026-11-30T08:00:00Z", "m@x.example"), w.book("cut", "2026-11-30T09:30:00Z", "c@x.example")
	paid := color("2026-12-09T08:00:00Z", "p@x.example")
	cases := []struct{ action, id, body string }{
		{"resend", mailed, ""},
		{"reschedule", mailed, `{"start":"2026-12-08T08:45:00Z"}`},
		{"coming", mailed, `{"answer":"yes"}`},
		{"cancel", mailed, `{"reason":"ill"}`},
		{"confirm", w.book("talk", "2026-12-08T11:00:00Z", "y@x.example"), ""},
		{"decline", w.book("talk", "2026-12-08T12:00:00Z", "n@x.example"), ""},
		{"payments", paid, `{"amount":1000,"method":"cash"}`},
		{"receipt", paid, ""},
		{"arrived", came, ""},
		{"done", came, ""},
		{"undo", came, ""},
		{"no-show", missed, ""},
	}
	w.Clock.Set(apptest.Monday.Add(4 * time.Hour))
	seen := map[string]bool{}
	raw := enginetest.Raw(t, w.Store.Engine)
	for _, c := range cases {
		seen[c.action] = true
		at := "/api/v1/bookings/" + c.id
		path, dry := at+"/"+c.action, `{"dryRun":true}`
		if c.body != "" {
			dry = strings.TrimSuffix(c.body, "}") + `,"dryRun":true}`
		}
		before := enginetest.Dump(t, raw)
		for _, body := range []string{c.body, dry} {
			if got := w.do(w.full, "POST", path, body, "If-Match", `"stale"`); got.Code != http.StatusPreconditionFailed {
				t.Errorf("%s %s: %d %s", c.action, body, got.Code, got.text)
			}
		}
		if changed := enginetest.Differences(before, enginetest.Dump(t, raw)); changed != "" {
			t.Errorf("%s changed the database:\n%s", c.action, changed)
		}
		tag := w.do(w.full, "GET", at, "").Header().Get("Etag")
		if got := w.do(w.full, "POST", path, c.body, "If-Match", tag); got.Code > 299 {
			t.Errorf("%s with %s: %d %s", c.action, tag, got.Code, got.text)
		}
		if got := w.do(w.full, "GET", at, "", "If-None-Match", tag); c.action != "resend" && c.action != "receipt" && got.Code != 200 {
			t.Errorf("%s: GET with the version before: %d", c.action, got.Code)
		}
	}
	for _, route := range w.routes() {
		if action, below := strings.CutPrefix(route, "POST /bookings/{id}/"); below && !seen[action] {
			t.Errorf("%s isn't tried", route)
		}
	}
}

// A GET whose answer has a version is 304 without a body for whoever has it, and only for them.
func TestUnchangedAnswersAreNotSent(t *testing.T) {
	w := newWorld(t)
	w.full = w.manager()
	booked := w.book("cut", "2026-12-08T08:00:00Z", "a@x.example")
	rows, _ := w.do(w.full, "GET", "/api/v1/contacts", "").json(t)["data"].([]any)
	contact, _ := object(rows[0])["id"].(string)
	for _, path := range []string{"bookings/" + booked, "contacts/" + contact, "event-types/cut", "hosts/" + ana.String()} {
		path = "/api/v1/" + path
		tag := w.do(w.full, "GET", path, "").Header().Get("Etag")
		for _, header := range []string{tag, "W/" + tag, `"x", ` + tag, "*"} {
			got := w.do(w.full, "GET", path, "", "If-None-Match", header)
			if got.Code != http.StatusNotModified || got.text != "" || got.Header().Get("Etag") != tag || got.Header().Get("X-Request-Id") == "" {
				t.Errorf("%s with %s: %d %s %v", path, header, got.Code, got.text, got.Header())
			}
		}
		for _, header := range []string{`"x"`, ""} {
			if got := w.do(w.full, "GET", path, "", "If-None-Match", header); got.Code != 200 || !json.Valid([]byte(got.text)) {
				t.Errorf("%s with %q: %d", path, header, got.Code)
			}
		}
	}
	if got := w.do(w.full, "GET", "/api/v1/bookings", "", "If-None-Match", "*"); got.Code != 200 {
		t.Errorf("a list has no version: %d", got.Code)
	}
}
