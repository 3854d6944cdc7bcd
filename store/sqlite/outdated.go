package sqlite

import (
	"context"
	"errors"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"daybook/store/engine"
	"daybook/store/migrations"
)

// outdated reports whether err comes of a schema that somebody has changed since this program checked it: a newer
// program migrates it, or somebody has restored another file. Whoever asked is told to try again, as this process ends
// soon (see CheckSchema) and another one takes its place.
func (db *DB) outdated(err error) bool {
	if !hasPrimary(err, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_SCHEMA) {
		return false
	}
	if db.stale.Load() {
		return true
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	return isOutdated(db.CheckSchema(ctx))
}

func isOutdated(err error) bool {
	for _, kind := range []error{migrations.ErrNewer, migrations.ErrOlder, migrations.ErrChanged, migrations.ErrForeign} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}

// noteSchema keeps what a check of the schema has found, for CheckWritable and outdated.
func (db *DB) noteSchema(err error) error {
	if db.o.Serving && isOutdated(err) && db.checked.Load() {
		db.stale.Store(true)
	}
	if err == nil {
		db.checked.Store(true)
	}
	return err
}

// errStale is the error of a server whose schema was changed under it.
var errStale = errors.Join(engine.ErrUnwritable, errors.New("its schema was changed by another version of Daybook"))
