package store

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
)

// inOneBatch makes the functions one batch, by letting them queue up behind a write that waits for them.
// It returns their errors, a panic's value among them.
func inOneBatch(t *testing.T, db *DB, fns ...func(*querier) error) []error {
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
			errs[i] = db.write(context.Background(), fn)
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
	go func() {
		done <- db.write(context.Background(), func(*querier) error { close(begun); <-free; return nil })
	}()
	<-begun
	return func() { close(free); <-done }
}

func TestWriteKeepsErrorsApart(t *testing.T) {
	db := openTest(t)
	wrong := errors.New("wrong")
	before := db.writer.commits.Load()
	errs := inOneBatch(t, db,
		func(q *querier) error { return addHost(q, "a") },
		func(q *querier) error { addHost(q, "b"); return wrong },
		func(q *querier) error { addHost(q, "c"); panic("oh") },
		func(q *querier) error { return addHost(q, "a") },
		func(q *querier) error { return addHost(q, "d") },
	)
	if errs[0] != nil || errs[1] != wrong || fmt.Sprint(errs[2]) != "panic: oh" || !isUnique(errs[3]) || errs[4] != nil {
		t.Errorf("errors: %v", errs)
	}
	if n := db.writer.commits.Load() - before; n != 1 {
		t.Errorf("%d commits, want one for all", n)
	}
	wantHosts(t, db, "a", "d")
}
