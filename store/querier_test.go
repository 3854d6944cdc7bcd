package store

import (
	"context"
	"database/sql"
	"errors"
	"testing"
)

func TestQuerierReads(t *testing.T) {
	db := openTest(t)
	mustAddHost(t, db, "a")
	mustAddHost(t, db, "b")
	var row struct {
		ID       string `db:"id"`
		Revision int    `db:"revision"`
	}
	if err := db.reader().get(&row, `SELECT id, revision FROM host WHERE id = ?`, "b"); err != nil || row.ID != "b" {
		t.Errorf("get: %v %v", row, err)
	}
	var id string
	if err := db.reader().scan(`SELECT id FROM host WHERE id = ?`, []any{"none"}, &id); err != sql.ErrNoRows {
		t.Errorf("scan of no row: %v", err)
	}
	if err := db.reader().get(&id, `SELECT id FROM host WHERE id = ?`, "none"); err != sql.ErrNoRows {
		t.Errorf("get of no row: %v", err)
	}
	var ids []string
	err := db.reader().each(`SELECT id FROM host ORDER BY id`, nil, func(scan func(...any) error) error {
		var id string
		err := scan(&id)
		ids = append(ids, id)
		return err
	})
	if err != nil || len(ids) != 2 {
		t.Errorf("each: %v %v", ids, err)
	}
	stop := errors.New("stop")
	if err := db.reader().each(`SELECT id FROM host`, nil, func(func(...any) error) error { return stop }); err != stop {
		t.Errorf("each: %v", err)
	}
	if _, err := db.reader().exec(`INSERT INTO host (id) VALUES ('c')`); err == nil {
		t.Error("a reader wrote")
	}
}

// All connections must have come back, however the reads before ended.
func TestReadersComeBack(t *testing.T) {
	db := openTest(t, func(o *Options) { o.Readers = 1 })
	mustAddHost(t, db, "a")
	db.reader().get(new(int), `SELECT nonsense`)
	db.view(t.Context(), func(*querier) error { return errors.New("no") })
	func() {
		defer func() { recover() }()
		db.view(t.Context(), func(q *querier) error {
			return q.each(`SELECT id FROM host`, nil, func(func(...any) error) error { panic("row") })
		})
	}()
	wantHosts(t, db, "a")
	mustAddHost(t, db, "b")
	wantHosts(t, db, "a", "b") // not stuck in the old snapshot
}

func TestViewSeesOneCommit(t *testing.T) {
	db := openTest(t)
	mustAddHost(t, db, "a")
	err := db.view(t.Context(), func(q *querier) error {
		count := func() (n int) {
			if err := q.get(&n, `SELECT count(*) FROM host`); err != nil {
				t.Error(err)
			}
			return n
		}
		before := count()
		mustAddHost(t, db, "b")
		if after := count(); after != before {
			t.Errorf("saw %d hosts, then %d", before, after)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestViewStopsWithItsContext(t *testing.T) {
	db := openTest(t, func(o *Options) { o.Readers = 1 })
	ctx, cancel := context.WithCancel(t.Context())
	err := db.view(ctx, func(q *querier) error {
		if err := db.view(canceled(), func(*querier) error { return nil }); err != context.Canceled {
			t.Errorf("waiting for a connection: %v", err)
		}
		endless := `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n`
		return q.each(endless, nil, func(func(...any) error) error { cancel(); return nil })
	})
	if err != context.Canceled {
		t.Errorf("got %v", err)
	}
}

func canceled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

func TestDataVersionChangesWithEveryCommit(t *testing.T) {
	db := openTest(t)
	other := reopen(t, db.o)
	last := int64(-1)
	expect := func(change bool, what string) {
		t.Helper()
		v, err := db.DataVersion()
		if err != nil {
			t.Fatal(err)
		}
		if (v != last) != change {
			t.Errorf("%s: %d → %d", what, last, v)
		}
		last = v
	}
	expect(true, "first")
	expect(false, "nothing happened")
	hosts(t, db)
	expect(false, "a read")
	mustAddHost(t, db, "a")
	expect(true, "a write here")
	mustAddHost(t, other, "b")
	expect(true, "a write elsewhere")
	db.write(t.Context(), func(q *querier) error { return addHost(q, "a") })
	expect(false, "a write that failed")
}
