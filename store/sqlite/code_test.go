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
		query  string
		unique bool
	}{
		{`INSERT INTO host (id) VALUES ('a')`, true},
		{`INSERT INTO host (id, revision) VALUES ('b', -1)`, false},
		{`INSERT INTO host (id) VALUES (NULL)`, false},
		{`INSERT INTO booking VALUES ('b', 'missing', 1, 2, NULL)`, false},
	}
	others := []func(error) bool{isBusy, isFull, isDamaged, isDenied, endsTransaction}
	for _, c := range cases {
		err := db.Write(t.Context(), func(q *engine.Transaction) error { _, err := q.Exec(c.query); return err })
		if err == nil || isUnique(err) != c.unique {
			t.Errorf("%s: unique %t: %v", c.query, !c.unique, err)
		}
		for i, is := range others {
			if is(err) {
				t.Errorf("%s: %v is of kind %d, too", c.query, err, i)
			}
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
