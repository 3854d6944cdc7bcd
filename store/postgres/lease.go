package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/jmoiron/sqlx"

	"daybook/store/migrations"
)

const (
	leaseTime  = 6 * time.Second // a killed server counts for this long
	leaseRenew = 2 * time.Second
)

// lease is the row that counts this process among the servers of the database. It ends by the clock of the database.
type lease struct {
	db     *DB
	id     int64
	cancel context.CancelFunc
	ended  sync.WaitGroup
}

// lockServers waits for a server that is joining, and keeps others from joining until the end of the transaction.
const lockServers = `SELECT version FROM schema_migrations ORDER BY version LIMIT 1 FOR UPDATE`

// JoinServers implements engine.Engine. The row of the first migration serializes the servers that join. It checks the
// schema again, because another process may have migrated the database since it was checked.
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
	l := &lease{db: db}
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
	others, err := servers(ctx, tx, anyServer)
	if err != nil {
		return err
	}
	if err := l.db.checkSchema(ctx, tx); err != nil {
		return err
	}
	if len(others) == 0 {
		if err := first(); err != nil {
			return err
		}
	}
	return tx.GetContext(ctx, &l.id, `INSERT INTO server_leases (until_at, server, steps)
		VALUES (clock_timestamp() + CAST($1 AS INTERVAL), $2, $3) RETURNING id`,
		leaseTime.String(), l.db.o.server(), l.db.migrations.Versions())
}

// server describes this process to people who look for the holder of a lease.
func (o *Options) server() string {
	name := "Daybook " + cmp.Or(o.Version, "of unknown version")
	if host, err := os.Hostname(); err == nil {
		name += " on " + host
	}
	return name + " (process " + strconv.Itoa(os.Getpid()) + ")"
}

const (
	anyServer  = `SELECT server FROM server_leases ORDER BY id`
	notAllowed = `SELECT server FROM server_leases WHERE NOT steps && CAST($1 AS BIGINT[]) ORDER BY id`
)

// servers removes expired leases and returns the servers that a query of leases selects. No server joins before the
// end of the transaction.
func servers(ctx context.Context, tx *sqlx.Tx, query string, args ...any) (names []string, err error) {
	if _, err := tx.ExecContext(ctx, lockServers); err != nil {
		return nil, err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM server_leases WHERE until_at <= clock_timestamp()`); err != nil {
		return nil, err
	}
	err = tx.SelectContext(ctx, &names, query, args...)
	return names, err
}

// renew extends the lease until ctx ends. It takes a new one when the lease expired because the database was away or
// this process was stopped for a while.
func (l *lease) renew(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(leaseRenew):
		}
		if err := l.keep(ctx); err != nil && ctx.Err() == nil {
			l.db.log.Warn("the lease of this server is not renewed", "error", err)
		}
	}
}

// keep extends the lease. While the lease was expired, the database may have been migrated as if this server were
// gone.
func (l *lease) keep(ctx context.Context) error {
	var id int64
	err := l.db.side.GetContext(ctx, &id, `UPDATE server_leases SET until_at = clock_timestamp() + CAST($2 AS INTERVAL)
		WHERE id = $1 RETURNING id`, l.id, leaseTime.String())
	if err != sql.ErrNoRows {
		return err
	}
	tx, err := l.db.side.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	if err := l.join(ctx, tx, func() error { return nil }); err != nil {
		if errors.Is(err, migrations.ErrNewer) {
			l.db.outdated.Store(&err)
		}
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// end gives the lease up. It only tries once, because the database may be away.
func (l *lease) end() error {
	l.cancel()
	l.ended.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if _, err := l.db.side.ExecContext(ctx, `DELETE FROM server_leases WHERE id = $1`, l.id); err != nil {
		l.db.log.Debug("the lease is left to run out", "error", err)
	}
	return nil
}
