package replica

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"daybook/store/engine"
	"daybook/store/sqlite"
)

// TestRestore brings the newest moment of a target that has everything back into a temporary file beside the database,
// checks all of it, and compares how many rows each table has: they may differ by what was changed meanwhile. It returns
// the name of the target, with an error, too.
func (r *Replica) TestRestore(ctx context.Context, live *sqlite.DB) (tried string, err error) {
	up := r.set.up()
	if len(up) == 0 {
		return "", errNoTarget
	}
	target := up[int(time.Now().Unix()/86400)%len(up)] // another one tomorrow
	return target.String(), r.testRestore(ctx, target, live)
}

func (r *Replica) testRestore(ctx context.Context, target Objects, live *sqlite.DB) error {
	dir, err := os.MkdirTemp(r.c.local(), "test-*") // 0700
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	before, err := countOf(ctx, live)
	if err != nil {
		return err
	}
	if err := r.flush(ctx); err != nil {
		return err
	}
	path := filepath.Join(dir, "test.db")
	if _, err := Fetch(ctx, target, r.c.Key, time.Time{}, path); err != nil {
		return err
	}
	after, err := countOf(ctx, live)
	if err != nil {
		return err
	}
	return compare(ctx, path, before, after, live)
}

// flush sends what was written until now.
func (r *Replica) flush(ctx context.Context) error {
	r.mu.Lock()
	db := r.db
	r.mu.Unlock()
	if db == nil {
		return errNoTarget
	}
	return db.SyncAndWait(ctx)
}

// counts are how many rows each table has, and how many rows the writer has changed so far.
type counts struct {
	rows    map[string]int64
	changes int64
}

func countOf(ctx context.Context, db *sqlite.DB) (c counts, err error) {
	err = db.Write(ctx, func(t *engine.Transaction) error { return t.Scan("SELECT total_changes()", nil, &c.changes) })
	if err == nil {
		c.rows, err = rowsOf(ctx, db)
	}
	return c, err
}

func rowsOf(ctx context.Context, db *sqlite.DB) (map[string]int64, error) {
	tables, err := db.Tables(ctx)
	rows := make(map[string]int64, len(tables))
	q := engine.NewQuerier(ctx, db.Readers())
	for i := 0; i < len(tables) && err == nil; i++ {
		var n int64
		err = q.Scan(`SELECT count(*) FROM "`+tables[i].Name+`"`, nil, &n)
		rows[tables[i].Name] = n
	}
	return rows, err
}

// compare checks a restored file.
func compare(ctx context.Context, path string, before, after counts, live *sqlite.DB) error {
	db, err := sqlite.Open(ctx, sqlite.Options{Path: path, Migrations: live.MigrationFiles(), MMapBytes: -1})
	if err != nil {
		return err
	}
	defer db.Close()
	if err := db.CheckIntegrity(ctx); err != nil {
		return err
	}
	if err := db.KnownSchema(ctx); err != nil {
		return err
	}
	rows, err := rowsOf(ctx, db)
	if err != nil {
		return err
	}
	slack := after.changes - before.changes
	for table, a := range before.rows {
		b, got := after.rows[table], rows[table]
		if got < min(a, b)-slack || got > max(a, b)+slack {
			return fmt.Errorf("the copy has %d rows of %s, the database %d", got, table, b)
		}
	}
	return nil
}
