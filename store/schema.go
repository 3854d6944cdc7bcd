package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/jmoiron/sqlx"
)

// What CheckSchema and Migrate find, to be told apart with errors.Is; the message says what to do.
var (
	ErrSchemaOlder   = errors.New("the database needs a migration")
	ErrSchemaNewer   = errors.New("the database is of a newer version")
	ErrSchemaForeign = errors.New("not a Daybook database")
	ErrSchemaChanged = errors.New("a released migration was changed")
)

// applied is a row of schema_migrations.
type applied struct {
	Version     int    `db:"version"`
	Name        string `db:"name"`
	Checksum    string `db:"checksum"`
	AppliedAtMS int64  `db:"applied_at_ms"`
}

// MigrationState is one migration: of this binary, of the file, or of both.
type MigrationState struct {
	Version     int
	Name        string
	AppliedAtMS int64 // 0: pending
}

// MigrationStatus lists every migration in order, the file's unknown ones too.
func (db *DB) MigrationStatus(ctx context.Context) ([]MigrationState, error) {
	rows, _, err := appliedMigrations(ctx, db.side)
	if err != nil {
		return nil, explain(db.o.Path, err)
	}
	var all []MigrationState
	done := map[int]bool{}
	for _, r := range rows {
		all = append(all, MigrationState{r.Version, r.Name, r.AppliedAtMS})
		done[r.Version] = true
	}
	for _, m := range db.migrations {
		if !done[m.version] {
			all = append(all, MigrationState{Version: m.version, Name: m.name})
		}
	}
	slices.SortStableFunc(all, func(a, b MigrationState) int { return cmp.Compare(a.Version, b.Version) })
	return all, nil
}

// CheckSchema fails when the file's schema is not exactly this binary's: ErrSchemaOlder, ErrSchemaNewer,
// ErrSchemaForeign or ErrSchemaChanged, in a message that says what to do.
func (db *DB) CheckSchema(ctx context.Context) error {
	rows, tables, err := appliedMigrations(ctx, db.side)
	if err != nil {
		return explain(db.o.Path, err)
	}
	pending, err := db.pending(rows, tables)
	if err != nil {
		return err
	}
	if len(pending) > 0 {
		return fmt.Errorf("%s has %d of %d migrations; run `daybook migrate up --db %s`: %w",
			filepath.Base(db.o.Path), len(rows), len(db.migrations), db.o.Path, ErrSchemaOlder)
	}
	return nil
}

// KnownSchema is CheckSchema that takes an older schema for good, one that Migrate can bring up to date. An empty
// file is foreign to it: it is what a restore asks of a backup.
func (db *DB) KnownSchema(ctx context.Context) error {
	rows, tables, err := appliedMigrations(ctx, db.side)
	if err != nil {
		return explain(db.o.Path, err)
	}
	if len(rows) == 0 {
		return fmt.Errorf("%s holds no data of Daybook: %w", filepath.Base(db.o.Path), ErrSchemaForeign)
	}
	_, err = db.pending(rows, tables)
	return err
}

// pending are the binary's migrations that the file has not got, in order. One may be older than some that the file
// has: two were written side by side.
func (db *DB) pending(rows []applied, tables int) ([]migration, error) {
	name := filepath.Base(db.o.Path)
	if len(rows) == 0 && tables > 0 {
		return nil, fmt.Errorf("%s holds another program's tables; name another file with --db: %w", name, ErrSchemaForeign)
	}
	known := map[int]migration{}
	for _, m := range db.migrations {
		known[m.version] = m
	}
	for _, r := range rows {
		m, ok := known[r.Version]
		if !ok {
			return nil, fmt.Errorf("%s was last used by a newer Daybook (it has %s, which this one does not know); install that version, or restore a snapshot: %w",
				name, r.Name, ErrSchemaNewer)
		}
		if r.Checksum != m.checksum {
			return nil, fmt.Errorf("%s got %s in another wording than this Daybook's %s; use the Daybook that made it: %w", name, r.Name, m.name, ErrSchemaChanged)
		}
		delete(known, r.Version)
	}
	var pending []migration
	for _, m := range db.migrations {
		if _, ok := known[m.version]; ok {
			pending = append(pending, m)
		}
	}
	return pending, nil
}

// appliedMigrations reads the file's migrations in order, and how many tables it has.
func appliedMigrations(ctx context.Context, q sqlx.QueryerContext) (rows []applied, tables int, err error) {
	if err := sqlx.GetContext(ctx, q, &tables, `SELECT count(*) FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'`); err != nil || tables == 0 {
		return nil, tables, err
	}
	var ours int
	if err := sqlx.GetContext(ctx, q, &ours, `SELECT count(*) FROM sqlite_schema WHERE name = 'schema_migrations'`); err != nil || ours == 0 {
		return nil, tables, err
	}
	err = sqlx.SelectContext(ctx, q, &rows, `SELECT version, name, checksum, applied_at_ms FROM schema_migrations ORDER BY version`)
	return rows, tables, err
}
