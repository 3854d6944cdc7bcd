package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/jmoiron/sqlx"
)

// Restore replaces the database o.Path by a copy of backup and returns the name under which it kept the old one (""
// when there was none). It checks the copy before it changes anything: the file is an undamaged SQLite database, its
// references are valid, this binary knows its schema, and check (which may be nil) accepts it. It fails with ErrInUse
// while a server or any other process uses the database.
//
// At every moment o.Path is either the old database or the new one (on a file system without links it is missing for a
// moment), and a log of the old one is never beside the new one. The backup itself is only read.
func Restore(ctx context.Context, backup string, o Options, check func(*DB) error) (kept string, err error) {
	if o.Path, err = restoreTarget(backup, o.Path); err != nil {
		return "", err
	}
	lock, err := lockAlone(o.Path)
	if err != nil {
		return "", err
	}
	defer lock.release()
	part, err := partFile(o.Path)
	if err != nil {
		return "", err
	}
	defer removeDatabase(part)
	if err := copyDatabase(backup, part); err != nil {
		return "", err
	}
	if err := prove(ctx, part, o, check); err != nil {
		if isDamaged(err) {
			for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(inner) {
				err = inner // the error of SQLite itself, without advice about the copy
			}
			return "", fmt.Errorf("%s is damaged (%w); nothing was changed; try an older backup", backup, err)
		}
		return "", fmt.Errorf("%s can't be restored, nothing was changed: %w", backup, err)
	}
	if exists(o.Path) {
		if kept, err = keepOld(ctx, o.Path); err != nil {
			return "", err
		}
	}
	if err := os.Rename(part, o.Path); err != nil {
		return kept, err
	}
	// What waits to be sent to replicas is of the old database.
	if err := os.RemoveAll(o.Path + "-replica"); err != nil {
		return kept, err
	}
	return kept, syncDir(o.Path)
}

// restoreTarget follows links to the file to replace, which may be missing. It must not be the backup.
func restoreTarget(backup, path string) (string, error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	from, err := os.Stat(backup)
	if err != nil {
		return "", fmt.Errorf("there is no backup to restore: %w", err)
	}
	if !from.Mode().IsRegular() {
		return "", fmt.Errorf("%s is not a file", backup)
	}
	if to, err := os.Stat(path); err == nil && os.SameFile(from, to) {
		return "", fmt.Errorf("%s is the database itself; name a backup", backup)
	}
	return path, nil
}

// copyDatabase copies a database and its log, if it has one. It copies bytes, because opening the backup as a database
// might create files beside it.
func copyDatabase(from, to string) error {
	if sound, err := hasHeader(from); err != nil || !sound {
		return errors.Join(err, fmt.Errorf("%s is not a SQLite database; name a file made by `daybook backup`", from))
	}
	if err := copyFile(from, to); err != nil {
		return err
	}
	if exists(from + "-wal") {
		return copyFile(from+"-wal", to+"-wal")
	}
	return nil
}

// hasHeader tells whether the file begins like a SQLite database. It opens and closes the file, so no connection of
// this process may use it (see fileLock).
func hasHeader(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	head := make([]byte, 16)
	n, err := io.ReadFull(f, head)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return string(head[:n]) == "SQLite format 3\x00", err
}

func copyFile(from, to string) error {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, ownerOnly)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, src)
	return errors.Join(err, dst.Sync(), dst.Close())
}

// prove opens the copy, which moves its log into it, and checks everything in it.
func prove(ctx context.Context, part string, o Options, check func(*DB) error) error {
	o.Path, o.Create, o.ReadOnly, o.Serving = part, false, false, false
	db, err := Open(ctx, o)
	if err != nil {
		return err
	}
	err = db.proveOpen(ctx, check)
	if err := errors.Join(err, db.Close()); err != nil {
		return err
	}
	if exists(part + "-wal") {
		return errors.New("its log could not be folded in")
	}
	return syncFile(part)
}

func (db *DB) proveOpen(ctx context.Context, check func(*DB) error) error {
	if err := db.CheckIntegrity(ctx); err != nil {
		return err
	}
	if err := db.KnownSchema(ctx); err != nil {
		return err
	}
	if check == nil {
		return nil
	}
	return check(db)
}

// CheckIntegrity reads the whole file and fails at the first damaged page, wrong index or invalid reference.
func (db *DB) CheckIntegrity(ctx context.Context) error {
	var found string
	if err := db.side.GetContext(ctx, &found, "PRAGMA integrity_check(1)"); err != nil {
		return explain(db.o.Path, err)
	}
	if found != "ok" {
		return fmt.Errorf("%s is damaged: %s", filepath.Base(db.o.Path), found)
	}
	return checkReferences(ctx, db.side, db.o.Path)
}

// keepOld gives the old database a second name, so that the file under the first name can be replaced, and removes its
// log. Leaving WAL mode moves the log into the file, removes the log and the shared memory, and fails while another
// program, such as sqlite3's shell, has the file open. A file that is too damaged for that keeps its log under the new
// name. A file without a header is not opened, because SQLite would remove its log.
func keepOld(ctx context.Context, path string) (kept string, err error) {
	kept = besides(path, "replaced")
	sound, err := hasHeader(path)
	if err == nil && sound {
		err = leaveWAL(ctx, path)
	}
	if isBusy(err) {
		return "", fmt.Errorf("%s is open in another program; close it first: %w", filepath.Base(path), ErrInUse)
	}
	if err != nil && !isDamaged(err) {
		return "", err
	}
	if err := os.Link(path, kept); err != nil {
		if err := os.Rename(path, kept); err != nil { // a file system without links
			return "", err
		}
	}
	if exists(path + "-wal") {
		if err := os.Rename(path+"-wal", kept+"-wal"); err != nil {
			return kept, err
		}
	}
	if err := os.Remove(path + "-shm"); err != nil && !errors.Is(err, os.ErrNotExist) {
		return kept, err
	}
	return kept, syncDir(path)
}

func leaveWAL(ctx context.Context, path string) error {
	o := Options{Path: path}
	db, err := sqlx.Open(driverName, o.dsn(maintaining))
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	var mode string
	err = db.GetContext(ctx, &mode, "PRAGMA journal_mode=DELETE")
	if err == nil && mode != "delete" {
		err = fmt.Errorf("%s stays in journal mode %s", path, mode)
	}
	return errors.Join(err, db.Close())
}

func removeDatabase(path string) {
	for _, suffix := range []string{"", "-wal", "-shm", "-journal", "-lock"} {
		os.Remove(path + suffix)
	}
}
