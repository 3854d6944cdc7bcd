package sqlite

import (
	"errors"
	"fmt"
	"time"

	"daybook/store/engine"
)

const (
	lockWait = 10 * time.Second // for another process to finish writing
	lockPoll = 300 * time.Microsecond
)

// apartFor is for how many batches each job has a savepoint after a batch that had to be run again.
const apartFor = 64

// errAgain means that a job failed after it had changed something, and had no savepoint.
var errAgain = errors.New("store: a write failed and must be undone alone")

// batch runs first and the jobs that wait behind it in one transaction, and answers them all. A savepoint for each job
// costs a tenth of a small one, with the copies of the pages that it changes, and most that fail have changed nothing.
// So jobs have none until one fails that did change something: the whole batch is then undone and run again with them.
func (w *writer) batch(first *job) {
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
		w.settle(jobs, err)
	}()
	for j := first; j != nil; j = w.next(len(jobs)) {
		if !j.state.CompareAndSwap(queued, begun) {
			continue
		}
		jobs = append(jobs, j)
		lost := w.run(j)
		if lost == errAgain {
			lost = w.again(jobs)
		}
		if lost != nil {
			err = fmt.Errorf("store: the transaction was lost: %w", lost)
			return
		}
	}
	w.apart = max(0, w.apart-1)
	if _, err = w.tx.Exec("COMMIT"); err != nil {
		err = fmt.Errorf("store: commit: %w", err)
		return
	}
	w.commits.Add(1)
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

// again undoes what the batch has done and runs its jobs again, each in a savepoint, but for those that panicked.
func (w *writer) again(jobs []*job) error {
	w.apart = apartFor
	w.rollback()
	if err := w.waitForLock(); err != nil {
		return err
	}
	for _, j := range jobs {
		if j.panicked != nil {
			continue
		}
		if lost := w.run(j); lost != nil {
			return lost
		}
	}
	return nil
}

// run calls one job, inside a savepoint while w.apart says so. An error means that the transaction of the whole batch
// is lost, or, errAgain, that it must be run again; the job's own error is kept in the job.
func (w *writer) run(j *job) error {
	w.tx.Next()
	if w.apart == 0 {
		j.call(w.tx, w.log)
		if lost := w.tx.Lost(); lost != nil {
			return lost
		}
		if j.err != nil && w.tx.Wrote() {
			return errAgain
		}
		return nil
	}
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
	w.settle(jobs, err)
}

// settle answers the callers: a job's own error first, else the batch's.
func (w *writer) settle(jobs []*job, err error) {
	for _, j := range jobs {
		if j.err == nil {
			j.err = err
		}
		switch { // the batch was undone, and it may go well soon
		case j.err == nil:
		case isFull(j.err):
			j.err = w.full.Unavailable(j.err, w.log)
		case w.session.Away(j.err):
			j.err = engine.Unavailable(j.err)
		}
		close(j.done)
	}
}
