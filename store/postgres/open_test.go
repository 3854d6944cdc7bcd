package postgres_test

import (
	"errors"
	"testing"

	"daybook/store/engine"
	"daybook/store/pgtest"
	"daybook/store/postgres"
)

// open is a database with Daybook's schema.
func open(t *testing.T, o postgres.Options) *postgres.DB {
	t.Helper()
	if o.URL == "" {
		o.URL = pgtest.Fresh(t, pgtest.Shared(t), "")
	}
	db, err := postgres.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	if _, err := db.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return db
}

func TestWriteAndRead(t *testing.T) {
	db := open(t, postgres.Options{Serving: true})
	const insert = `INSERT INTO webhook_endpoints (id, workspace_id, url, kinds, secret, enabled, created_ms) VALUES (?, 1, ?, '', '', ?, 1)`
	own := errors.New("the change's own")
	for _, c := range []struct {
		id   int
		fail error
	}{{1, nil}, {2, own}} {
		err := db.Write(t.Context(), func(tx *engine.Transaction) error {
			if _, err := tx.Exec(insert, c.id, "https://x.example", c.id == 1); err != nil {
				return err
			}
			return c.fail
		})
		if err != c.fail {
			t.Errorf("got %v", err)
		}
	}
	var count int
	var enabled bool
	q := engine.NewQuerier(t.Context(), db.Readers())
	if err := q.Scan(`SELECT COUNT(*), MAX(enabled) FROM webhook_endpoints`, nil, &count, &enabled); err != nil || count != 1 || !enabled {
		t.Errorf("got %d rows, enabled %v, %v", count, enabled, err)
	}
}
