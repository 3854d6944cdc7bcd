package page_test

import (
	"crypto/sha256"
	"strconv"
	"strings"
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/app/page"
)

// With a challenge a booking costs work, and the work is good for one booking.
func TestChallenge(t *testing.T) {
	w := newWorld(t, page.Options{Challenge: 16})
	form := w.get("/salon/cut?start=2026-12-01T08:00:00Z")
	if !strings.Contains(form.text, `data-challenge="16"`) || !strings.Contains(form.text, "<noscript>") {
		t.Fatal("the form asks for no work")
	}
	sent := bookingForm("1T08:00", "mia", "key", form.hidden().Get("key"))
	post := func(want int, proof string) answer {
		t.Helper()
		sent.Set("proof", proof)
		a := w.send("POST", "/salon/cut", sent)
		if a.StatusCode != want {
			t.Fatalf("proof %q: status %d, want %d", proof, a.StatusCode, want)
		}
		return a
	}
	post(422, "")
	proof := prove(sent.Get("key"), true)
	post(422, prove(sent.Get("key"), false))
	at := post(303, proof).Header.Get("Location")
	if again := post(303, proof).Header.Get("Location"); again != at {
		t.Errorf("the same form led to %q and %q", at, again)
	}
	sent.Set("start", apptest.At("1T09:00"))
	post(422, proof)

	sent.Set("key", "AAAA"+sent.Get("key")[4:])
	post(422, prove(sent.Get("key"), true))
	sent.Set("key", w.get("/salon/cut?start=2026-12-01T09:00:00Z").hidden().Get("key"))
	w.Clock.Advance(13 * time.Hour)
	post(422, prove(sent.Get("key"), true))
	if w.count() != 1 {
		t.Errorf("%d bookings", w.count())
	}
}

// Another server of the database, or this one after a restart, takes the work that was done for a form of the first.
func TestChallengeSurvivesARestart(t *testing.T) {
	w := newWorld(t, page.Options{})
	secret, err := w.Upkeep.FormKey(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if again, err := w.Upkeep.FormKey(t.Context()); err != nil || string(again) != string(secret) || len(secret) != 32 {
		t.Errorf("%x, then %x %v", secret, again, err)
	}
}

// prove finds a text that does, or does not, prove sixteen bits of work.
func prove(key string, good bool) string {
	for n := 0; ; n++ {
		proof := strconv.Itoa(n)
		if sum := sha256.Sum256([]byte(key + ":" + proof)); (sum[0] == 0 && sum[1] == 0) == good {
			return proof
		}
	}
}
