package rest_test

import (
	"net/http"
	"strings"
	"testing"
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
