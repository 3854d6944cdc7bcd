package store

import (
	"context"
	"database/sql"
	"errors"
	"testing"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
)

// setValue writes one row.
func setValue(t *testing.T, s *Store, name, value string) {
	t.Helper()
	if err := s.Write(t.Context(), func(t app.Tx) error { return t.(tx).SetServerValue(name, value) }); err != nil {
		t.Fatal(err)
	}
}

func TestQuerierReads(t *testing.T) {
	s := open(t)
	setValue(t, s, "a", "1")
	setValue(t, s, "b", "2")
	var row struct {
		Name  string `db:"name"`
		Value string `db:"value"`
	}
	const one, both = `SELECT name, value FROM server_values WHERE name = ?`, `SELECT name FROM server_values WHERE name IN ('a', 'b') ORDER BY name`
	if err := s.get(&row, one, "b"); err != nil || row.Value != "2" {
		t.Errorf("get: %v %v", row, err)
	}
	if err := s.scan(one, []any{"none"}, &row.Name, &row.Value); err != sql.ErrNoRows {
		t.Errorf("scan of no row: %v", err)
	}
	if err := s.get(&row, one, "none"); err != sql.ErrNoRows {
		t.Errorf("get of no row: %v", err)
	}
	var names []string
	err := s.each(both, nil, func(scan func(...any) error) error {
		var name string
		err := scan(&name)
		names = append(names, name)
		return err
	})
	if err != nil || len(names) != 2 {
		t.Errorf("each: %v %v", names, err)
	}
	stop := errors.New("stop")
	if err := s.each(both, nil, func(func(...any) error) error { return stop }); err != stop {
		t.Errorf("each: %v", err)
	}
	if _, err := s.exec(`INSERT INTO server_values (name, value) VALUES ('c', '3')`); err == nil {
		t.Error("a reader wrote")
	}
}

// All connections must have come back, however the reads before ended, and none stays at an old commit.
func TestReadersComeBack(t *testing.T) {
	s := open(t)
	setValue(t, s, "a", "1")
	for range 2 * cap(s.readers.free) {
		if err := s.get(new(int), `SELECT nonsense`); err == nil {
			t.Error("nonsense was read")
		}
		func() {
			defer func() { recover() }()
			s.each(`SELECT name FROM server_values`, nil, func(func(...any) error) error { panic("row") })
		}()
	}
	setValue(t, s, "a", "2")
	for range cap(s.readers.free) {
		if v, err := s.ServerValue("a"); v != "2" {
			t.Errorf("%q, %v", v, err)
		}
	}
}

// An endless statement ends with its context.
func TestEachStopsWithItsContext(t *testing.T) {
	s := open(t)
	ctx, cancel := context.WithCancel(t.Context())
	const endless = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n`
	if err := s.bound(ctx).each(endless, nil, func(func(...any) error) error { cancel(); return nil }); err != context.Canceled {
		t.Errorf("got %v", err)
	}
}

// A name in use is ErrTaken, whichever engine tells of it; other broken rules are not; and the transaction goes on.
func TestTakenIsToldByTheEngine(t *testing.T) {
	s := open(t)
	err := s.Write(t.Context(), func(t2 app.Tx) error {
		insert := func(id int, slug string) error {
			return t2.Try(func() error { return t2.InsertWorkspace(&catalog.Workspace{ID: catalog.WorkspaceID(id), Slug: slug}) })
		}
		if err := insert(1, "one"); err != nil {
			return err
		}
		for what, err := range map[string]error{"slug": insert(2, "one"), "id": insert(1, "two")} {
			if err != fault.ErrTaken {
				t.Errorf("%s in use: %v", what, err)
			}
		}
		err := t2.Try(func() error { return t2.InsertHost(&catalog.Host{ID: 1, WorkspaceID: 99, Email: "a@x.example"}) })
		if err == nil || err == fault.ErrTaken {
			t.Errorf("a host of no workspace: %v", err)
		}
		return insert(3, "three")
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.WorkspaceBySlug("three"); err != nil {
		t.Error(err)
	}
}

// asked counts who asks for the end of a context.
type asked struct {
	context.Context
	times *int
}

func (a asked) Done() <-chan struct{} {
	*a.times++
	return a.Context.Done()
}

// A request's context makes a timer for the first who asks for its end. A read of one row, for which a connection is
// free, doesn't; one of many rows does, or it wouldn't know of the deadline.
func TestReaderAsksForTheEnd(t *testing.T) {
	s := open(t)
	times := 0
	r := s.bound(asked{t.Context(), &times})
	if _, err := r.Workspace(1); !errors.Is(err, fault.ErrNotFound) || times != 0 {
		t.Errorf("one row: %v, asked %d times", err, times)
	}
	if _, err := r.Workspaces(10); err != nil || times == 0 {
		t.Errorf("many rows: %v, asked %d times", err, times)
	}
}

// get scans the only, or first, row into dest, a struct or a scalar. No row is sql.ErrNoRows.
func (q *querier) get(dest any, query string, args ...any) error {
	s, err := q.take()
	if err != nil {
		return err
	}
	defer q.give(s)
	st, err := s.prepared(query)
	if err != nil {
		return q.note(s, err)
	}
	return q.note(s, st.Get(dest, args...))
}
