package sqlite

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"daybook/store/engine"
)

func testMigrations() fs.FS { return os.DirFS("testdata/migrations") }

func testOptions(path string) Options {
	return Options{Path: path, Create: true, Migrations: testMigrations(), Logger: slog.New(slog.DiscardHandler)}
}

// openTest opens and migrates a new database, changed by with.
func openTest(t testing.TB, with ...func(*Options)) *DB {
	t.Helper()
	o := testOptions(filepath.Join(t.TempDir(), "daybook.db"))
	for _, f := range with {
		f(&o)
	}
	db := reopen(t, o)
	if _, err := db.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return db
}

func reopen(t testing.TB, o Options) *DB {
	t.Helper()
	db, err := Open(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func serving(o *Options) { o.Serving = true }

func addHost(q *engine.Transaction, id string) error {
	_, err := q.Exec(`INSERT INTO host (id) VALUES (?)`, id)
	return err
}

func mustAddHost(t testing.TB, db *DB, id string) {
	t.Helper()
	if err := db.Write(context.Background(), func(q *engine.Transaction) error { return addHost(q, id) }); err != nil {
		t.Fatal(err)
	}
}

func hosts(t testing.TB, db *DB) (ids []string) {
	t.Helper()
	if err := db.side.Select(&ids, `SELECT id FROM host ORDER BY id`); err != nil {
		t.Fatal(err)
	}
	return ids
}

func wantHosts(t testing.TB, db *DB, want ...string) {
	t.Helper()
	if got := hosts(t, db); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("hosts are %v, want %v", got, want)
	}
}
