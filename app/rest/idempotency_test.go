package rest_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app"
)

func TestIdempotency(t *testing.T) {
	w := newWorld(t)
	post := func(path, body, key string) reply { return w.do(w.full, "POST", path, body, "Idempotency-Key", key) }
	body := bookingBody("cut", cutAt, "bo@x.example")
	first := post("/api/v1/bookings", body, "a")
	if first.Code != 201 || first.Header().Get("Idempotency-Replayed") != "" {
		t.Fatal(first.Code, first.text)
	}
	again := post("/api/v1/bookings", body, "a")
	if again.Code != 201 || again.text != first.text || again.Header().Get("Idempotency-Replayed") != "true" || again.Header().Get("Location") != first.Header().Get("Location") {
		t.Errorf("replay: %d %v %s", again.Code, again.Header(), again.text)
	}
	for _, other := range []reply{post("/api/v1/bookings", body+" ", "a"), post("/api/v1/contacts", body, "a"), post("/api/v1/bookings", bookingBody("cut", nextCut, "bo@x.example"), "a")} {
		if _, reason, _ := other.errorOf(t); other.Code != 409 || reason != "idempotency_mismatch" || other.Header().Get("Idempotency-Replayed") != "" {
			t.Errorf("another request: %d %s", other.Code, other.text)
		}
	}
	conflict := post("/api/v1/bookings", bookingBody("cut", cutAt, "di@x.example"), "b")
	if conflict.Code != 409 {
		t.Fatal(conflict.Code, conflict.text)
	}
	id := first.json(t)["id"].(string)
	if got := post("/api/v1/bookings/"+id+"/cancel", `{"reason":"x"}`, "c"); got.Code != 200 {
		t.Fatal(got.Code, got.text)
	}
	// The slot is free again, but the key's answer stays.
	if got := post("/api/v1/bookings", bookingBody("cut", cutAt, "di@x.example"), "b"); got.Code != 409 || got.text != conflict.text || got.Header().Get("Idempotency-Replayed") != "true" {
		t.Errorf("a conflict is kept: %d %s", got.Code, got.text)
	}
	// A 400 is not kept: the same key may be used with what was meant.
	if got := post("/api/v1/bookings", bookingBody("cut", noon, "di@x.example"), "d"); got.Code != 400 {
		t.Error(got.Code, got.text)
	}
	if got := post("/api/v1/bookings", bookingBody("cut", cutAt, "di@x.example"), "d"); got.Code != 201 {
		t.Error(got.Code, got.text)
	}
	// Keys are each API key's own.
	if got := w.do(w.foreign, "POST", "/api/v1/bookings", body, "Idempotency-Key", "a"); got.Header().Get("Idempotency-Replayed") != "" {
		t.Error(got.Code, got.text)
	}
	rotated, err := w.Account.RotateKey(t.Context(), app.Operator(0), w.fullKey.ID.String(), 0)
	w.Must(err)
	w.full = rotated.Value
	if got := post("/api/v1/bookings", body, "a"); got.text != first.text {
		t.Errorf("after a rotation: %d %s", got.Code, got.text)
	}
	w.Clock.Advance(24*time.Hour + time.Second)
	if got := post("/api/v1/contacts", `{"name":"New","email":"new@x.example"}`, "a"); got.Code != 201 || got.Header().Get("Idempotency-Replayed") != "" {
		t.Errorf("after a day: %d %s", got.Code, got.text)
	}
}

// TestIdempotencyAtOnce sends the same request many times at once: one booking, one answer.
func TestIdempotencyAtOnce(t *testing.T) {
	w := newWorld(t)
	answers := make([]reply, 32)
	var wait sync.WaitGroup
	for i := range answers {
		wait.Go(func() {
			answers[i] = w.do(w.full, "POST", "/api/v1/bookings", bookingBody("class", cutAt, "bo@x.example"), "Idempotency-Key", "once")
		})
	}
	wait.Wait()
	fresh := 0
	for _, a := range answers {
		if a.Code != http.StatusCreated || a.text != answers[0].text {
			t.Errorf("%d %s", a.Code, a.text)
		}
		if a.Header().Get("Idempotency-Replayed") == "" {
			fresh++
		}
	}
	if fresh != 1 || w.count() != 1 || w.events() != 1 {
		t.Errorf("%d fresh answers, %d bookings, %d events", fresh, w.count(), w.events())
	}
}

// TestIdempotencyRetries: every operation can be repeated safely.
func TestIdempotencyRetries(t *testing.T) {
	w := newWorld(t)
	id, pending := w.book("cut", cutAt, "bo@x.example"), w.book("talk", "2026-12-02T08:00:00Z", "bo@x.example")
	other := w.book("talk", "2026-12-02T08:30:00Z", "bo@x.example")
	w.Clock.Advance(25*time.Hour + 30*time.Minute)
	for i, r := range [][2]string{
		{"/api/v1/contacts", `{"name":"Di","email":"di@x.example"}`}, {"/api/v1/bookings/" + id + "/reschedule", `{"start":"2026-12-02T11:00:00Z"}`},
		{"/api/v1/bookings/" + pending + "/confirm", ""}, {"/api/v1/bookings/" + other + "/decline", `{"reason":"x"}`},
		{"/api/v1/bookings/" + id + "/no-show", ""}, {"/api/v1/bookings/" + pending + "/cancel", ""},
	} {
		key := strings.Repeat("k", i+1)
		first := w.do(w.full, "POST", r[0], r[1], "Idempotency-Key", key)
		events := w.events()
		again := w.do(w.full, "POST", r[0], r[1], "Idempotency-Key", key)
		if first.Code >= 300 && !strings.HasSuffix(r[0], "no-show") {
			t.Errorf("%s: %d %s", r[0], first.Code, first.text)
		}
		if again.Code != first.Code || again.text != first.text || again.Header().Get("Idempotency-Replayed") != "true" || w.events() != events {
			t.Errorf("%s: %d %s, then %d %s", r[0], first.Code, first.text, again.Code, again.text)
		}
	}
}

// The rules that a booking waives are a part of the request: with the same key another list is another request, and
// what was refused without may be sent again with it.
func TestIdempotencyKnowsTheOverride(t *testing.T) {
	w := newWorld(t)
	post := func(override, key string) reply {
		body := bookingBody("cut", "2026-12-01T22:05:00Z", "bo@x.example")
		return w.do(w.full, "POST", "/api/v1/bookings", body[:len(body)-1]+override+"}", "Idempotency-Key", key)
	}
	if got := post("", "a"); got.Code != 400 || !strings.Contains(got.text, `"reasons":["outside_hours"]`) {
		t.Fatal(got.Code, got.text)
	}
	first := post(`,"override":["outside_hours"]`, "a")
	if first.Code != 201 {
		t.Fatal(first.Code, first.text)
	}
	if again := post(`,"override":["outside_hours"]`, "a"); again.text != first.text {
		t.Errorf("replay: %d %s", again.Code, again.text)
	}
	for _, override := range []string{"", `,"override":["outside_hours","off_grid"]`} {
		if _, reason, _ := post(override, "a").errorOf(t); reason != "idempotency_mismatch" {
			t.Errorf("%s: %s", override, reason)
		}
	}
}
