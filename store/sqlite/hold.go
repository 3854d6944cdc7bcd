package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"daybook/app/disk"
)

// A Replicator goes on where that of an earlier process ended if it finds the log (-wal) as that one left it, and all
// that was written since. So a process that opens the file for one, and is alone with it, holds the log until the
// Replicator has taken it over: a read transaction from before the first write keeps it from beginning again.
//
// Whoever ends in good order leaves no log. It leaves a note instead, that the file has all that was copied and nothing
// else: which file it is, its size, and when it was written and changed. The note is true as long as they are the same,
// because a log can't begin again before it was moved into the file; an older copy that was put back is another file. Everybody who may move it removes the note first.

// hold begins to hold the log. It is for a process that is alone with the file, before anything is written.
func (db *DB) hold(ctx context.Context) error {
	conn, err := db.side.Connx(ctx)
	if err != nil {
		return err
	}
	var n int
	if _, err = conn.ExecContext(ctx, "BEGIN"); err == nil {
		err = conn.GetContext(ctx, &n, "SELECT count(*) FROM sqlite_master")
	}
	if err != nil {
		return errors.Join(err, conn.Close())
	}
	db.held = conn
	return nil
}

// KeepLog tells whether the log is held. With keep it stays so, however long the log gets, until ReleaseLog or the next
// call without it; else it is released when the log gets too long.
func (db *DB) KeepLog(keep bool) (held bool) {
	db.holding.Lock()
	defer db.holding.Unlock()
	db.keeping = keep && db.held != nil
	return db.held != nil
}

// ReleaseLog ends the hold on the log, if there is one.
func (db *DB) ReleaseLog() error { return db.releaseLog(true) }

func (db *DB) releaseLog(kept bool) error {
	db.holding.Lock()
	defer db.holding.Unlock()
	if db.held == nil || db.keeping && !kept {
		return nil
	}
	if err := db.unsettle(); err != nil {
		return err
	}
	_, err := db.held.ExecContext(context.Background(), "ROLLBACK")
	err = errors.Join(err, db.held.Close())
	db.held, db.keeping = nil, false
	return err
}

// EmptyLog moves the log into the file and leaves nothing of it. It waits a little for readers.
func (db *DB) EmptyLog() error {
	if err := db.ReleaseLog(); err != nil {
		return err
	}
	db.checkpoint.mu.Lock()
	defer db.checkpoint.mu.Unlock()
	busy, _, _, err := db.checkpoint.run("TRUNCATE")
	if err == nil && busy {
		err = errors.New("a long read or another process holds the log")
	}
	return err
}

func (o *Options) settledFile() string { return filepath.Join(o.Path+"-replica", "settled") }

// Settled tells whether everything that was written since all was copied is in the log.
func (db *DB) Settled() (bool, error) {
	note, err := os.ReadFile(db.o.settledFile())
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	now, err := db.stamp()
	return string(note) == now, err
}

// stamp says which file it is, how large and when it was written and changed. It doesn't open the file, see fileLock.
func (db *DB) stamp() (string, error) {
	info, err := os.Stat(db.o.Path)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d %s %s\n", info.Size(), info.ModTime().UTC().Format(time.RFC3339Nano), disk.Changed(info)), nil
}

// unsettle removes the note for good.
func (db *DB) unsettle() error {
	err := os.Remove(db.o.settledFile())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return errors.Join(err, disk.SyncDir(filepath.Dir(db.o.settledFile())))
}

// settle writes the note. The file is closed, and nobody else can open it.
func (db *DB) settle() error {
	if info, err := os.Stat(db.o.Path + "-wal"); err == nil && info.Size() > 0 {
		return nil // a program that isn't Daybook has the file
	}
	stamp, err := db.stamp()
	if err != nil {
		return err
	}
	f, err := os.OpenFile(db.o.settledFile(), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(stamp)
	return errors.Join(err, f.Sync(), f.Close())
}
