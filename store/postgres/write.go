package postgres

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"daybook/app/fault"
	"daybook/store/engine"
)

const (
	maxWaiting = 4096
	maxRuns    = 12 // of one change; the pauses between them add up to about half a second
)

// Write implements engine.Engine. A change runs again after a conflict with another transaction, and when its
// connection is lost before the commit.
//
// When the connection is lost during the commit, nobody can tell whether it was done; the error says so.
func (db *DB) Write(ctx context.Context, change func(*engine.Transaction) error) error {
	if db.writers == nil {
		return engine.ErrReadOnly
	}
	if err := db.outdated.Load(); err != nil {
		return fmt.Errorf("%w: %w", engine.ErrUnwritable, *err)
	}
	defer db.waiting.Add(-1)
	if db.waiting.Add(1) > maxWaiting {
		return engine.Unavailable(engine.ErrOverloaded)
	}
	for run := 1; ; run++ {
		again, err := db.run(ctx, change)
		if err == nil || !again || run == maxRuns {
			return db.told(err)
		}
		db.log.Debug("a change is run again", "run", run, "error", err)
		pause(run)
	}
}

// WriteAlong implements engine.Engine: no commit is shared here.
func (db *DB) WriteAlong(ctx context.Context, change func(*engine.Transaction) error) error {
	return db.Write(ctx, change)
}

// errUncertain is a commit that was done or not.
var errUncertain = errors.New("it may have been done or not")

// told is an error of Write as its caller gets it.
func (db *DB) told(err error) error {
	switch {
	case err == nil || fault.As(err) != nil:
		return err
	case errors.Is(err, errUncertain):
		return engine.Uncertain(err)
	case isFull(err):
		return db.fullness.Unavailable(db.explain(err), db.log)
	case isAway(err):
		return engine.Unavailable(db.explain(err))
	}
	return db.explain(err)
}

// pause waits before another run, longer each time, for a random time.
func pause(run int) {
	most := min(time.Millisecond<<run, 100*time.Millisecond)
	time.Sleep(rand.N(most))
}

// run runs change once in a transaction. After an error, again tells whether another run may succeed.
func (db *DB) run(ctx context.Context, change func(*engine.Transaction) error) (again bool, err error) {
	s, err := db.writers.Take(ctx)
	if err != nil {
		return false, err
	}
	defer db.writers.Give(s)
	if err := ctx.Err(); err != nil {
		return false, err
	}
	t := engine.NewTransaction(s)
	changedSetup(s) // forget a change that was undone
	if err := t.Later("BEGIN"); err != nil {
		return isLoss(err), fmt.Errorf("store: can't begin to write: %w", err)
	}
	open := true
	defer func() { // also when change panics or ends its goroutine
		if open {
			db.rollback(s, t)
		}
	}()
	err = change(t)
	if lost := t.Lost(); lost != nil {
		db.full.Store(isFull(lost))
		return meets(lost) || isLoss(lost), fmt.Errorf("store: the transaction was lost: %w", lost)
	}
	if err != nil {
		return errors.Is(err, engine.ErrMet), err
	}
	switch status, held := status(s); {
	case status == 'I' && held == 1: // nothing but BEGIN: the change has done nothing
		return false, nil
	case status != 'T' && (status != 'I' || held == 0):
		return false, fmt.Errorf("store: a statement of the change failed, and the change went on without undoing it by Try")
	}
	_, err = t.Exec("COMMIT")
	db.full.Store(err != nil && isFull(err))
	if errors.As(err, new(heldError)) { // the COMMIT was not run
		return meets(err) || isLoss(err), fmt.Errorf("store: a statement of the change failed: %w", err)
	}
	if isFull(err) || isShort(err) { // an error before the commit was written down; one behind that ends the server
		return false, fmt.Errorf("store: commit: %w", err)
	}
	if err != nil {
		if hasCode(err, "25P03") { // the server has undone it, because this process was stopped
			return true, err
		}
		return meets(err), fmt.Errorf("store: commit: %w: %w", errUncertain, err)
	}
	open = false
	db.changes.committed(changedSetup(s))
	return false, nil
}

func (db *DB) rollback(s *engine.Session, t *engine.Transaction) {
	drop(s.Conn)
	if status, _ := status(s); status == 'I' {
		return // it has not begun
	}
	t.Again()
	if _, err := t.Exec("ROLLBACK"); err != nil {
		db.log.Debug("rollback", "error", err) // the server does it when the connection is lost
	}
}

// status returns that of the transaction as the server last told, without asking it: T is open, E has failed, I is
// none; and how many statements the connection holds back.
func status(s *engine.Session) (status byte, held int) {
	err := onLink(s.Conn, func(l *link) { status, held = l.Conn.Conn().PgConn().TxStatus(), l.count })
	if err != nil {
		return 'E', 0
	}
	return status, held
}

// changedSetup tells whether the set-up was changed on the connection since the last call. When the connection is
// lost, it may have been.
func changedSetup(s *engine.Session) bool {
	changed := true
	err := onLink(s.Conn, func(l *link) { changed = takeSetup(l.Conn.Conn().PgConn()) })
	return err != nil || changed
}

// CheckWritable implements engine.Engine: the server can be reached, is no standby and allows this binary, and its
// disk was not full at the last change.
func (db *DB) CheckWritable(ctx context.Context) error {
	if db.writers == nil {
		return nil
	}
	if err := db.outdated.Load(); err != nil {
		return fmt.Errorf("%w: %w", engine.ErrUnwritable, *err)
	}
	s, err := db.writers.Take(ctx)
	if err != nil {
		return fmt.Errorf("%w: %w", engine.ErrUnwritable, db.explain(err))
	}
	defer db.writers.Give(s)
	t := engine.NewTransaction(s)
	var standby bool
	if err := t.Scan("SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on'", nil,
		&standby); err != nil {
		return fmt.Errorf("%w: %w", engine.ErrUnwritable, db.explain(err))
	}
	if standby {
		return fmt.Errorf("%w: %s only takes reads: it is a standby, or set to read-only", engine.ErrUnwritable, db.Path())
	}
	if !db.full.Load() {
		return nil
	}
	// A transaction id is written to the disk, so it needs room as a change does.
	if err := t.Scan("SELECT CAST(CAST(pg_current_xact_id() AS TEXT) AS BIGINT)", nil, new(int64)); err != nil {
		return fmt.Errorf("%w: %w", engine.ErrUnwritable, db.explain(err))
	}
	return nil
}
