package engine_test

import (
	"testing"
	"time"

	"daybook/store/engine"
	"daybook/store/enginetest"
)

// What servers keep in memory is dropped as soon as it may be another, whoever changed it, and kept while nobody does.
func TestSetupVersion(t *testing.T) {
	db, _ := open(t)
	other := enginetest.Again(t, db)
	version := func() int64 {
		t.Helper()
		v, err := db.SetupVersion()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	write := func(db engine.Engine, query string, args ...any) {
		t.Helper()
		err := db.Write(t.Context(), func(tx *engine.Transaction) error { _, err := tx.Exec(query, args...); return err })
		if err != nil {
			t.Fatal(err)
		}
	}
	const wait = 30 * time.Second
	changes := []struct {
		query string
		args  []any
	}{
		{`INSERT INTO workspaces (id, slug, name, time_zone, currency, settings, link_key, created_ms)
			VALUES (1, 'w', 'W', 'UTC', 'EUR', '{}', '', 0)`, nil},
		{`INSERT INTO api_keys (id, workspace_id, name, scope, rate_limit, hint, hash, created_ms)
			VALUES (1, 1, '', '', 1, '', ?, 0)`, []any{[]byte{1}}},
		{`UPDATE api_keys SET revoked_ms = 1 WHERE id = 1`, nil},
		{`UPDATE workspaces SET revision = revision + 1 WHERE id = 1`, nil},
	}
	for i, c := range changes {
		before := version()
		if i%2 == 0 {
			write(db, c.query, c.args...)
			if version() == before {
				t.Errorf("%s: the number is the same as soon as this server has committed", c.query)
			}
			continue
		}
		write(other, c.query, c.args...)
		for deadline := time.Now().Add(wait); version() == before; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%s: the number is the same after another server has committed", c.query)
			}
		}
	}
	if !enginetest.OnPostgres() {
		return // SQLite doesn't tell what a commit changed
	}
	// What was changed before may be told once more for a moment.
	const noSetup = `INSERT INTO form_addresses (hash, times, last_ms) VALUES (?, ?, 0)`
	for i, deadline := 0, time.Now().Add(wait); ; i++ {
		before := version()
		write(db, noSetup, []byte{byte(i), byte(i >> 8)}, []byte{})
		if version() == before {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the number changes with every commit")
		}
	}
}
