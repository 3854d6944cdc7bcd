package sqlite

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"daybook/store/engine"
)

// While others write, what nobody waits for makes no commit of its own.
func TestWriteAlongSharesACommit(t *testing.T) {
	db := openTest(t)
	mustAddHost(t, db, "0")
	w := db.writer
	w.busy, w.busyGap, w.alongWait = true, time.Hour, time.Hour
	before, done := w.commits.Load(), make(chan error)
	go func() {
		done <- db.WriteAlong(t.Context(), func(q *engine.Transaction) error { return addHost(q, "along") })
	}()
	for n := int64(1); ; n++ {
		mustAddHost(t, db, fmt.Sprint(n))
		select {
		case err := <-done:
			if err != nil {
				t.Error(err)
			}
			if commits := w.commits.Load() - before; commits != n {
				t.Errorf("%d commits, want %d", commits, n)
			}
			return
		default:
		}
	}
}

func TestWriteAlongWaitsForNobodyWhileNobodyWrites(t *testing.T) {
	db := openTest(t)
	db.writer.alongWait = time.Hour
	mustAddHost(t, db, "a")
	if err := db.WriteAlong(t.Context(), func(q *engine.Transaction) error { return addHost(q, "b") }); err != nil {
		t.Error(err)
	}
	wantHosts(t, db, "a", "b")
}

// What is queued to be written along is written before Close returns.
func TestCloseWritesWhatIsAlong(t *testing.T) {
	db := openTest(t)
	mustAddHost(t, db, "a")
	w := db.writer
	w.busy, w.busyGap, w.alongWait = true, time.Hour, time.Hour
	done := make(chan error)
	go func() {
		done <- db.WriteAlong(t.Context(), func(q *engine.Transaction) error { return addHost(q, "b") })
	}()
	runtime.Gosched() // it is queued, taken, or comes too late: each is answered
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	switch err := <-done; err {
	case nil:
		wantHosts(t, reopen(t, db.o), "a", "b")
	case engine.ErrClosed:
		wantHosts(t, reopen(t, db.o), "a")
	default:
		t.Error(err)
	}
}

// Those who were answered together share a commit again, although each comes when the one before has been run.
func TestBatchWaitsForAsManyAsBefore(t *testing.T) {
	db := openTest(t)
	nothing := func(*engine.Transaction) error { return nil }
	inOneBatch(t, db, nothing, nothing) // and the one that held them up
	w := db.writer
	w.usual, w.gatherMax = time.Hour, time.Hour
	before, errs := w.commits.Load(), make(chan error)
	for i := range 3 {
		begun := make(chan bool)
		go func() {
			errs <- db.Write(t.Context(), func(q *engine.Transaction) error {
				close(begun)
				return addHost(q, fmt.Sprint(i))
			})
		}()
		<-begun
	}
	for range 3 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if n := w.commits.Load() - before; n != 1 {
		t.Errorf("%d commits, want one", n)
	}
}

// However many others wait, every eighth job of a batch is one of what is written along.
func TestWriteAlongIsNotStarved(t *testing.T) {
	db := openTest(t)
	release := hold(t, db)
	var order []string
	errs := make(chan error)
	note := func(name string) func(*engine.Transaction) error {
		return func(*engine.Transaction) error { order = append(order, name); return nil }
	}
	go func() { errs <- db.WriteAlong(t.Context(), note("along")) }()
	for len(db.writer.along) == 0 {
		runtime.Gosched()
	}
	const others = 3 * alongShare
	for i := range others {
		go func() { errs <- db.Write(t.Context(), note("other")) }()
		for len(db.writer.queue) <= i {
			runtime.Gosched()
		}
	}
	release()
	for range others + 1 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if at := slices.Index(order, "along"); at >= alongShare {
		t.Errorf("%d others came first", at)
	}
}
