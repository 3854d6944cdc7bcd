package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

const keepSnapshots = 3

// Backup writes a consistent copy to the new file dest, readable by its owner only, while reads and writes go on. dest
// appears once the copy is complete and on the disk. An existing file is never replaced.
func (db *DB) Backup(ctx context.Context, dest string) (err error) {
	if exists(dest) {
		return fmt.Errorf("%s exists already; name a new file: %w", dest, os.ErrExist)
	}
	part, err := partFile(dest)
	if err != nil {
		return fmt.Errorf("can't write %s; choose another place: %w", dest, err)
	}
	defer removeDatabase(part) // a full disk leaves its journal, too
	if _, err := db.side.ExecContext(ctx, "VACUUM INTO ?", part); err != nil {
		return copyError(ctx, db.o.Path, dest, err)
	}
	if err := syncFile(part); err != nil {
		return err
	}
	if err := nameNew(part, dest); err != nil {
		return err
	}
	return syncDir(dest)
}

func copyError(ctx context.Context, path, dest string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if isDamaged(err) {
		return explain(path, err)
	}
	return explain(dest, err)
}

// Snapshot backs the database up beside itself, as <db>.<UTC time>.snapshot, and keeps the newest three. It removes what
// killed processes left of theirs, so only one may make one at a time.
func (db *DB) Snapshot(ctx context.Context) (path string, err error) {
	halves, err := besideNamed(db.o.Path, ".", ".snapshot.part-*")
	if err != nil {
		return "", err
	}
	for _, half := range halves {
		if err := os.Remove(half); err != nil {
			return "", err
		}
	}
	path = besides(db.o.Path, "snapshot")
	if err := db.Backup(ctx, path); err != nil {
		return "", err
	}
	all, err := Snapshots(db.o.Path)
	if err != nil {
		return path, err
	}
	for _, old := range all[min(keepSnapshots, len(all)):] {
		if err := os.Remove(old); err != nil {
			return path, err
		}
	}
	return path, nil
}

// Snapshots names the snapshots beside the database at path, the newest first.
func Snapshots(path string) ([]string, error) {
	all, err := besideNamed(path, "", ".snapshot")
	slices.Reverse(all)
	return all, err
}

// besideNamed lists the files beside the database at path whose names have a time between its own and the pattern, the
// oldest first.
func besideNamed(path, prefix, pattern string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	var all []string
	for _, e := range entries {
		const stamp = "????????T??????.???Z"
		// The pattern contains no part of the path, which may contain characters that patterns give a meaning.
		if rest, ok := cutName(e.Name(), prefix+filepath.Base(path)+"."); ok {
			if is, _ := filepath.Match(stamp+pattern, rest); is {
				all = append(all, filepath.Join(filepath.Dir(path), e.Name()))
			}
		}
	}
	slices.Sort(all)
	return all, nil
}

func cutName(name, prefix string) (rest string, ok bool) {
	if len(name) < len(prefix) || name[:len(prefix)] != prefix {
		return "", false
	}
	return name[len(prefix):], true
}

// partFile makes an empty file beside dest that only its owner can read.
func partFile(dest string) (string, error) {
	f, err := os.CreateTemp(filepath.Dir(dest), "."+filepath.Base(dest)+".part-*") // 0600
	if err != nil {
		return "", err
	}
	return f.Name(), f.Close()
}

// nameNew gives the finished file its name and never replaces another file: unlike a rename, a link fails when the
// name exists. On a file system without links it checks the name again instead.
func nameNew(part, dest string) error {
	err := os.Link(part, dest)
	if err == nil || errors.Is(err, os.ErrExist) {
		return err
	}
	if exists(dest) {
		return fmt.Errorf("%s exists already; name a new file: %w", dest, os.ErrExist)
	}
	return os.Rename(part, dest)
}
