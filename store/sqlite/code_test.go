package sqlite

import (
	"errors"
	"testing"

	"daybook/store"
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
		err := db.Write(t.Context(), func(q *store.Transaction) error { _, err := q.Exec(c.query); return err })
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
