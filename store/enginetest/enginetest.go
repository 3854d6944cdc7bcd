// package enginetest opens the database that tests of SQL run on. Only tests import it.
package enginetest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"daybook/store/engine"
	"daybook/store/sqlite"
)

// Open is a fresh database with Daybook's schema, on the engine that DAYBOOK_TEST_DB names: sqlite, or nothing, which
// is the same.
func Open(t testing.TB) engine.Engine {
	t.Helper()
	switch name := os.Getenv("DAYBOOK_TEST_DB"); name {
	case "", "sqlite":
	default:
		t.Fatalf("DAYBOOK_TEST_DB is %q: expected sqlite", name)
	}
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

// Plan is SQLite's plan of a query, a step a line. On another engine it skips the test.
func Plan(t testing.TB, db engine.Engine, query string, args ...any) string {
	t.Helper()
	if _, ok := db.(*sqlite.DB); !ok {
		t.Skip("reads the query plans of SQLite")
	}
	var steps []struct {
		ID, Parent, NotUsed int
		Detail              string
	}
	if err := engine.NewQuerier(t.Context(), db.Readers()).All(&steps, "EXPLAIN QUERY PLAN "+query, args...); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	var lines []string
	for _, step := range steps {
		lines = append(lines, step.Detail)
	}
	return strings.Join(lines, "\n")
}
