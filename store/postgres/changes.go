package postgres

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
)

const (
	setupChannel = "daybook_setup" // the schema's triggers notify it
	workChannel  = "daybook_work"
	joinChannel  = "daybook_servers" // a server has come or gone

	hintPause   = 20 * time.Millisecond  // the least time between two hints of one server
	beat        = 200 * time.Millisecond // how often the listener checks its connection
	beatTimeout = 300 * time.Millisecond
	retryPause  = 100 * time.Millisecond // the time between two tries to listen again
)

// changes counts the commits that this process knows of. The zero value knows nothing of other processes.
type changes struct {
	count   atomic.Int64
	setups  atomic.Int64  // those commits that changed what servers keep in memory
	deaf    atomic.Bool   // others may have committed without this process knowing
	pending chan struct{} // holds one when other servers need a hint
	servers chan struct{} // holds one when the lease should look who the servers are
	end     context.CancelFunc
	ended   sync.WaitGroup
}

// DataVersion implements engine.Engine. A process that does not serve does not hear of other commits, so it trusts
// nothing that it holds in memory.
func (db *DB) DataVersion() (int64, error) {
	if db.changes.deaf.Load() || db.changes.end == nil {
		return db.changes.count.Add(1), nil
	}
	return db.changes.count.Load(), nil
}

// SetupVersion implements engine.Engine. The schema's triggers report changes of the set-up: to other processes by a
// notification, and to this one before its commit returns (heedSetup).
func (db *DB) SetupVersion() (int64, error) {
	if db.changes.deaf.Load() || db.changes.end == nil {
		return db.changes.setups.Add(1), nil
	}
	return db.changes.setups.Load(), nil
}

// heedSetup makes the connections of config remember that a trigger reported a changed set-up, for takeSetup.
func heedSetup(config *pgx.ConnConfig) {
	config.OnNotice = func(c *pgconn.PgConn, n *pgconn.Notice) {
		if n.Message == setupChannel {
			c.CustomData()[setupChannel] = true
		}
	}
}

// takeSetup tells whether the set-up was changed on the connection since the last call.
func takeSetup(c *pgconn.PgConn) bool {
	told := c.CustomData()[setupChannel] == true
	if told {
		delete(c.CustomData(), setupChannel)
	}
	return told
}

// committed counts a commit of this process.
func (c *changes) committed(setup bool) {
	if setup {
		c.setups.Add(1)
	}
	c.count.Add(1)
	if c.pending == nil {
		return
	}
	select {
	case c.pending <- struct{}{}:
	default: // the next hint includes this commit
	}
}

func (c *changes) both() {
	c.setups.Add(1)
	c.count.Add(1)
}

func (c *changes) lookForServers() {
	select {
	case c.servers <- struct{}{}:
	default:
	}
}

func (c *changes) stop() {
	if c.end != nil {
		c.end()
		c.ended.Wait()
	}
}

// listen starts listening to the commits of others, and starts telling them about this process's.
func (db *DB) listen(ctx context.Context) error {
	config, err := db.o.config(maintaining)
	if err != nil {
		return err
	}
	config.BuildContextWatcherHandler = func(c *pgconn.PgConn) ctxwatch.Handler {
		return &pgconn.DeadlineContextWatcherHandler{Conn: c.Conn()} // no statement runs that the server has to cancel
	}
	ear := &ear{config: config, name: strconv.Itoa(os.Getpid()) + "-" + strconv.FormatInt(time.Now().UnixNano(), 36),
		changes: db.changes}
	if err := ear.open(ctx); err != nil {
		return err
	}
	live, end := context.WithCancel(context.Background())
	db.changes.end, db.changes.pending, db.changes.servers = end, make(chan struct{}, 1), make(chan struct{}, 1)
	db.changes.ended.Go(func() { db.hear(live, ear) })
	db.changes.ended.Go(func() { db.tell(live, ear.name) })
	return nil
}

// hear listens until ctx ends. It opens a new connection whenever one is lost.
func (db *DB) hear(ctx context.Context, e *ear) {
	for {
		err := e.hear(ctx)
		e.close()
		if ctx.Err() != nil {
			return
		}
		db.changes.deaf.Store(true)
		db.readers.Suspect()
		db.writers.Suspect()
		db.log.Warn("the connection that listens for other servers' changes is lost; nothing is held in memory until it "+
			"is back", "error", err)
		for e.open(ctx) != nil {
			select {
			case <-ctx.Done():
				return
			case <-time.After(retryPause):
			}
		}
		// From here on, changes are heard of. What was read before is not trusted.
		db.changes.both()
		db.changes.deaf.Store(false)
		db.changes.both()
		db.log.Info("listening for other servers' changes again")
	}
}

// tell sends hints of this process's commits until ctx ends.
func (db *DB) tell(ctx context.Context, name string) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-db.changes.pending:
		}
		if _, err := db.side.ExecContext(ctx, "SELECT pg_notify($1, $2)", workChannel, name); err != nil && ctx.Err() == nil {
			db.log.Debug("no hint to other servers", "error", err) // they poll anyway
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(hintPause):
		}
	}
}

// ear is the listening connection.
type ear struct {
	config  *pgx.ConnConfig
	name    string // of this process in its hints
	changes *changes
	conn    *pgx.Conn
}

// open listens on a new connection. Commits before it returns may have been missed.
func (e *ear) open(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	conn, err := pgx.ConnectConfig(ctx, e.config)
	if err != nil {
		return err
	}
	for _, channel := range []string{setupChannel, workChannel, joinChannel} {
		if _, err := conn.Exec(ctx, "LISTEN "+channel); err != nil {
			conn.Close(ctx)
			return err
		}
	}
	e.conn = conn
	return nil
}

// hear counts the commits of others until the connection is lost or ctx ends. It checks a silent connection with a
// statement.
func (e *ear) hear(ctx context.Context) error {
	for {
		wait, cancel := context.WithTimeout(ctx, beat)
		n, err := e.conn.WaitForNotification(wait)
		timedOut := wait.Err() != nil
		cancel()
		switch {
		case err == nil:
			switch {
			case n.Channel == joinChannel:
				e.changes.lookForServers()
			case n.Channel == setupChannel:
				e.changes.both()
			case n.Payload != e.name:
				e.changes.count.Add(1)
			}
		case ctx.Err() != nil || !timedOut || e.conn.IsClosed():
			return err
		default:
			if err := e.ask(ctx); err != nil {
				return fmt.Errorf("no answer in %s: %w", beatTimeout, err)
			}
		}
	}
}

func (e *ear) ask(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, beatTimeout)
	defer cancel()
	return e.conn.Ping(ctx)
}

func (e *ear) close() {
	ctx, cancel := context.WithTimeout(context.Background(), beatTimeout)
	defer cancel()
	e.conn.Close(ctx) // the connection is lost, so the error does not matter
}
