package sqlite

import (
	"fmt"
	"time"
)

const (
	lockWait = 10 * time.Second // for another process to finish writing
	lockPoll = 300 * time.Microsecond
)

// batch runs first and the jobs that wait behind it in one transaction, and answers them all.
func (w *writer) batch(first *job) {
	w.begin()
	if err := w.waitForLock(); err != nil {
		w.failed.Store(true)
		w.refuse(first, fmt.Errorf("store: can't begin to write: %w", err))
		return
	}
	var jobs []*job
	err := errExited
	defer func() {
		w.failed.Store(err != nil)
		if err != nil {
			w.rollback()
		}
		settle(jobs, err)
	}()
	for j := first; j != nil; j = w.next(len(jobs)) {
		if !j.state.CompareAndSwap(queued, begun) {
			continue
		}
		jobs = append(jobs, j)
		w.took(j)
		if lost := w.run(j); lost != nil {
			err = fmt.Errorf("store: the transaction was lost: %w", lost)
			return
		}
	}
	began := time.Now()
	if _, err = w.tx.Exec("COMMIT"); err != nil {
		err = fmt.Errorf("store: commit: %w", err)
		return
	}
	w.commits.Add(1)
	w.committed(began, len(w.queue))
}

// waitForLock begins the transaction. Another process that writes all the time releases the lock for only a few
// microseconds at a time. SQLite's own busy handler, which sleeps for up to 100 ms, could miss those for seconds.
func (w *writer) waitForLock() error {
	for deadline := time.Now().Add(w.lockWait); ; time.Sleep(lockPoll) {
		w.tx.Again()
		_, err := w.tx.Exec(begin)
		if err == nil || !isBusy(err) || time.Now().After(deadline) {
			return err
		}
	}
}

// run calls one job inside a savepoint. An error means that the transaction of the whole batch is lost; the job's own
// error is kept in the job.
func (w *writer) run(j *job) error {
	if _, err := w.tx.Exec("SAVEPOINT job"); err != nil {
		return err
	}
	j.call(w.tx, w.log)
	if lost := w.tx.Lost(); lost != nil {
		return lost
	}
	if j.err != nil {
		if _, err := w.tx.Exec("ROLLBACK TO job"); err != nil {
			return err
		}
	}
	_, err := w.tx.Exec("RELEASE job")
	return err
}

func (w *writer) rollback() {
	w.tx.Again()
	if _, err := w.tx.Exec("ROLLBACK"); err != nil {
		w.log.Debug("rollback", "error", err) // SQLite did it already
	}
}

// refuse answers first and the jobs that wait behind it with the error, because each of them would wait for the same
// lock.
func (w *writer) refuse(first *job, err error) {
	var jobs []*job
	for j := first; j != nil; j = w.next(len(jobs)) {
		if j.state.CompareAndSwap(queued, begun) {
			jobs = append(jobs, j)
		}
	}
	settle(jobs, err)
}

// settle answers the callers: a job's own error first, else the batch's.
func settle(jobs []*job, err error) {
	for _, j := range jobs {
		if j.err == nil {
			j.err = err
		}
		close(j.done)
	}
}
