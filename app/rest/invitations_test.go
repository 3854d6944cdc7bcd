package rest_test

import (
	"strings"
	"testing"

	"daybook/app/catalog"
)

// Invitation links by the routes: what is answered and refused, to whom, that the link is shown once, and that a booking
// by a link that can't be used says why.
func TestInvitationsByTheRoutes(t *testing.T) {
	w := newWorld(t)
	w.eventType("vip", 60, func(e *catalog.EventType) { e.Hidden = true })
	const links = "/api/v1/invitations"
	ask := func(key, method, path, body string, status int, has string) reply {
		t.Helper()
		once := "the same"
		if strings.HasSuffix(path, "/resend") { // its answers are kept
			once = path
		}
		got := w.do(key, method, path, body, "Idempotency-Key", once)
		if got.Code != status || !strings.Contains(got.text, has) {
			t.Errorf("%s %s %s: %d %s, want %d and %s", method, path, body, got.Code, got.text, status, has)
		}
		return got
	}
	ask(w.readOnly, "POST", links, `{"eventType":"vip"}`, 403, `"read_only_key"`)
	ask(w.foreign, "POST", links, `{"eventType":"vip"}`, 404, `"not_found"`)
	ask(w.full, "POST", links, `{"eventType":"vip","dryRun":1}`, 400, `"field":"dryRun"`)
	ask(w.full, "POST", links, `{"eventType":"vip","host":"`+bob.String()+`"}`, 400, `"field":"host"`)
	made := ask(w.full, "POST", links, `{"eventType":"vip","host":"`+ana.String()+`"}`, 201,
		`"eventType":"vip","host":{"id":"`+ana.String()+`","name":"ana"},"expiresAt":null,"uses":1,"used":0,"email":"","createdAt":`)
	link := made.json(t)
	id, url := link["id"].(string), link["url"].(string)
	if at := made.Header().Get("Location"); at != base+links+"/"+id || !strings.HasPrefix(url, base+"/_i/") {
		t.Errorf("made %s at %s", url, at)
	}
	again := ask(w.full, "POST", links, `{"eventType":"vip","email":"bo@x.example"}`, 201, `"email":"bo@x.example"`)
	if strings.Contains(again.text, `"url"`) {
		t.Errorf("a link for somebody is shown to another: %s", again.text)
	}
	mailed, _ := again.json(t)["id"].(string)
	ask(w.readOnly, "POST", links+"/"+mailed+"/resend", "", 403, `"read_only_key"`)
	ask(w.foreign, "POST", links+"/"+mailed+"/resend", "", 404, `"not_found"`)
	ask(w.full, "POST", links+"/"+id+"/resend", "", 409, `"no_email"`)
	for range 2 { // the second is the answer kept for the key
		ask(w.full, "POST", links+"/"+mailed+"/resend", "", 202, `"invitationId":"`+mailed+`","kind":"invitation","to":"bo@x.example","dueAt":"`)
	}
	token := url[strings.LastIndexByte(url, '/')+1:]
	for _, key := range []string{w.full, w.readOnly} {
		for _, path := range []string{links, links + "/" + id, "/api/v1/event-types/vip"} {
			if got := w.do(key, "GET", path, ""); got.Code != 200 || strings.Contains(got.text, token) {
				t.Errorf("%s: %d %s", path, got.Code, got.text)
			}
		}
	}
	ask(w.foreign, "GET", links+"/"+id, "", 404, `"not_found"`)
	ask(w.foreign, "DELETE", links+"/"+id, "", 404, `"not_found"`)
	by := func(token, eventType, start, email string) string {
		return `{"invitation":"` + token + `",` + bookingBody(eventType, start, email)[1:]
	}
	post := func(body string, status int, has string) {
		t.Helper()
		if got := w.do(w.full, "POST", "/api/v1/bookings", body); got.Code != status || !strings.Contains(got.text, has) || strings.Contains(got.text, token) {
			t.Errorf("%s: %d %s, want %d and %s", body, got.Code, got.text, status, has)
		}
	}
	post(by("nonsense", "vip", "2026-12-01T09:00:00Z", "bo@x.example"), 400, `"field":"invitation"`)
	post(by(token, "cut", "2026-12-01T09:00:00Z", "bo@x.example"), 400, `"invitation_invalid"`)
	post(by(token, "vip", "2026-12-01T08:00:00Z", "bo@x.example"), 201, `"name":"ana"`)
	post(by(token, "vip", "2026-12-01T09:00:00Z", "cy@x.example"), 409, `"invitation_used"`)
	post(bookingBody("vip", "2026-12-01T09:00:00Z", "cy@x.example"), 201, `"eventType":"vip"`)
	ask(w.full, "GET", links+"/"+id, "", 200, `"uses":1,"used":1,`)
	for range 2 {
		ask(w.full, "DELETE", links+"/"+id, "", 204, "")
	}
	ask(w.full, "GET", links+"/"+id, "", 200, `"revokedAt":"`)
	post(by(token, "vip", "2026-12-01T10:00:00Z", "di@x.example"), 400, `"invitation_invalid"`)
}
