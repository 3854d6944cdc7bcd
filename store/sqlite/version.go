package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"sync"

	"github.com/jmoiron/sqlx"

	"daybook/store/engine"
)

// versionProbe tells whether another connection, of this process or another, has committed. That needs a connection
// that never writes, because changes of that connection do not count, and always the same one, because the number has
// no meaning on another. It calls the driver directly, because database/sql would double the time.
type versionProbe struct {
	mu   sync.Mutex
	conn *sqlx.Conn
	stmt driver.StmtQueryContext
	row  [1]driver.Value
}

func newVersionProbe(ctx context.Context, side *sqlx.DB) (*versionProbe, error) {
	conn, err := side.Connx(ctx)
	if err != nil {
		return nil, err
	}
	p := &versionProbe{conn: conn}
	err = conn.Raw(func(dc any) error {
		s, err := dc.(driver.Conn).Prepare("PRAGMA data_version")
		if err == nil {
			p.stmt = s.(driver.StmtQueryContext)
		}
		return err
	})
	if err != nil {
		conn.Close()
		return nil, err
	}
	return p, nil
}

// DataVersion implements engine.Engine.
func (db *DB) DataVersion() (int64, error) {
	p := db.version
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stmt == nil {
		return 0, engine.ErrClosed
	}
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
