package sqlite

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

const ownerOnly = 0o600

// createFile makes an empty file for its owner only, unless there is one. SQLite gives -wal and -shm the same mode.
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

// findFile follows links to the file's one real name, which the lock and the log go by, and shuts others out of it.
func findFile(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("there is no database %s; make one with `daybook serve --db %s`, or name yours with --db: %w", path, path, err)
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
	if info.Mode().Perm()&0o077 == 0 {
		return real, nil
	}
	return real, shutOut(real)
}

// shutOut takes everyone else's rights to the file and its companions.
func shutOut(path string) error {
	for _, p := range []string{path, path + "-wal", path + "-shm"} {
		if err := os.Chmod(p, ownerOnly); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("others may read %s; run `chmod 600` on it as its owner: %w", p, err)
		}
	}
	return nil
}

// besides names a file kept beside the database, so that names of a kind sort by time: daybook.db.20261121T103000.123Z.snapshot
func besides(path, kind string) string {
	for {
		name := path + "." + time.Now().UTC().Format("20060102T150405.000Z") + "." + kind
		if !exists(name) { // else a millisecond is soon over
			return name
		}
	}
}

// syncFile makes a closed file's content survive a power cut.
func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// syncDir makes the names in path's directory survive a power cut.
func syncDir(path string) error {
	d, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// defaultReaders leaves room beside a few long reads for the short ones.
func defaultReaders() int { return min(max(2*runtime.GOMAXPROCS(0), 4), 16) }
