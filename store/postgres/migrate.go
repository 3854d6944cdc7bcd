package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jmoiron/sqlx"

	"daybook/store/engine"
	"daybook/store/migrations"
)

const createMigrations = `CREATE TABLE IF NOT EXISTS schema_migrations (
	version BIGINT PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at_ms BIGINT NOT NULL)`

// addAllows adds the column to tables that were made without it.
const addAllows = `ALTER TABLE schema_migrations ADD COLUMN IF NOT EXISTS allows BIGINT NOT NULL DEFAULT 0`

// Processes migrate one after another. The number was chosen at random.
const lockMigrations = `SELECT pg_advisory_xact_lock(4919230571)`

// Migrate implements engine.Engine, in one transaction. It begins at once, but its changes of tables wait for the
// statements that use them.
func (db *DB) Migrate(ctx context.Context) (names []string, err error) { return db.migrate(ctx, false) }

// Contract implements engine.Engine, as Migrate does.
func (db *DB) Contract(ctx context.Context) (names []string, err error) { return db.migrate(ctx, true) }

func (db *DB) migrate(ctx context.Context, contract bool) (names []string, err error) {
	if db.writers == nil {
		return nil, engine.ErrReadOnly
	}
	tx, err := db.side.BeginTxx(ctx, nil)
	if err != nil {
		return nil, db.explain(err)
	}
	names, err = db.migrateIn(ctx, tx, contract)
	if err != nil || len(names) == 0 {
		return nil, errors.Join(db.explain(err), tx.Rollback())
	}
	if err := tx.Commit(); err != nil {
		return nil, db.explain(err)
	}
	return names, nil
}

func (db *DB) migrateIn(ctx context.Context, tx *sqlx.Tx, contract bool) (names []string, err error) {
	if _, err := tx.ExecContext(ctx, lockMigrations); err != nil {
		return nil, err
	}
	rows, tables, err := appliedMigrations(ctx, tx)
	if err != nil {
		return nil, err
	}
	pending, err := db.migrations.Pending(db.Path(), rows, tables)
	if inUse := len(rows) > 0; err == nil && inUse {
		if !contract {
			pending = pending.Expanding()
		}
		err = db.checkServers(ctx, tx, pending)
	}
	if err != nil || len(pending) == 0 {
		return nil, err
	}
	for _, query := range []string{createMigrations, addAllows} {
		if _, err := tx.ExecContext(ctx, query); err != nil {
			return nil, err
		}
	}
	for _, m := range pending {
		if err := apply(ctx, tx, m); err != nil {
			return nil, fmt.Errorf("migration %s failed, nothing was changed: %w", m.Name, err)
		}
		names = append(names, m.Name)
	}
	return names, nil
}

// checkServers fails while a server runs that one of the migrations does not allow. No server joins before the end of
// the transaction.
func (db *DB) checkServers(ctx context.Context, tx *sqlx.Tx, steps migrations.Set) error {
	for _, m := range steps {
		old, err := servers(ctx, tx, notAllowed, []int64{int64(m.Version), int64(m.Allows)})
		if err != nil {
			return err
		}
		if len(old) > 0 {
			return fmt.Errorf("%s can't be applied to %s beside %s; stop it or replace it by this version, then try again "+
				"(a server that was killed counts for %v), nothing was changed: %w",
				m.Name, db.Path(), strings.Join(old, ", "), leaseTime, migrations.ErrServed)
		}
	}
	return nil
}

func apply(ctx context.Context, tx *sqlx.Tx, m migrations.Migration) error {
	// The simple protocol accepts several statements at once.
	if _, err := tx.ExecContext(ctx, m.SQL, pgx.QueryExecModeSimpleProtocol); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO schema_migrations (version, name, checksum, applied_at_ms, allows)
		VALUES ($1, $2, $3, $4, $5)`, m.Version, m.Name, m.Checksum, time.Now().UnixMilli(), m.Allows)
	return err
}

// MigrationStatus implements engine.Engine.
func (db *DB) MigrationStatus(ctx context.Context) ([]migrations.State, error) {
	rows, _, err := appliedMigrations(ctx, db.side)
	if err != nil {
		return nil, db.explain(err)
	}
	return db.migrations.Status(rows), nil
}

// CheckSchema implements engine.Engine.
func (db *DB) CheckSchema(ctx context.Context) error { return db.checkSchema(ctx, db.side) }

func (db *DB) checkSchema(ctx context.Context, q sqlx.QueryerContext) error {
	rows, tables, err := appliedMigrations(ctx, q)
	if err != nil {
		return db.explain(err)
	}
	return db.migrations.Check(db.Path(), rows, tables)
}

// appliedMigrations reads the applied migrations in order, and the number of tables in the schema that new tables are
// made in.
func appliedMigrations(ctx context.Context, q sqlx.QueryerContext) (rows []migrations.Applied, tables int, err error) {
	const count = `SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()`
	if err := sqlx.GetContext(ctx, q, &tables, count); err != nil || tables == 0 {
		return nil, tables, err
	}
	var ours int
	if err := sqlx.GetContext(ctx, q, &ours, count+` AND tablename = 'schema_migrations'`); err != nil || ours == 0 {
		return nil, tables, err
	}
	err = sqlx.SelectContext(ctx, q, &rows, `SELECT version, name, checksum, applied_at_ms,
			COALESCE(CAST(to_jsonb(m) ->> 'allows' AS BIGINT), 0) AS allows
		FROM schema_migrations m ORDER BY version`) // the column may be missing, see addAllows
	return rows, tables, err
}

// CheckQuickly implements engine.Engine. PostgreSQL checks its own files.
func (db *DB) CheckQuickly(context.Context) error { return nil }

// ErrOwnTools is in the error of an operation that is left to PostgreSQL's own tools.
var ErrOwnTools = errors.New("PostgreSQL has its own tools for that")

// Backup implements engine.Engine. Its error names the command to run instead.
func (db *DB) Backup(_ context.Context, dest string) error {
	return fmt.Errorf("%w; run: %s", ErrOwnTools, DumpCommand(db.o.URL, dest))
}
