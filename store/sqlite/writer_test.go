package sqlite

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"

	sqlite3 "modernc.org/sqlite/lib"

	"daybook/app/fault"
	"daybook/store/engine"
)

// inOneBatch makes the functions one batch, by letting them queue up behind a write that waits for them.
// It returns their errors, a panic's value among them.
func inOneBatch(t *testing.T, db *DB, fns ...func(*engine.Transaction) error) []error {
	t.Helper()
	release := hold(t, db)
	errs := make([]error, len(fns))
	var wg sync.WaitGroup
	for i, fn := range fns {
		wg.Go(func() {
			defer func() {
				if v := recover(); v != nil {
					errs[i] = fmt.Errorf("panic: %v", v)
				}
			}()
			errs[i] = db.Write(context.Background(), fn)
		})
		for len(db.writer.queue) <= i {
			runtime.Gosched()
		}
	}
	release()
	wg.Wait()
	return errs
}

// hold keeps the writer busy until the returned function is called.
func hold(t *testing.T, db *DB) (release func()) {
	t.Helper()
	begun, free, done := make(chan bool), make(chan bool), make(chan error)
	began := sync.OnceFunc(func() { close(begun) }) // a batch may run again
	go func() {
		done <- db.Write(context.Background(), func(*engine.Transaction) error { began(); <-free; return nil })
	}()
	<-begun
	return func() { close(free); <-done }
}

func TestWriteKeepsErrorsApart(t *testing.T) {
	db := openTest(t)
	wrong := errors.New("wrong")
	before := db.writer.commits.Load()
	errs := inOneBatch(t, db,
		func(q *engine.Transaction) error { return addHost(q, "a") },
		func(q *engine.Transaction) error { addHost(q, "b"); return wrong },
		func(q *engine.Transaction) error { addHost(q, "c"); panic("oh") },
		func(q *engine.Transaction) error { return addHost(q, "a") },
		func(q *engine.Transaction) error { return addHost(q, "d") },
	)
	if errs[0] != nil || errs[1] != wrong || fmt.Sprint(errs[2]) != "panic: oh" || !isUnique(errs[3]) || errs[4] != nil {
		t.Errorf("errors: %v", errs)
	}
	if n := db.writer.commits.Load() - before; n != 1 {
		t.Errorf("%d commits, want one for all", n)
	}
	wantHosts(t, db, "a", "d")
}

// A job that fails without a change costs the others nothing; after one that changed something the batch runs again, and
// for a while each job has a savepoint. Either way only that job is undone.
func TestWriteRunsABatchAgainForWhatItMustUndo(t *testing.T) {
	db := openTest(t)
	mustAddHost(t, db, "a")
	wrong := errors.New("wrong")
	fail := func(q *engine.Transaction) error {
		var n int
		if err := q.Scan("SELECT COUNT(*) FROM host WHERE id = 'a'", nil, &n); err != nil || n != 1 {
			return fmt.Errorf("%d hosts named a: %w", n, err)
		}
		return wrong
	}
	failLate := func(q *engine.Transaction) error { return errors.Join(addHost(q, "late"), fail(q)) }
	undone := func(q *engine.Transaction) error {
		return q.Try(func() error { return errors.Join(addHost(q, "part"), wrong) })
	}
	none := func(q *engine.Transaction) error {
		n, err := q.Exec("UPDATE host SET id = 'b' WHERE id = 'nobody'")
		return errors.Join(fmt.Errorf("%d rows: %w", n, wrong), err)
	}
	// Which is a write by a query, so it counts as one.
	returned := func(q *engine.Transaction) error {
		var id string
		err := q.Scan("DELETE FROM host WHERE id = 'a' RETURNING id", nil, &id)
		return errors.Join(wrong, err)
	}
	for _, c := range []struct {
		name  string
		fail  func(*engine.Transaction) error
		again bool
	}{{"unwritten", fail, false}, {"undone part", undone, false}, {"no row", none, false}, {"written", failLate, true},
		{"in savepoints", failLate, false}, {"returned", returned, true}} {
		if c.name != "in savepoints" {
			db.writer.apart = 0 // no batch is under way
		}
		runs := make([]int, 3)
		count := func(i int, fn func(*engine.Transaction) error) func(*engine.Transaction) error {
			return func(q *engine.Transaction) error { runs[i]++; return fn(q) }
		}
		errs := inOneBatch(t, db,
			count(0, func(q *engine.Transaction) error { return addHost(q, c.name+" before") }), count(1, c.fail),
			count(2, func(q *engine.Transaction) error { return addHost(q, c.name+" after") }))
		if errs[0] != nil || !errors.Is(errs[1], wrong) || errs[2] != nil {
			t.Errorf("%s: errors %v", c.name, errs)
		}
		if want := map[bool]int{false: 1, true: 2}[c.again]; runs[0] != want || runs[1] != want || runs[2] != 1 {
			t.Errorf("%s: runs %v, again is %v", c.name, runs, c.again)
		}
	}
	wantHosts(t, db, "a", "in savepoints after", "in savepoints before", "no row after", "no row before",
		"returned after", "returned before", "undone part after", "undone part before", "unwritten after",
		"unwritten before", "written after", "written before")
}

// Who watches a transaction sees its own change only, and parts that are undone take their watchers with them.
func TestWriteIsWatchedByItsOwn(t *testing.T) {
	db := openTest(t)
	var seen *[]any
	errs := inOneBatch(t, db,
		func(q *engine.Transaction) error {
			seen = q.Watch()
			q.Show("mine")
			undone := errors.New("undone")
			if err := q.Try(func() error {
				q.Watch()
				q.Show("undone")
				return undone
			}); err != undone {
				return fmt.Errorf("the part: %w", err)
			}
			q.Show("mine, too")
			return addHost(q, "a")
		},
		func(q *engine.Transaction) error { q.Show("another's"); return addHost(q, "b") },
	)
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(*seen) != "[mine mine, too]" {
		t.Errorf("seen: %v", *seen)
	}
}

func TestWriteWithdrawsWhileQueued(t *testing.T) {
	db := openTest(t)
	release := hold(t, db)
	ctx, cancel := context.WithCancel(t.Context())
	got := make(chan error)
	go func() { got <- db.Write(ctx, func(q *engine.Transaction) error { return addHost(q, "never") }) }()
	for len(db.writer.queue) == 0 {
		runtime.Gosched()
	}
	cancel()
	if err := <-got; err != context.Canceled {
		t.Errorf("got %v", err)
	}
	release()
	mustAddHost(t, db, "after")
	wantHosts(t, db, "after")
}

func TestWriteAwaitsTheOutcomeOnceBegun(t *testing.T) {
	db := openTest(t)
	ctx, cancel := context.WithCancel(t.Context())
	err := db.Write(ctx, func(q *engine.Transaction) error {
		cancel()
		return addHost(q, "a")
	})
	if err != nil {
		t.Errorf("got %v", err)
	}
	wantHosts(t, db, "a")
}

// A deferred foreign key breaks at COMMIT, whoever's it was: all of the batch are told, none is kept.
func TestWriteTellsAllWhenTheCommitFails(t *testing.T) {
	db := openTest(t)
	errs := inOneBatch(t, db,
		func(q *engine.Transaction) error { return addHost(q, "a") },
		func(q *engine.Transaction) error {
			_, err := q.Exec(`INSERT INTO outbox (booking_id, payload) VALUES ('missing', '')`)
			return err
		},
		func(q *engine.Transaction) error { return addHost(q, "b") },
	)
	for i, err := range errs {
		if !hasCode(err, sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY) {
			t.Errorf("%d: got %v", i, err)
		}
	}
	wantHosts(t, db)
	mustAddHost(t, db, "c")
	wantHosts(t, db, "c")
}

// A full disk may undo the transaction under the running functions; what they go on to do must not commit by itself.
func TestWriteStopsWhenTheTransactionIsLost(t *testing.T) {
	db := openTest(t)
	if err := db.Write(t.Context(), func(q *engine.Transaction) error {
		var limit int
		return q.Scan(`PRAGMA max_page_count = 40`, nil, &limit)
	}); err != nil {
		t.Fatal(err)
	}
	errs := inOneBatch(t, db,
		func(q *engine.Transaction) error { return addHost(q, "a") },
		func(q *engine.Transaction) error {
			q.Exec(`INSERT INTO host (id) VALUES (hex(randomblob(500000)))`) // fails, and is ignored
			return addHost(q, "b")
		},
	)
	if !isFull(errs[0]) || !isFull(errs[1]) {
		t.Errorf("errors: %v", errs)
	}
	wantHosts(t, db)
	mustAddHost(t, db, "c")
	wantHosts(t, db, "c")
}

// t.FailNow inside a write ends the writer's goroutine; the next one takes over.
func TestWriteSurvivesGoexit(t *testing.T) {
	db := openTest(t)
	err := db.Write(t.Context(), func(q *engine.Transaction) error {
		addHost(q, "a")
		runtime.Goexit()
		return nil
	})
	if err != errExited {
		t.Errorf("got %v", err)
	}
	mustAddHost(t, db, "b")
	wantHosts(t, db, "b")
}

func TestWriteRefusesBeyondTheQueue(t *testing.T) {
	db := openTest(t)
	release := hold(t, db)
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for range maxQueue {
		wg.Go(func() { db.Write(ctx, func(*engine.Transaction) error { return nil }) })
	}
	for len(db.writer.queue) < maxQueue {
		runtime.Gosched()
	}
	if err := db.Write(t.Context(), func(*engine.Transaction) error { return nil }); !errors.Is(err, engine.ErrOverloaded) || !fault.Is(err, fault.Unavailable) {
		t.Errorf("got %v", err)
	}
	cancel()
	release()
	wg.Wait()
}

// Another connection that holds the lock makes the waiting writes fail; the writer goes on.
func TestWriteReportsALockHeldElsewhere(t *testing.T) {
	db := openTest(t)
	db.writer.lockWait = 0
	conn, err := db.side.Connx(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(t.Context(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	if err := db.Write(t.Context(), func(q *engine.Transaction) error { return addHost(q, "a") }); !isBusy(err) {
		t.Errorf("got %v", err)
	}
	if _, err := conn.ExecContext(t.Context(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	mustAddHost(t, db, "b")
	wantHosts(t, db, "b")
}

func TestWriteFromMany(t *testing.T) {
	db := openTest(t)
	mustAddHost(t, db, "h")
	var wg sync.WaitGroup
	for range 32 {
		wg.Go(func() {
			for range 25 {
				err := db.Write(context.Background(), func(q *engine.Transaction) error {
					var n int
					if err := q.Scan(`SELECT revision FROM host WHERE id = ?`, []any{"h"}, &n); err != nil {
						return err
					}
					_, err := q.Exec(`UPDATE host SET revision = ? WHERE id = ?`, n+1, "h")
					return err
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	var n int
	if err := db.side.Get(&n, `SELECT revision FROM host WHERE id = ?`, "h"); err != nil || n != 800 {
		t.Errorf("counted %d of 800 (%v)", n, err)
	}
}

func TestCloseEndsWhatWasBegun(t *testing.T) {
	db := openTest(t)
	release := hold(t, db)
	got := make(chan error)
	go func() {
		got <- db.Write(context.Background(), func(q *engine.Transaction) error { return addHost(q, "a") })
	}()
	for len(db.writer.queue) == 0 {
		runtime.Gosched()
	}
	closed := make(chan error)
	go func() { closed <- db.Close() }()
	release()
	if err := <-got; err != nil {
		t.Error(err)
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
	if err := db.Write(t.Context(), func(*engine.Transaction) error { return nil }); !errors.Is(err, engine.ErrClosed) {
		t.Errorf("write after Close: %v", err)
	}
	if _, err := db.readers.Take(t.Context()); !errors.Is(err, engine.ErrClosed) {
		t.Errorf("view after Close: %v", err)
	}
	wantHosts(t, reopen(t, db.o), "a")
}
