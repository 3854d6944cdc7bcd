package sqlite

import (
	"errors"
	"runtime"
	"slices"
	"testing"

	"daybook/store/engine"
)

// What nobody waits for is committed with what others write.
func TestWriteAlongSharesACommit(t *testing.T) {
	db := openTest(t)
	release := hold(t, db)
	before, errs := db.writer.commits.Load(), make(chan error)
	go func() {
		errs <- db.WriteAlong(t.Context(), func(q *engine.Transaction) error { return addHost(q, "along") })
	}()
	go func() {
		errs <- db.Write(t.Context(), func(q *engine.Transaction) error { return addHost(q, "other") })
	}()
	for len(db.writer.along) == 0 || len(db.writer.queue) == 0 {
		runtime.Gosched()
	}
	release()
	for range 2 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if n := db.writer.commits.Load() - before; n != 1 { // with the one that held them up
		t.Errorf("%d commits, want one", n)
	}
	wantHosts(t, db, "along", "other")
}

// What is queued to be written along is written before Close returns.
func TestCloseWritesWhatIsAlong(t *testing.T) {
	db := openTest(t)
	mustAddHost(t, db, "a")
	done := make(chan error)
	go func() {
		done <- db.WriteAlong(t.Context(), func(q *engine.Transaction) error { return addHost(q, "b") })
	}()
	runtime.Gosched() // it is queued, taken, or comes too late: each is answered
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	switch err := <-done; {
	case err == nil:
		wantHosts(t, reopen(t, db.o), "a", "b")
	case errors.Is(err, engine.ErrClosed):
		wantHosts(t, reopen(t, db.o), "a")
	default:
		t.Error(err)
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
