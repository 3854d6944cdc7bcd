package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"sync"

	"github.com/jmoiron/sqlx"

	"daybook/store/engine"
)

// versionProbe tells whether another connection, of this process or another, has committed. Where the header of the
// log can be seen it looks there, as SQLite does, which takes a hundredth of the time of a statement, with its two
// locks. Elsewhere it asks SQLite. That needs a connection that never writes, because changes of that connection do not
// count, and always the same one, because the number has no meaning on another. It calls the driver directly, because
// database/sql would double the time.
type versionProbe struct {
	mu   sync.Mutex
	conn *sqlx.Conn
	stmt driver.StmtQueryContext
	row  [1]driver.Value

	header  []byte           // nil: it can't be seen
	seen    [headerSize]byte // the header when it was last looked at
	version int64            // how often it was another one
}

func newVersionProbe(ctx context.Context, side *sqlx.DB, h *header) (*versionProbe, error) {
	conn, err := side.Connx(ctx)
	if err != nil {
		return nil, err
	}
	p := &versionProbe{conn: conn}
	if err := p.prepare(ctx, h); err != nil {
		conn.Close()
		return nil, err
	}
	return p, nil
}

func (p *versionProbe) prepare(ctx context.Context, h *header) error {
	err := p.conn.Raw(func(dc any) error {
		s, err := dc.(driver.Conn).Prepare("PRAGMA data_version")
		if err == nil {
			p.stmt = s.(driver.StmtQueryContext)
		}
		return err
	})
	if err != nil {
		return err
	}
	var mode string // that has a log; nobody can change it while a connection is open
	if err := p.conn.GetContext(ctx, &mode, "PRAGMA journal_mode"); err != nil || mode != "wal" {
		return err
	}
	if _, err := p.ask(); err != nil { // reads, so that the connection has the log's index open
		return err
	}
	p.header = h.look()
	return nil
}

// DataVersion implements engine.Engine.
func (db *DB) DataVersion() (int64, error) {
	p := db.version
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stmt == nil {
		return 0, engine.ErrClosed
	}
	if p.header == nil {
		return p.ask()
	}
	// A header that is just being written is another one, and once more when it is whole: readers take none before.
	if string(p.header) != string(p.seen[:]) {
		copy(p.seen[:], p.header)
		p.version++
	}
	return p.version, nil
}

func (p *versionProbe) ask() (int64, error) {
	rows, err := p.stmt.QueryContext(context.Background(), nil)
	if err != nil {
		return 0, err
	}
	err = rows.Next(p.row[:])
	n, _ := p.row[0].(int64)
	return n, errors.Join(err, rows.Close())
}

// SetupVersion implements engine.Engine. It is DataVersion: SQLite tells of a commit, and not of what is in it.
func (db *DB) SetupVersion() (int64, error) { return db.DataVersion() }

func (p *versionProbe) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	err := p.stmt.(driver.Stmt).Close()
	p.stmt = nil
	return errors.Join(err, p.conn.Close())
}
