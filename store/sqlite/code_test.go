package sqlite

import (
	"errors"
	"strings"
	"testing"

	"daybook/store/engine"
)

func TestErrorsAreToldByCode(t *testing.T) {
	db := openTest(t)
	mustAddHost(t, db, "a")
	cases := []struct {
		query string
		is    func(error) bool
	}{
		{`INSERT INTO host (id) VALUES ('a')`, isUnique},
		{`INSERT INTO host (id, revision) VALUES ('b', -1)`, isCheck},
		{`INSERT INTO host (id) VALUES (NULL)`, isCheck},
		{`INSERT INTO booking VALUES ('b', 'missing', 1, 2, NULL)`, isForeignKey},
	}
	kinds := []func(error) bool{isUnique, isCheck, isForeignKey, isBusy, isFull, isDamaged, isDenied, endsTransaction}
	for _, c := range cases {
		err := db.Write(t.Context(), func(q *engine.Transaction) error { _, err := q.Exec(c.query); return err })
		if !c.is(err) {
			t.Errorf("%s: not recognised: %v", c.query, err)
		}
		n := 0
		for _, is := range kinds {
			if is(err) {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%s: %v is of %d kinds", c.query, err, n)
		}
	}
	if isUnique(errors.New("UNIQUE constraint failed")) || isUnique(nil) {
		t.Error("told by its text")
	}
}

// A bare parameter as LIMIT makes SQLite plan the statement again at each run.
func TestNoBareLimit(t *testing.T) {
	for _, query := range []string{
		`SELECT id FROM bookings WHERE workspace_id = ? ORDER BY start_ms LIMIT ?`,
		`DELETE FROM answers WHERE key_id IN (SELECT key_id FROM answers WHERE created_ms < ? LIMIT ?) RETURNING key_id`,
	} {
		if got := text(query); strings.Contains(got, "LIMIT ?") || strings.Count(got, "?") != strings.Count(query, "?") {
			t.Errorf("%s became %s", query, got)
		}
	}
}
