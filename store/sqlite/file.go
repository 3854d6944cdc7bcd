package sqlite

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"daybook/app/disk"
)

const ownerOnly = 0o600

// createFile makes an empty file that only its owner can read, unless the file exists. SQLite gives -wal and -shm the
// same mode.
func createFile(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, ownerOnly)
	if errors.Is(err, os.ErrExist) {
		return nil // never open an existing one: closing it would drop the locks that SQLite holds in this process
	}
	if err != nil {
		return fmt.Errorf("can't create the database; choose another --db: %w", err)
	}
	return errors.Join(f.Close(), syncDir(path))
}

// findFile follows links to the file's real name, which the lock and the log are named after, and makes it private.
func findFile(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("there is no database %s; make one with `daybook serve --db %s`, or name yours with --db: %w",
			path, path, err)
	}
	if err != nil {
		return "", err
	}
	if real, err = filepath.Abs(real); err != nil {
		return "", err
	}
	info, err := os.Stat(real)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is not a file; name the database with --db", path)
	}
	if !disk.OthersMayRead(info) {
		return real, nil
	}
	return real, shutOut(real)
}

// shutOut removes all rights of other users to the file and the files that SQLite keeps beside it.
func shutOut(path string) error {
	for _, p := range []string{path, path + "-wal", path + "-shm"} {
		if err := os.Chmod(p, ownerOnly); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("others may read %s; run `chmod 600` on it as its owner: %w", p, err)
		}
	}
	return nil
}

// besides names a file to keep beside the database, such as daybook.db.20261121T103000.123Z.snapshot. Names with the
// same ending sort by time.
func besides(path, kind string) string {
	for {
		name := path + "." + time.Now().UTC().Format("20060102T150405.000Z") + "." + kind
		if !exists(name) { // otherwise the next millisecond has another name
			return name
		}
	}
}

// syncFile makes the content of a closed file survive a power cut.
func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// syncDir makes the names in path's directory survive a power cut.
func syncDir(path string) error { return disk.SyncDir(filepath.Dir(path)) }

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// defaultReaders leaves room for short reads beside a few long ones.
func defaultReaders() int { return min(max(2*runtime.GOMAXPROCS(0), 4), 16) }
