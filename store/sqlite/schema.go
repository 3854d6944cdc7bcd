package sqlite

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/jmoiron/sqlx"

	"daybook/store/migrations"
)

// MigrationStatus implements engine.Engine.
func (db *DB) MigrationStatus(ctx context.Context) ([]migrations.State, error) {
	rows, _, err := appliedMigrations(ctx, db.side)
	if err != nil {
		return nil, explain(db.o.Path, err)
	}
	return db.migrations.Status(rows), nil
}

// CheckSchema implements engine.Engine.
func (db *DB) CheckSchema(ctx context.Context) error {
	rows, tables, err := appliedMigrations(ctx, db.side)
	if err != nil {
		return explain(db.o.Path, err)
	}
	return db.noteSchema(db.migrations.Check(db.o.Path, rows, tables))
}

// KnownSchema is CheckSchema for a backup: it accepts an older schema that Migrate can bring up to date, and refuses
// an empty file.
func (db *DB) KnownSchema(ctx context.Context) error {
	rows, tables, err := appliedMigrations(ctx, db.side)
	if err != nil {
		return explain(db.o.Path, err)
	}
	if len(rows) == 0 {
		return fmt.Errorf("%s holds no data of Daybook: %w", filepath.Base(db.o.Path), migrations.ErrForeign)
	}
	_, err = db.migrations.Pending(db.o.Path, rows, tables)
	return err
}

// appliedMigrations reads the file's migrations in order, and how many tables it has.
func appliedMigrations(ctx context.Context, q sqlx.QueryerContext) (rows []migrations.Applied, tables int, err error) {
	if err := sqlx.GetContext(ctx, q, &tables,
		`SELECT count(*) FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'`); err != nil || tables == 0 {
		return nil, tables, err
	}
	var ours int
	if err := sqlx.GetContext(ctx, q, &ours,
		`SELECT count(*) FROM sqlite_schema WHERE name = 'schema_migrations'`); err != nil || ours == 0 {
		return nil, tables, err
	}
	err = sqlx.SelectContext(ctx, q, &rows,
		`SELECT version, name, checksum, applied_at_ms FROM schema_migrations ORDER BY version`)
	return rows, tables, err
}
