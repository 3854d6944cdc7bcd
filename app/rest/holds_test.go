package rest_test

import (
	"strings"
	"testing"
	"time"
)

// Holds by the routes: what is answered and refused, to whom, and that a hold becomes a booking.
func TestHoldsByTheRoutes(t *testing.T) {
	w := newWorld(t)
	w.eventType("short", 60, nil)
	const start = `"start":"2026-12-01T09:00:00Z"`
	n := 0
	ask := func(key, method, path, body string, status int, has string) reply {
		t.Helper()
		n++
		got := w.do(key, method, "/api/v1"+path, body)
		if got.Code != status || !strings.Contains(got.text, has) {
			t.Errorf("%s %s %s: %d %s, want %d and %s", method, path, body, got.Code, got.text, status, has)
		}
		return got
	}
	ask(w.readOnly, "POST", "/holds", `{"eventType":"short",`+start+`}`, 403, `"read_only_key"`)
	ask(w.foreign, "POST", "/holds", `{"eventType":"short",`+start+`}`, 404, `"not_found"`)
	ask(w.full, "POST", "/holds", `{"eventType":"short",`+start+`,"minutes":16}`, 400, `"field":"minutes"`)
	ask(w.full, "POST", "/holds", `{"eventType":"short",`+start+`,"override":[]}`, 400, `"field":"override"`)
	made := ask(w.full, "POST", "/holds", `{"eventType":"short",`+start+`,"minutes":5}`, 201, `{"id":"hd_`).json(t)
	id := made["id"].(string)
	until, err := time.Parse(time.RFC3339, made["expiresAt"].(string))
	if err != nil || len(made) != 6 || made["eventType"] != "short" || made["end"] != "2026-12-01T10:00:00Z" ||
		until.Sub(w.Clock.Now()) != 5*time.Minute {
		t.Errorf("held %v", made)
	}
	host := made["host"].(map[string]any)["id"].(string)
	ask(w.full, "POST", "/holds", `{"eventType":"short","host":"`+host+`",`+start+`}`, 409, `"slot_taken"`)
	ask(w.readOnly, "GET", "/availability?eventType=short&explain=1&host="+host+"&from=2026-12-01T00:00:00Z&days=1", "", 200,
		`"start":"2026-12-01T09:00:00Z","end":"2026-12-01T10:00:00Z","host":"`+host+`","reason":"held"`)
	booking := func(more string) string {
		return `{"eventType":"short",` + start + `,"invitee":{"name":"Bo","email":"bo@x.example"}` + more + `}`
	}
	ask(w.full, "POST", "/bookings", booking(`,"host":"`+host+`"`), 409, `"reasons":["held"]`)
	ask(w.readOnly, "DELETE", "/holds/"+id, "", 403, `"read_only_key"`)
	ask(w.foreign, "DELETE", "/holds/"+id, "", 404, `"not_found"`)
	ask(w.full, "POST", "/bookings", booking(`,"hold":"hd_nothing"`), 409, `"hold_expired"`)
	ask(w.full, "POST", "/bookings", booking(`,"hold":"`+id+`"`), 201, `"id":"`+host+`"`)
	ask(w.full, "POST", "/bookings", booking(`,"hold":"`+id+`"`), 409, `"already_booked"`)
	ask(w.full, "DELETE", "/holds/"+id, "", 404, `"not_found"`)
	other := ask(w.full, "POST", "/holds", `{"eventType":"short","start":"2026-12-02T09:00:00Z"}`, 201, `"hd_`).json(t)
	ask(w.full, "DELETE", "/holds/"+other["id"].(string), "", 204, "")

	// A visit is one hold.
	const items = `"items":[{"eventType":"short"},{"eventType":"short"}],"start":"2026-12-03T09:00:00Z"`
	ask(w.full, "POST", "/holds", `{"eventType":"short",`+items+`}`, 400, `"field":"eventType"`)
	ask(w.full, "POST", "/holds", `{"items":[]}`, 400, `"field":"items"`)
	ask(w.foreign, "POST", "/holds", `{`+items+`}`, 404, `"not_found"`)
	visit := ask(w.full, "POST", "/holds", `{`+items+`}`, 201, `"items":[{"eventType":"short","host":"hs_`).json(t)
	if all := visit["items"].([]any); len(all) != 2 || visit["end"] != "2026-12-03T11:00:00Z" {
		t.Errorf("held %v", visit)
	}
	booked := func(more string) string {
		return `{` + items + more + `,"invitee":{"name":"Bo","email":"bo@x.example"}}`
	}
	ask(w.full, "POST", "/bookings", `{"eventType":"short","start":"2026-12-03T09:00:00Z","hold":"`+visit["id"].(string)+
		`","invitee":{"name":"Bo","email":"bo@x.example"}}`, 400, `"field":"hold"`)
	ask(w.full, "POST", "/visits", booked(`,"hold":"hd_nothing"`), 409, `"hold_expired"`)
	ask(w.full, "POST", "/visits", booked(`,"hold":"`+visit["id"].(string)+`"`), 201, `"id":"vi_`)
}
