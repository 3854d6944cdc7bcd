package store_test

import (
	"path/filepath"
	"testing"

	"daybook/store"
	"daybook/store/sqlite"
)

// The suite runs on SQLite. What it opens here is all that it knows of the engine.
func init() { store.OpenTest = openSQLite }

func openSQLite(t testing.TB) store.Engine {
	t.Helper()
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(t.TempDir(), "t.db"), Create: true, Serving: true})
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
