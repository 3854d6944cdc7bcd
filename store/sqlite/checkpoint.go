package sqlite

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jmoiron/sqlx"

	"daybook/app/fault"
)

const (
	checkpointEvery = 300 * time.Millisecond
	walLimit        = 64 << 20
	replicatedLimit = 16 << 20               // of a log that is replicated: it can't be moved into the database bit by bit
	truncateWait    = 250 * time.Millisecond // for readers to finish
	truncateAgain   = 5 * time.Second        // or when the log has grown by its limit once more
)

// checkpointer moves the log (-wal) into the database outside of commits. By itself, SQLite does that inside every
// COMMIT that finds 1000 pages, which makes the slowest writes slow. A PASSIVE checkpoint runs every 300 ms on a
// connection of its own: more often, it would move the pages that every commit changes more often, too. Under constant
// writes that never lets the log start again at its beginning, so when the log exceeds the limit, the writer pauses
// between two batches for a TRUNCATE checkpoint, or, where the log is replicated, for the replicator to let it begin
// again.
type checkpointer struct {
	log    *slog.Logger
	writer *writer
	quit   chan struct{}
	done   chan struct{}
	limit  int64       // bytes of log
	full   atomic.Bool // the log is past the limit

	truncations atomic.Int64
	trouble     fault.Seldom
	replicator  atomic.Pointer[Replicator]
	release     func() error // ends a hold on the log that may end

	mu        sync.Mutex // guards the connection and what follows
	conn      *sqlx.Conn
	pageSize  int64
	size      int64     // bytes of log, as the last PASSIVE checkpoint found them
	truncated time.Time // when truncating was last tried, in vain
	refused   int64     // the size then
}

func startCheckpointer(ctx context.Context, db *DB) (*checkpointer, error) {
	conn, err := db.side.Connx(ctx)
	if err != nil {
		return nil, err
	}
	c := &checkpointer{log: db.log, writer: db.writer, limit: db.o.walLimit, conn: conn,
		release: func() error { return db.releaseLog(false) }, quit: make(chan struct{}), done: make(chan struct{})}
	if err := conn.GetContext(ctx, &c.pageSize, "PRAGMA page_size"); err != nil {
		conn.Close()
		return nil, err
	}
	if _, err := conn.ExecContext(ctx, fmt.Sprintf("PRAGMA busy_timeout=%d", truncateWait.Milliseconds())); err != nil {
		conn.Close()
		return nil, err
	}
	db.writer.after = c.afterBatch
	go c.loop()
	return c, nil
}

func (c *checkpointer) loop() {
	defer close(c.done)
	tick := time.NewTicker(checkpointEvery)
	defer tick.Stop()
	var seen int64
	for {
		select {
		case <-c.quit:
			return
		case <-tick.C:
		}
		if n := c.writer.commits.Load(); n != seen && c.passive() {
			seen = n
		}
	}
}

// passive moves what it can without waiting and tells whether that was everything.
func (c *checkpointer) passive() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	busy, frames, moved, err := c.run("PASSIVE")
	if err != nil {
		if repeated, say := c.trouble.Say(err); say {
			c.log.Warn("the log can't be moved into the database; it grows until that works again",
				"error", err, "repeated", repeated)
		}
		return false
	}
	if c.trouble.Over() {
		c.log.Info("the log can be moved into the database again")
	}
	c.size = frames * c.pageSize
	if c.size > c.most() {
		c.full.Store(true)
	}
	return !busy && moved == frames
}

// most returns how large the log may be.
func (c *checkpointer) most() int64 {
	if c.replicator.Load() != nil {
		return min(c.limit, replicatedLimit)
	}
	return c.limit
}

// afterBatch runs on the writer's goroutine between two transactions.
func (c *checkpointer) afterBatch() {
	if !c.full.Load() {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.truncated) < truncateAgain && c.size < c.refused+c.most() {
		return
	}
	c.truncated, c.refused = time.Now(), c.size
	busy, frames, err := c.empty()
	if err != nil || busy {
		c.log.Warn("the log can't be emptied: a long read or another process holds it",
			"bytes", frames*c.pageSize, "error", err)
		return
	}
	c.truncated = time.Time{}
	c.full.Store(false)
	c.truncations.Add(1)
}

// empty lets the log begin again. busy tells that it could not.
func (c *checkpointer) empty() (busy bool, frames int64, err error) {
	if err := c.release(); err != nil {
		return true, 0, err
	}
	if r := c.replicator.Load(); r != nil {
		done, err := (*r).Checkpoint(context.Background())
		if err != nil {
			return true, 0, err
		}
		if done {
			_, frames, _, err := c.run("PASSIVE")
			return frames*c.pageSize > c.most(), frames, err
		}
	}
	busy, frames, _, err = c.run("TRUNCATE")
	return busy, frames, err
}

func (c *checkpointer) run(kind string) (busy bool, frames, moved int64, err error) {
	err = c.conn.QueryRowContext(context.Background(), "PRAGMA wal_checkpoint("+kind+")").Scan(&busy, &frames, &moved)
	return busy, frames, moved, err
}

// stop ends the loop.
func (c *checkpointer) stop() {
	close(c.quit)
	<-c.done
}

// finish empties the log, after the last write.
func (c *checkpointer) finish() error {
	if _, _, _, err := c.run("TRUNCATE"); err != nil && !isBusy(err) {
		c.log.Warn("last checkpoint", "error", err)
	}
	return c.conn.Close()
}
