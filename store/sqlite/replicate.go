package sqlite

import (
	"context"
	"errors"
	"io/fs"

	"daybook/app/disk"
)

// Replicator copies the log (-wal) elsewhere while the database is served. It has a read transaction open, so that
// nobody else can let the log begin again.
type Replicator interface {
	// Checkpoint copies the rest of the log, moves it into the database and lets it begin again. The writer is paused
	// meanwhile. done is false when another process replicates, or nothing is replicated now.
	Checkpoint(ctx context.Context) (done bool, err error)
	// Close copies the rest, after the last write. copied tells whether everything was copied that had been written by
	// then, so that the next process can go on from here.
	Close() (copied bool, err error)
}

const replicaByte = 2 // exclusive of the process that replicates

// Replicate has r replicate the database, which must be served, and closes it with the database.
func (db *DB) Replicate(r Replicator) error {
	if db.checkpoint == nil {
		return errors.New("only a server replicates its database")
	}
	db.replicator = r
	db.checkpoint.replicator.Store(&r)
	return nil
}

// LeadReplica tells whether this process replicates the database, and makes it so if no other one does. It is so until
// the database is closed.
func (db *DB) LeadReplica() (bool, error) {
	err := db.lock.set(replicaByte, disk.Exclusive)
	if errors.Is(err, ErrInUse) {
		return false, nil
	}
	return err == nil, err
}

// MigrationFiles returns the migrations that the database was opened with.
func (db *DB) MigrationFiles() fs.FS { return db.o.Migrations }

// closeReplicator closes the Replicator, and tells whether the file will have what was copied and nothing else. Then
// nobody else can open it any more.
func (db *DB) closeReplicator(errs *[]error) bool {
	if db.replicator == nil {
		return false
	}
	before, err1 := db.DataVersion()
	copied, err := db.replicator.Close()
	*errs = append(*errs, err)
	if !copied || err1 != nil || db.lock.set(openByte, disk.Exclusive) != nil {
		return false
	}
	after, err := db.DataVersion()
	return err == nil && before == after
}
