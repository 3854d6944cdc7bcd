package rest_test

import (
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest"
	"daybook/store/enginetest"
)

// TestRate: 120 requests in any 60 seconds, over every kind of answer; the refused don't count.
func TestRate(t *testing.T) {
	w := newWorld(t)
	limited, err := w.Account.CreateKey(t.Context(), app.Operator(w.Workspace.ID), account.KeyInput{Name: "limited", Scope: account.FullScope})
	w.Must(err)
	key := limited.Value
	get := func() reply { return w.do(key, "GET", "/api/v1/event-types", "") }
	for i := range 120 {
		if i == 60 {
			w.Clock.Advance(30 * time.Second)
		}
		path, want := "/api/v1/event-types", 200
		if i%3 == 1 {
			path, want = "/api/v1/bookings/nothing", 404
		}
		got := w.do(key, "GET", path, "")
		if got.Code != want || got.Header().Get("RateLimit-Limit") != "120" || got.Header().Get("RateLimit-Remaining") != itoa(119-i) {
			t.Fatalf("request %d: %d %v", i, got.Code, got.Header())
		}
	}
	for range 3 {
		got := get()
		if code, _, _ := got.errorOf(t); got.Code != 429 || code != "rate_limited" || got.Header().Get("Retry-After") != "30" || got.Header().Get("RateLimit-Remaining") != "0" || got.Header().Get("RateLimit-Reset") != "60" {
			t.Fatalf("request 121: %d %v %s", got.Code, got.Header(), got.text)
		}
	}
	w.Clock.Advance(29*time.Second + 900*time.Millisecond)
	if got := get(); got.Code != 429 || got.Header().Get("Retry-After") != "1" {
		t.Errorf("just before: %d %v", got.Code, got.Header())
	}
	w.Clock.Advance(100 * time.Millisecond) // the first 60 have left the window
	for i := range 60 {
		if got := get(); got.Code != 200 {
			t.Fatalf("request %d of the next: %d", i, got.Code)
		}
	}
	if got := get(); got.Code != 429 || got.Header().Get("Retry-After") != "30" {
		t.Errorf("the window slides: %d %v", got.Code, got.Header())
	}
	if got := w.do(w.full, "GET", "/api/v1/event-types", ""); got.Code != 200 {
		t.Error("another key has its own rate:", got.Code)
	}
	if got := w.do("", "GET", "/api/v1/openapi.json", ""); got.Code != 200 {
		t.Error("the document needs no key:", got.Code)
	}
}

// TestKeys: what another process does to a key counts from the next request.
func TestKeys(t *testing.T) {
	w := newWorld(t)
	elsewhere := w.Another()
	status := func(key string) int { return w.do(key, "GET", "/api/v1/bookings", "").Code }
	if got := status(w.full); got != 200 {
		t.Fatal(got)
	}
	var rotated account.NewKey
	enginetest.Hear(t, w.Store.Engine, func() {
		var err error
		rotated, err = elsewhere.Account.RotateKey(t.Context(), app.Operator(0), w.fullKey.ID.String(), time.Hour)
		w.Must(err)
	})
	if a, b := status(w.full), status(rotated.Value); a != 200 || b != 200 {
		t.Errorf("within the grace: %d %d", a, b)
	}
	w.Clock.Advance(time.Hour)
	if a, b := status(w.full), status(rotated.Value); a != 401 || b != 200 {
		t.Errorf("after the grace: %d %d", a, b)
	}
	enginetest.Hear(t, w.Store.Engine, func() {
		_, err := elsewhere.Account.RevokeKey(t.Context(), app.Operator(0), w.fullKey.ID.String())
		w.Must(err)
	})
	// What Hear noticed may have been a connection that was lost and is back.
	apptest.Eventually(t, "the revocation is heard of", func() bool { return status(rotated.Value) == 401 })
	got := w.do(rotated.Value, "POST", "/api/v1/bookings", bookingBody("cut", cutAt, "bo@x.example"))
	if got.Code != 401 || got.Header().Get("WWW-Authenticate") != "Bearer" || w.count() != 0 {
		t.Errorf("after the revocation: %d %s", got.Code, got.text)
	}
}

// TestSetup: what another process does to the set-up counts from the next request, for keys that are held already.
func TestSetup(t *testing.T) {
	w := newWorld(t)
	elsewhere := w.Another().Store
	const path = "/api/v1/availability?eventType=cut&limit=1"
	for range 2 {
		if got := w.do(w.full, "GET", path, ""); !strings.Contains(got.text, `"end":"2026-11-30T08:45:00Z"`) {
			t.Fatal(got.text)
		}
	}
	setup, err := elsewhere.Setup(w.Workspace.ID)
	w.Must(err)
	e := *setup.EventType("cut")
	e.DurationMinutes = 30
	enginetest.Hear(t, w.Store.Engine, func() {
		w.Must(elsewhere.Write(t.Context(), func(tx app.Tx) error { return tx.UpdateEventType(&e) }))
	})
	if got := w.do(w.full, "GET", path, ""); !strings.Contains(got.text, `"end":"2026-11-30T08:30:00Z"`) {
		t.Error(got.text)
	}
	if got := w.do(w.readOnly, "GET", "/api/v1/event-types/cut", ""); !strings.Contains(got.text, `"durationMinutes":30`) {
		t.Error(got.text)
	}
}

// TestIsolation asks every route that takes an id for what is another workspace's: 404, exactly as for an unknown one.
func TestIsolation(t *testing.T) {
	w := newWorld(t)
	id := w.book("cut", cutAt, "bo@x.example")
	contact := w.contact("bo@x.example")
	theirType := w.do(w.full, "GET", "/api/v1/event-types/color", "").json(t)["id"].(string)
	before := w.state()
	const unknown = "bk_0000000000000"
	for _, r := range []struct{ method, path, body, other string }{
		{"GET", "/api/v1/bookings/" + id, "", unknown},
		{"POST", "/api/v1/bookings/" + id + "/cancel", "", unknown},
		{"POST", "/api/v1/bookings/" + id + "/reschedule", `{"start":"` + nextCut + `"}`, unknown},
		{"POST", "/api/v1/bookings/" + id + "/no-show", "", unknown},
		{"POST", "/api/v1/bookings/" + id + "/confirm", "", unknown},
		{"POST", "/api/v1/bookings/" + id + "/decline", "", unknown},
		{"GET", "/api/v1/contacts/" + contact, "", "ct_0000000000"},
		{"GET", "/api/v1/event-types/" + theirType, "", "et_0000000001"},
		{"GET", "/api/v1/event-types/color", "", "nope"},
		{"GET", "/api/v1/availability?eventType=color", "", "nope"},
		{"GET", "/api/v1/availability?eventType=cut&host=" + ana.String(), "", "hs_0000000009"},
		{"GET", "/api/v1/availability?eventType=cut&excludeBooking=" + id, "", unknown},
		{"POST", "/api/v1/bookings", bookingBody("color", cutAt, "a@x.example"), "nope"},
		{"POST", "/api/v1/bookings", strings.Replace(bookingBody("cut", cutAt, "a@x.example"), "{", `{"host":"`+ana.String()+`",`, 1), "hs_0000000009"},
	} {
		got := w.do(w.foreign, r.method, r.path, r.body)
		if got.Code != 404 {
			t.Errorf("%s %s: %d %s", r.method, r.path, got.Code, got.text)
			continue
		}
		same := strings.NewReplacer(id, r.other, contact, r.other, theirType, r.other, ana.String(), r.other, "color", r.other)
		unknown := w.do(w.foreign, r.method, same.Replace(r.path), same.Replace(r.body))
		if a, b := same.Replace(message(t, got)), message(t, unknown); unknown.Code != 404 || a != b {
			t.Errorf("%s %s: %q, but unknown: %q", r.method, r.path, a, b)
		}
	}
	for path, want := range map[string]string{"/api/v1/bookings": `{"data":[]`, "/api/v1/contacts": `{"data":[]`, "/api/v1/bookings?host=" + ana.String(): `{"data":[]`, "/api/v1/bookings?invitee=bo@x.example": `{"data":[]`} {
		if got := w.do(w.foreign, "GET", path, ""); !strings.HasPrefix(got.text, want) {
			t.Errorf("%s: %s", path, got.text)
		}
	}
	if got := w.do(w.foreign, "GET", "/api/v1/event-types", ""); strings.Contains(got.text, "color") {
		t.Error(got.text)
	}
	if w.state() != before {
		t.Error("something was written")
	}
}

func message(t *testing.T, r reply) string {
	return object(r.json(t)["error"])["message"].(string)
}
