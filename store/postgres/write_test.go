package postgres_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app/fault"
	"daybook/store/engine"
	"daybook/store/pgtest"
	"daybook/store/postgres"
)

const insertValue = `INSERT INTO server_values (name, value) VALUES (?, ?)`

func value(t *testing.T, db *postgres.DB, name string) (text string) {
	t.Helper()
	err := engine.NewQuerier(t.Context(), db.Readers()).Scan(`SELECT COALESCE(MAX(value), '') FROM server_values WHERE name = ?`, []any{name}, &text)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Two changes that wait for each other both end well: the one that the server undoes is run again.
func TestContestDeadlockIsRunAgain(t *testing.T) {
	db := open(t, postgres.Options{Serving: true})
	for _, name := range []string{"a", "b"} {
		if err := db.Write(t.Context(), func(tx *engine.Transaction) error { _, err := tx.Exec(insertValue, name, ""); return err }); err != nil {
			t.Fatal(err)
		}
	}
	add := func(tx *engine.Transaction, name string) error {
		_, err := tx.Exec(`UPDATE server_values SET value = value || 'x' WHERE name = ?`, name)
		return err
	}
	var both sync.WaitGroup
	both.Add(2)
	var mu sync.Mutex
	runs := 0
	errs := make(chan error)
	for _, order := range [][]string{{"a", "b"}, {"b", "a"}} {
		var met sync.Once
		go func() {
			errs <- db.Write(t.Context(), func(tx *engine.Transaction) error {
				mu.Lock()
				runs++
				mu.Unlock()
				if err := add(tx, order[0]); err != nil {
					return err
				}
				met.Do(func() { both.Done(); both.Wait() }) // each holds its first row
				return add(tx, order[1])
			})
		}()
	}
	for range 2 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if a, b := value(t, db, "a"), value(t, db, "b"); a != "xx" || b != "xx" || runs < 3 {
		t.Errorf("a %q, b %q after %d runs", a, b, runs)
	}
}

// An id that is in use already is made again, by running the change again; a name that is taken is an error.
func TestSameIDIsRunAgain(t *testing.T) {
	db := open(t, postgres.Options{})
	runs := 0
	for i, ids := range [][]int{{1}, {1, 2}} {
		runs = 0
		err := db.Write(t.Context(), func(tx *engine.Transaction) error {
			id := ids[min(runs, len(ids)-1)]
			runs++
			_, err := tx.Exec(`INSERT INTO users (id, workspace_id, email_key, email, role, password_hash, created_ms) VALUES (?, 1, ?, '', '', '', 0)`,
				id, fmt.Sprint("user", i))
			return err
		})
		if err != nil || runs != len(ids) {
			t.Errorf("%v: %d runs, %v", ids, runs, err)
		}
	}
	err := db.Write(t.Context(), func(tx *engine.Transaction) error {
		_, err := tx.Exec(`INSERT INTO users (id, workspace_id, email_key, email, role, password_hash, created_ms) VALUES (9, 1, 'user0', '', '', '', 0)`)
		return err
	})
	if !errors.As(err, new(engine.UniqueError)) {
		t.Errorf("a name that is taken: %v", err)
	}
}

// What a change says to have met another one is run again a few times, and then told.
func TestErrMet(t *testing.T) {
	db := open(t, postgres.Options{})
	for _, wins := range []int{3, 1000} {
		runs := 0
		err := db.Write(t.Context(), func(*engine.Transaction) error {
			if runs++; runs < wins {
				return fmt.Errorf("%w: at %d", engine.ErrMet, runs)
			}
			return nil
		})
		if wins == 3 && (err != nil || runs != 3) || wins > 3 && (!errors.Is(err, engine.ErrMet) || runs > 20) {
			t.Errorf("%d runs, %v", runs, err)
		}
	}
}

// A statement that failed, and was not undone by Try, undoes the change, whatever the change says.
func TestFailedStatementIsNotKept(t *testing.T) {
	db := open(t, postgres.Options{})
	err := db.Write(t.Context(), func(tx *engine.Transaction) error {
		if _, err := tx.Exec(insertValue, "kept", "1"); err != nil {
			return err
		}
		tx.Exec(insertValue, "kept", "2") // and its error is ignored
		return nil
	})
	if err == nil || value(t, db, "kept") != "" {
		t.Errorf("got %v, and kept %q", err, value(t, db, "kept"))
	}
	err = db.Write(t.Context(), func(tx *engine.Transaction) error {
		if _, err := tx.Exec(insertValue, "kept", "1"); err != nil {
			return err
		}
		if err := tx.Try(func() error { _, err := tx.Exec(insertValue, "kept", "2"); return err }); err == nil {
			t.Error("taken twice")
		}
		return nil
	})
	if err != nil || value(t, db, "kept") != "1" {
		t.Errorf("with Try: %v, %q", err, value(t, db, "kept"))
	}
}

// A panic undoes the change and goes on in the caller; the connection is used again.
func TestPanicIsUndone(t *testing.T) {
	db := open(t, postgres.Options{Connections: 1})
	func() {
		defer func() {
			if v := recover(); v != "oh" {
				t.Error(v)
			}
		}()
		db.Write(t.Context(), func(tx *engine.Transaction) error {
			tx.Exec(insertValue, "x", "1")
			panic("oh")
		})
	}()
	if err := db.Write(t.Context(), func(*engine.Transaction) error { return nil }); err != nil || value(t, db, "x") != "" {
		t.Errorf("%v, %q", err, value(t, db, "x"))
	}
}

// A reader's statement ends with its context, and its connection is good for the next.
func TestReadEndsWithItsContext(t *testing.T) {
	db := open(t, postgres.Options{Connections: 1})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	began := time.Now()
	err := engine.NewQuerier(ctx, db.Readers()).Scan(`SELECT 1 FROM pg_sleep(20)`, nil, new(int))
	if took := time.Since(began); err == nil || took > 5*time.Second {
		t.Errorf("got %v after %s", err, took)
	}
	if got := value(t, db, "x"); got != "" {
		t.Error(got)
	}
}

// A server that has no room, or is short of memory, for a statement or for the commit, did nothing and may be asked again
// in a moment. The log tells of a full disk once.
func TestFullDisk(t *testing.T) {
	var log bytes.Buffer
	db := open(t, postgres.Options{Serving: true, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	run := func(statement string) {
		t.Helper()
		if err := db.Write(t.Context(), func(tx *engine.Transaction) error { _, err := tx.Exec(statement); return err }); err != nil {
			t.Fatal(err)
		}
	}
	for _, code := range []string{"53100", "53200"} {
		run(`CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
			'BEGIN RAISE EXCEPTION ''no room left on device'' USING ERRCODE = ''` + code + `''; END'`)
		for name, trigger := range map[string]string{
			"statement": `CREATE TRIGGER refuse BEFORE INSERT ON server_values FOR EACH ROW EXECUTE FUNCTION refuse()`,
			"commit": `CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON server_values DEFERRABLE INITIALLY DEFERRED
				FOR EACH ROW EXECUTE FUNCTION refuse()`,
		} {
			run(trigger)
			for range 3 {
				err := db.Write(t.Context(), func(tx *engine.Transaction) error { _, err := tx.Exec(insertValue, name, name); return err })
				if e := fault.As(err); e == nil || e.Code != fault.Unavailable || e.Reason != "database" ||
					e.Details["retryAfter"] == nil || strings.Contains(e.Error(), "device") {
					t.Errorf("%s at the %s: %v, told as %v", code, name, err, e)
				}
			}
			run(`DROP TRIGGER refuse ON server_values`)
			if value(t, db, name) != "" {
				t.Errorf("%s at the %s: it was saved", code, name)
			}
		}
	}
	if n := strings.Count(log.String(), "no room left"); n != 1 || !strings.Contains(log.String(), "level=ERROR") {
		t.Errorf("%d lines: %s", n, &log)
	}
	if err := db.CheckWritable(t.Context()); err != nil {
		t.Error(err)
	}
}

// Reads can't write.
func TestReadersOnlyRead(t *testing.T) {
	db := open(t, postgres.Options{})
	err := engine.NewQuerier(t.Context(), db.Readers()).Scan(`INSERT INTO server_values (name, value) VALUES ('a', 'b') RETURNING 1`, nil, new(int))
	if err == nil {
		t.Error("written")
	}
}

// While the server is away, reads and writes fail and say so; once it is back they work, and nothing that was held in
// memory in between is trusted.
func TestServerRestarts(t *testing.T) {
	pgtest.Shared(t) // skips where there is no PostgreSQL
	server, err := pgtest.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Remove() })
	db := open(t, postgres.Options{URL: server.URL("postgres"), Serving: true})
	write := func(name string) error {
		return db.Write(t.Context(), func(tx *engine.Transaction) error { _, err := tx.Exec(insertValue, name, name); return err })
	}
	if err := write("before"); err != nil {
		t.Fatal(err)
	}
	if err := server.Stop(); err != nil {
		t.Fatal(err)
	}
	if err := write("away"); !errors.Is(err, engine.ErrUnwritable) {
		t.Errorf("a write while it is away: %v", err)
	}
	if err := db.CheckWritable(t.Context()); !errors.Is(err, engine.ErrUnwritable) {
		t.Errorf("the check while it is away: %v", err)
	}
	for range 2 { // the second call finds no deafness by luck
		a, _ := db.DataVersion()
		b, _ := db.DataVersion()
		if a == b {
			t.Error("something held in memory is trusted while the server is away")
		}
	}
	if err := server.Run(); err != nil {
		t.Fatal(err)
	}
	for i := range 20 { // each connection
		if err := write(fmt.Sprint("after", i)); err != nil {
			t.Errorf("write %d: %v", i, err)
		}
		value(t, db, "before")
	}
	if got := value(t, db, "away"); got != "" {
		t.Error("what failed is there")
	}
	settled(t, db)
}

// settled waits until the engine hears again.
func settled(t *testing.T, db *postgres.DB) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		a, _ := db.DataVersion()
		if b, _ := db.DataVersion(); a == b {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("it doesn't listen again")
		}
	}
}
