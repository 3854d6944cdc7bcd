package postgres

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/jmoiron/sqlx"
)

const (
	leaseTime  = 6 * time.Second // a server that was killed counts for so long
	leaseRenew = 2 * time.Second
)

// lease is the row by which this process counts among the servers of the database. The database's clock decides how
// long it holds.
type lease struct {
	side   *sqlx.DB
	log    *slog.Logger
	id     int64
	cancel context.CancelFunc
	ended  sync.WaitGroup
}

// JoinServers implements engine.Engine. The row of the first migration keeps those apart who join at the same time.
func (db *DB) JoinServers(ctx context.Context, first func() error) error {
	db.joining.Lock()
	defer db.joining.Unlock()
	if db.lease != nil {
		return nil
	}
	tx, err := db.side.BeginTxx(ctx, nil)
	if err != nil {
		return db.explain(err)
	}
	l := &lease{side: db.side, log: db.log}
	if err := l.join(ctx, tx, first); err != nil {
		return errors.Join(db.explain(err), tx.Rollback())
	}
	if err := tx.Commit(); err != nil {
		return db.explain(err)
	}
	live, cancel := context.WithCancel(context.Background())
	l.cancel = cancel
	l.ended.Go(func() { l.renew(live) })
	db.lease = l
	return nil
}

func (l *lease) join(ctx context.Context, tx *sqlx.Tx, first func() error) error {
	var version int64
	if err := tx.GetContext(ctx, &version, `SELECT version FROM schema_migrations ORDER BY version LIMIT 1 FOR UPDATE`); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM server_leases WHERE until_at <= clock_timestamp()`); err != nil {
		return err
	}
	var others int
	if err := tx.GetContext(ctx, &others, `SELECT count(*) FROM server_leases`); err != nil {
		return err
	}
	if others == 0 {
		if err := first(); err != nil {
			return err
		}
	}
	return tx.GetContext(ctx, &l.id, `INSERT INTO server_leases (until_at) VALUES (clock_timestamp() + CAST($1 AS INTERVAL)) RETURNING id`, leaseTime.String())
}

// renew keeps the lease until ctx ends. One that ran out, because the database was away, is taken anew.
func (l *lease) renew(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(leaseRenew):
		}
		_, err := l.side.ExecContext(ctx, `INSERT INTO server_leases (id, until_at) VALUES ($1, clock_timestamp() + CAST($2 AS INTERVAL))
			ON CONFLICT (id) DO UPDATE SET until_at = excluded.until_at`, l.id, leaseTime.String())
		if err != nil && ctx.Err() == nil {
			l.log.Warn("the lease of this server is not renewed", "error", err)
		}
	}
}

// end gives the lease up. The database may be away, so it does not insist.
func (l *lease) end() error {
	l.cancel()
	l.ended.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if _, err := l.side.ExecContext(ctx, `DELETE FROM server_leases WHERE id = $1`, l.id); err != nil {
		l.log.Debug("the lease is left to run out", "error", err)
	}
	return nil
}
