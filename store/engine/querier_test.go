package engine_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"testing"

	"daybook/store/engine"
	"daybook/store/enginetest"
)

// open is a fresh database, and what reads it.
func open(t *testing.T) (engine.Engine, *engine.Querier) {
	t.Helper()
	db := enginetest.Open(t)
	return db, engine.NewQuerier(t.Context(), db.Readers())
}

// setValue writes one row.
func setValue(t *testing.T, db engine.Engine, name, value string) {
	t.Helper()
	err := db.Write(t.Context(), func(tx *engine.Transaction) error { return insertValue(tx, name, value) })
	if err != nil {
		t.Fatal(err)
	}
}

func insertValue(tx *engine.Transaction, name, value string) error {
	_, err := tx.Exec(`INSERT INTO server_values (name, value) VALUES (?, ?)
		ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, value)
	return err
}

const (
	oneValue  = `SELECT name, value FROM server_values WHERE name = ?`
	allValues = `SELECT name FROM server_values WHERE name IN ('a', 'b') ORDER BY name`
)

func TestQuerierReads(t *testing.T) {
	db, q := open(t)
	setValue(t, db, "a", "1")
	setValue(t, db, "b", "2")
	var name, value string
	if err := q.Scan(oneValue, []any{"b"}, &name, &value); err != nil || name != "b" || value != "2" {
		t.Errorf("Scan: %q %q, %v", name, value, err)
	}
	if err := q.One(oneValue, "a")(&name, &value); err != nil || value != "1" {
		t.Errorf("One: %q, %v", value, err)
	}
	if err := q.Scan(oneValue, []any{"none"}, &name, &value); !errors.Is(err, sql.ErrNoRows) {
		t.Errorf("Scan of no row: %v", err)
	}
	var names, all []string
	if err := q.All(&all, allValues); err != nil || len(all) != 2 {
		t.Errorf("All: %v, %v", all, err)
	}
	err := q.Each(allValues, nil, func(scan func(...any) error) error {
		var name string
		err := scan(&name)
		names = append(names, name)
		return err
	})
	if err != nil || len(names) != 2 {
		t.Errorf("Each: %v, %v", names, err)
	}
	stop := errors.New("stop")
	if err := q.Each(allValues, nil, func(func(...any) error) error { return stop }); err != stop {
		t.Errorf("Each: %v", err)
	}
	if err := q.Scan(`INSERT INTO server_values (name, value) VALUES ('c', '3') RETURNING name`, nil, &name); err == nil {
		t.Error("a reader wrote")
	}
}

// All connections must have come back, however the reads before ended, and none stays at an old commit.
func TestReadersComeBack(t *testing.T) {
	db, q := open(t)
	setValue(t, db, "a", "1")
	for range 2 * db.Readers().Size() {
		if err := q.Scan(`SELECT nonsense`, nil, new(int)); err == nil {
			t.Error("nonsense was read")
		}
		func() {
			defer func() { recover() }()
			q.Each(allValues, nil, func(func(...any) error) error { panic("row") })
		}()
	}
	setValue(t, db, "a", "2")
	for range db.Readers().Size() {
		var name, value string
		if err := q.Scan(oneValue, []any{"a"}, &name, &value); value != "2" {
			t.Errorf("%q, %v", value, err)
		}
	}
}

// An endless statement ends with its context.
func TestEachStopsWithItsContext(t *testing.T) {
	db, _ := open(t)
	ctx, cancel := context.WithCancel(t.Context())
	const endless = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n`
	q := engine.NewQuerier(ctx, db.Readers())
	err := q.Each(endless, nil, func(func(...any) error) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// What a part that fails has done is undone, alone, and parts may be nested; a broken unique constraint is told from
// other errors.
func TestTryUndoesItsPart(t *testing.T) {
	db, q := open(t)
	no := errors.New("no")
	err := db.Write(t.Context(), func(tx *engine.Transaction) error {
		if err := insertValue(tx, "before", "1"); err != nil {
			return err
		}
		err := tx.Try(func() error {
			if err := insertValue(tx, "outer", "1"); err != nil {
				return err
			}
			return tx.Try(func() error { return errors.Join(insertValue(tx, "inner", "1"), no) })
		})
		if !errors.Is(err, no) {
			t.Errorf("Try: %v", err)
		}
		err = tx.Try(func() error {
			_, err := tx.Exec(`INSERT INTO server_values (name, value) VALUES ('before', '2')`)
			return err
		})
		if !errors.As(err, new(engine.UniqueError)) {
			t.Errorf("a name in use: %v", err)
		}
		err = tx.Try(func() error { _, err := tx.Exec(`INSERT INTO server_values (name) VALUES ('null')`); return err })
		if err == nil || errors.As(err, new(engine.UniqueError)) {
			t.Errorf("a value that is missing: %v", err)
		}
		if tx.Lost() != nil {
			t.Errorf("lost: %v", tx.Lost())
		}
		return insertValue(tx, "after", "1")
	})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	if err := q.All(&names, `SELECT name FROM server_values ORDER BY name`); err != nil {
		t.Fatal(err)
	}
	if len(names) != 2 || names[0] != "after" || names[1] != "before" {
		t.Errorf("kept %v", names)
	}
}

// An error undoes the whole change; one that has ended never begins; a commit changes the version.
func TestWriteKeepsAllOrNothing(t *testing.T) {
	db, q := open(t)
	version := func() int64 {
		t.Helper()
		v, err := db.DataVersion()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	before := version()
	no := errors.New("no")
	err := db.Write(t.Context(), func(tx *engine.Transaction) error {
		if err := insertValue(tx, "a", "1"); err != nil {
			return err
		}
		return no
	})
	if err != no {
		t.Errorf("got %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := db.Write(ended, func(*engine.Transaction) error { t.Error("it began"); return nil }); err != context.Canceled {
		t.Errorf("a context that has ended: %v", err)
	}
	var names []string
	if err := q.All(&names, allValues); err != nil || len(names) != 0 {
		t.Errorf("kept %v, %v", names, err)
	}
	setValue(t, db, "a", "1")
	if after := version(); after == before {
		t.Error("a commit left the version as it was")
	}
	if still := version(); still != version() {
		t.Error("the version changes by itself")
	}
}

const between = `SELECT stretch, own FROM (
	SELECT 1 AS stretch, 10 AS own UNION ALL SELECT 5000000000, -20 UNION ALL SELECT 3, 30) x
	WHERE own BETWEEN ? AND ? ORDER BY own`

// One call reads the rows of several sets of parameters, of each set in the order of its answer, on a reader and in a
// transaction.
func TestIntegers(t *testing.T) {
	db, q := open(t)
	sets := [][]int64{{0, 100}, {50, 60}, {-20, 10}}
	const want = "[[[1 10] [3 30]] [] [[5000000000 -20] [1 10]]]"
	read := func(q *engine.Querier, query string, sets [][]int64) (string, error) {
		got := make([][][]int64, len(sets))
		err := q.Integers(query, sets, func(set int, values []int64) { got[set] = append(got[set], slices.Clone(values)) })
		return fmt.Sprint(got), err
	}
	if got, err := read(q, between, sets); err != nil || got != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
	if got, err := read(q, between, nil); err != nil || got != "[]" {
		t.Errorf("no sets: %s, %v", got, err)
	}
	for _, wrong := range []string{
		`SELECT CAST(NULL AS bigint) AS own WHERE 1 = ?`, `SELECT 'eight by' AS own WHERE 1 = ?`, `SELECT nonsense WHERE 1 = ?`,
	} {
		for range 2 * db.Readers().Size() { // all connections come back
			if got, err := read(q, wrong, [][]int64{{1}, {1}}); err == nil {
				t.Fatalf("%s was read: %s", wrong, got)
			}
		}
	}
	if got, err := read(q, between, sets[:1]); err != nil || got != "[[[1 10] [3 30]]]" {
		t.Errorf("after errors: %s, %v", got, err)
	}
	err := db.Write(t.Context(), func(tx *engine.Transaction) error {
		if err := tx.Later(`INSERT INTO server_values (name, value) VALUES ('a', '1')`); err != nil {
			return err
		}
		got, err := read(tx.Querier(), `SELECT COUNT(*) FROM server_values WHERE name = 'a' AND 1 = ?`, [][]int64{{1}, {2}})
		if got != "[[[1]] [[0]]]" {
			t.Errorf("in a transaction: %s", got)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// An endless answer ends with the context.
func TestIntegersStopWithTheirContext(t *testing.T) {
	db, _ := open(t)
	ctx, cancel := context.WithCancel(t.Context())
	const endless = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i > ?) SELECT i FROM n`
	q := engine.NewQuerier(ctx, db.Readers())
	err := q.Integers(endless, [][]int64{{0}}, func(int, []int64) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
