package sqlite

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/jmoiron/sqlx"

	"daybook/store/engine"
	"daybook/store/migrations"
)

const createMigrations = `CREATE TABLE IF NOT EXISTS schema_migrations (
	version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at_ms INTEGER NOT NULL) STRICT`

// Migrate implements engine.Engine, in one transaction. A file that has tables gets a snapshot first (see Snapshot).
//
// A migration may rebuild a table that others refer to: foreign keys are off while it runs, and checked before the
// commit. It holds no BEGIN, COMMIT or PRAGMA.
func (db *DB) Migrate(ctx context.Context) (names []string, err error) {
	if db.writer == nil {
		return nil, engine.ErrReadOnly
	}
	db.migrating.Lock()
	defer db.migrating.Unlock()
	conn, err := db.side.Connx(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	rows, tables, err := appliedMigrations(ctx, conn)
	if err != nil {
		return nil, explain(db.o.Path, err)
	}
	if pending, err := db.migrations.Pending(db.o.Path, rows, tables); err != nil || len(pending) == 0 {
		return nil, err
	}
	if err := db.lock.alike(); err != nil {
		return nil, fmt.Errorf("nothing was migrated: %w", err)
	}
	if err := db.lockForMigration(ctx, conn); err != nil {
		return nil, err
	}
	names, err = db.migrateLocked(ctx, conn)
	if err == nil {
		_, err = conn.ExecContext(ctx, "COMMIT")
	}
	if err != nil {
		conn.ExecContext(context.Background(), "ROLLBACK")
		return nil, err
	}
	return names, nil
}

// Contract implements engine.Engine. All processes of a file have the same schema, so Migrate leaves nothing to it.
func (db *DB) Contract(ctx context.Context) (names []string, err error) { return db.Migrate(ctx) }

// lockForMigration begins the transaction. It waits for other writers without a limit: one may be migrating a large
// file.
func (db *DB) lockForMigration(ctx context.Context, conn *sqlx.Conn) error {
	for {
		_, err := conn.ExecContext(ctx, begin)
		if err == nil || !isBusy(err) {
			return err
		}
		db.log.Info("waiting for another process to finish writing", "db", db.o.Path)
	}
}

// migrateLocked checks again, now that nobody else can write, and applies what is still pending.
func (db *DB) migrateLocked(ctx context.Context, conn *sqlx.Conn) (names []string, err error) {
	rows, tables, err := appliedMigrations(ctx, conn)
	if err != nil {
		return nil, err
	}
	pending, err := db.migrations.Pending(db.o.Path, rows, tables)
	if err != nil || len(pending) == 0 {
		return nil, err
	}
	if tables > 0 {
		if _, err := db.Snapshot(ctx); err != nil { // it runs on another connection, which sees the last commit
			return nil, fmt.Errorf("no snapshot, so nothing was migrated: %w", err)
		}
	}
	if _, err := conn.ExecContext(ctx, createMigrations); err != nil {
		return nil, err
	}
	for _, m := range pending {
		if err := apply(ctx, conn, m); err != nil {
			return nil, fmt.Errorf("migration %s failed, nothing was changed: %w", m.Name, err)
		}
		names = append(names, m.Name)
	}
	return names, checkReferences(ctx, conn, db.o.Path)
}

func apply(ctx context.Context, conn *sqlx.Conn, m migrations.Migration) error {
	if _, err := conn.ExecContext(ctx, m.SQL); err != nil {
		return err
	}
	_, err := conn.ExecContext(ctx,
		`INSERT INTO schema_migrations (version, name, checksum, applied_at_ms) VALUES (?, ?, ?, ?)`,
		m.Version, m.Name, m.Checksum, time.Now().UnixMilli())
	return err
}

// checkReferences fails when a row refers to a missing row.
func checkReferences(ctx context.Context, q sqlx.QueryerContext, path string) error {
	rows, err := q.QueryContext(ctx, "PRAGMA foreign_key_check")
	if err != nil {
		return err
	}
	defer rows.Close()
	if !rows.Next() {
		return rows.Err()
	}
	var table, parent string
	var rowid, key any
	if err := rows.Scan(&table, &rowid, &parent, &key); err != nil {
		return err
	}
	return fmt.Errorf("%s: a row of %s refers to a row of %s that isn't there", filepath.Base(path), table, parent)
}
