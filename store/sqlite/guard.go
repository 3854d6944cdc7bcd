package sqlite

import (
	"errors"
	"runtime"

	"daybook/app/disk"
)

// sharedByte is the first of those that SQLite locks as long as a connection has the file in WAL mode (os.h: SHARED_FIRST;
// whoever closes the file last locks them all alone, and removes the log).
const sharedByte = 0x40000002

// guardFile keeps the file as one that is open for as long as it is. SQLite's own POSIX locks say so, too, but the
// Replicator closes a handle of its own whenever it begins anew, which drops them all (see fileLock): another process that
// closes the file then would remove the log that this one goes on writing to. Windows drops no such locks.
func (db *DB) guardFile() error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := disk.OpenLocks(db.o.Path)
	if err != nil {
		return err
	}
	if err := f.Lock(sharedByte, disk.Shared); err != nil {
		return errors.Join(err, f.Close())
	}
	db.guard = f
	return nil
}

// unguard lets the last connection of this process close the file for good.
func (db *DB) unguard() error {
	if db.guard == nil {
		return nil
	}
	return db.guard.Unlock(sharedByte)
}
