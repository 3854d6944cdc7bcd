package rest_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"daybook/app/rest"
)

// A change that met another one runs again: the answer to it is that of its last run alone.
func TestAnswerOfAChangeThatRanAgain(t *testing.T) {
	w := newWorld(t)
	t.Setenv("DAYBOOK_TEST_TWICE", "1") // see package enginetest
	door := rest.New(w.Another().Set, rest.Options{Version: "test"})
	r := httptest.NewRequest("POST", "/api/v1/bookings", strings.NewReader(bookingBody("cut", "2026-12-01T08:00:00Z", "p@mail.example")))
	r.Header.Set("Authorization", "Bearer "+w.full)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Idempotency-Key", "again")
	rec := httptest.NewRecorder()
	door.ServeHTTP(rec, r)
	if rec.Code != http.StatusCreated || !json.Valid(rec.Body.Bytes()) {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
}
