package rest_test

import (
	"fmt"
	"strings"
	"testing"

	"daybook/store/engine"
	"daybook/store/enginetest"
)

// fill takes the room that the database has, until the function that it returns gives it back.
func (w *world) fill() (empty func()) {
	w.T.Helper()
	if enginetest.OnPostgres() { // its disk can't be filled here: the server answers as if it were
		for _, statement := range []string{
			`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
				'BEGIN RAISE EXCEPTION ''no space left on device'' USING ERRCODE = ''53100''; END'`,
			`CREATE TRIGGER refuse BEFORE INSERT ON contacts FOR EACH ROW EXECUTE FUNCTION refuse()`,
		} {
			w.Must(w.SQL(statement))
		}
		return func() { w.T.Helper(); w.Must(w.SQL(`DROP TRIGGER refuse ON contacts`)) }
	}
	pages := func(most string) {
		w.T.Helper()
		w.Must(w.Store.Engine.Write(w.T.Context(), func(q *engine.Transaction) error {
			return q.Scan("PRAGMA max_page_count = "+most, nil, new(int))
		}))
	}
	pages("1") // no more than there are
	return func() { w.T.Helper(); pages("4294967294") }
}

// A full disk is a 503 after which clients try again, and which says nothing of the disk. Once there is room, the same
// request is carried out.
func TestFullDiskIsUnavailable(t *testing.T) {
	w := newWorld(t)
	contact := func(i int) reply {
		return w.do(w.full, "POST", "/api/v1/contacts", fmt.Sprintf(`{"name":"Nora","email":"n%d@nora.example","notes":%q}`, i,
			strings.Repeat("x", 1900)), "Idempotency-Key", fmt.Sprint(i))
	}
	empty := w.fill()
	i, got := 0, reply{}
	for ; i < 300; i++ { // SQLite's file has some room within its pages
		if got = contact(i); got.Code != 201 {
			break
		}
	}
	before := w.state()
	for range 5 {
		if code, reason, _ := got.errorOf(t); got.Code != 503 || code != "unavailable" || reason != "database" ||
			got.Header().Get("Retry-After") != "1" || strings.Contains(strings.ToLower(got.text), "disk") ||
			strings.Contains(got.text, "device") || strings.Contains(got.text, "full") {
			t.Fatalf("%d %v %s", got.Code, got.Header(), got.text)
		}
		got = contact(i)
	}
	if after := w.state(); after != before {
		t.Errorf("%s, then %s", before, after)
	}
	empty()
	if got := contact(i); got.Code != 201 {
		t.Errorf("with room again: %d %s", got.Code, got.text)
	}
}
