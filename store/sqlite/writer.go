package sqlite

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jmoiron/sqlx"

	"daybook/store/engine"
)

var (
	errExited   = errors.New("store: a write ended its goroutine; nothing of its batch was kept")
	errPanicked = errors.New("store: a write panicked")
)

const (
	maxQueue = 4096
	maxBatch = 256
)

// writer owns the only writing connection. One goroutine runs the waiting functions one after another in one
// transaction, commits with synchronous=FULL, and then answers the callers. So it waits for the disk once per batch
// instead of once per write. What fills the batches is in queue.go.
type writer struct {
	pool    *sqlx.DB
	tx      *engine.Transaction
	session *engine.Session
	log     *slog.Logger
	commits atomic.Int64
	failed  atomic.Bool // the last batch was not saved
	full    engine.Full
	apart   int    // for so many more batches each job has a savepoint, see batch
	after   func() // runs between batches, outside any transaction

	lockWait time.Duration

	mu     sync.RWMutex // guards closed, and keeps the queues from being closed during a send
	closed bool
	queue  chan *job
	along  chan *job // of WriteAlong
	done   chan struct{}
}

// job is one call of Write.
type job struct {
	fn       func(*engine.Transaction) error
	state    atomic.Int32
	done     chan struct{}
	err      error
	panicked any
}

const (
	queued int32 = iota
	begun
	withdrawn
)

// Write implements engine.Engine: the writer runs fn, and Write returns when the changes are on the disk. When a
// commit fails, every caller of the batch gets an error.
func (db *DB) Write(ctx context.Context, fn func(*engine.Transaction) error) error {
	return db.write(ctx, fn, false)
}

// WriteAlong implements engine.Engine.
func (db *DB) WriteAlong(ctx context.Context, fn func(*engine.Transaction) error) error {
	return db.write(ctx, fn, true)
}

func (db *DB) write(ctx context.Context, fn func(*engine.Transaction) error, along bool) error {
	if db.writer == nil {
		return engine.ErrReadOnly
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	j := &job{fn: fn, done: make(chan struct{})}
	if err := db.writer.enqueue(j, along); err != nil {
		return err
	}
	select {
	case <-j.done:
	case <-ctx.Done():
		if j.state.CompareAndSwap(queued, withdrawn) {
			return ctx.Err()
		}
		<-j.done
	}
	if j.panicked != nil {
		panic(j.panicked)
	}
	return j.err
}

func (w *writer) enqueue(j *job, along bool) error {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if w.closed {
		return engine.ErrClosed
	}
	queue := w.queue
	if along {
		queue = w.along
	}
	select {
	case queue <- j:
		return nil
	default:
		return engine.Unavailable(engine.ErrOverloaded)
	}
}

// newWriter takes the only connection of the pool for the goroutine that runs loop. On an error the caller closes the
// pool.
func newWriter(ctx context.Context, pool *sqlx.DB, d *engine.Dialect, log *slog.Logger) (*writer, error) {
	s, err := engine.NewSession(ctx, pool, d)
	if err != nil {
		return nil, err
	}
	var mode string
	if err := s.Conn.GetContext(ctx, &mode, "PRAGMA journal_mode"); err != nil || mode != "wal" {
		return nil, errors.Join(err,
			fmt.Errorf("its file system keeps no shared memory (journal mode %q); move the database to a local disk", mode))
	}
	// waitForLock polls more often than SQLite would.
	if _, err := s.Conn.ExecContext(ctx, "PRAGMA busy_timeout=0"); err != nil {
		return nil, err
	}
	return &writer{
		pool: pool, session: s, tx: engine.NewTransaction(s), log: log, lockWait: lockWait, after: func() {},
		queue: make(chan *job, maxQueue), along: make(chan *job, maxQueue), done: make(chan struct{}),
	}, nil
}

// loop serves the queue until it is closed and empty. A function that ends its goroutine, as t.FailNow does, ends the
// loop too; another loop then takes over.
func (w *writer) loop() {
	finished := false
	defer func() {
		if !finished {
			go w.loop()
		}
	}()
	for j := w.first(); j != nil; j = w.first() {
		runtime.Gosched() // on one core, callers that are ready can join this batch
		w.batch(j)
		w.after()
	}
	finished = true
	close(w.done)
}

// close waits for the writes that are queued, then gives the connection back.
func (w *writer) close() error {
	w.mu.Lock()
	w.closed = true
	close(w.queue)
	close(w.along)
	w.mu.Unlock()
	<-w.done
	return errors.Join(w.session.Close(), w.pool.Close())
}

// call runs the job's function and keeps its error, or its panic.
func (j *job) call(tx *engine.Transaction, log *slog.Logger) {
	defer func() {
		if v := recover(); v != nil {
			j.panicked, j.err = v, errPanicked
			log.Error("a write panicked", "panic", fmt.Sprint(v), "stack", string(debug.Stack()))
		}
	}()
	j.err = j.fn(tx)
}
