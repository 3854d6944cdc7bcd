package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"daybook/app/disk"
	"daybook/app/share"
)

// fileLock tells which processes use the database. Every process that opens it holds a shared lock on the first byte
// of <db>-lock, and a restore holds an exclusive one. Several servers may share a file: leases keep them from doing
// the same thing twice, and the first server (see JoinServers) ends the leases of those that were killed.
//
// It is a separate file because closing any handle of the database file would drop the POSIX locks that SQLite holds
// in this process. The last process removes the file (on Windows nobody does). One that is left after kill -9 means
// nothing.
//
// Each process also shares the byte that stands for the newest migration that its program knows, so that programs which
// would need different schemas find each other: see alike.
type fileLock struct {
	f       *disk.File
	server  bool
	version int // the newest migration of this program
}

const (
	openByte      = 0
	oldServerByte = 1 // shared by the servers of releases that have no byte for their migrations
	serverByte    = 3 // shared by the servers; exclusive for a moment by the first of them

	versions    = 1 << 40 // behind it lie the bytes of all migrations: their times are numbers of 12 digits
	endVersions = 1 << 41
)

// ErrOther is in the error where another process has the file whose program knows another newest migration.
var ErrOther = errors.New("a process of another version has the database")

// ErrInUse is in the error of an operation that needs the file for itself while another process uses it.
var ErrInUse = errors.New("the database is in use")

// lockFile takes the shared lock of a process that opens the database, and that of its newest migration; a server writes
// its process id and that migration. It waits a little, because a process that closes the database holds the exclusive
// lock for an instant.
func lockFile(path string, server bool, version int) (l *fileLock, err error) {
	for deadline := time.Now().Add(time.Second); ; time.Sleep(lockPoll) {
		l, err = takeLock(path, disk.Shared)
		if !errors.Is(err, ErrInUse) || time.Now().After(deadline) {
			break
		}
	}
	if err == nil {
		l.version = version
		if err = l.set(versions+int64(version), disk.Shared); err != nil {
			err = errors.Join(err, l.release())
		}
	}
	if err != nil || !server {
		return l, err
	}
	if err := l.alike(); err != nil {
		return nil, errors.Join(err, l.release())
	}
	l.server = true
	if err := l.f.Truncate(0); err == nil {
		fmt.Fprintf(l.f, "%d %d\n", os.Getpid(), version) // people may read it, and errors show it
	}
	return l, nil
}

// alike fails with ErrOther while another process has the file whose program knows another newest migration, or is of a
// release that doesn't tell: the schema would change under the one or the other.
func (l *fileLock) alike() error {
	own := versions + int64(l.version)
	for _, others := range [][2]int64{{oldServerByte, oldServerByte + 1}, {versions, own}, {own + 1, endVersions}} {
		free, err := l.f.Free(others[0], others[1])
		if err != nil {
			return err
		}
		if !free {
			return fmt.Errorf("%s is in use by another process%s, which is of another version of Daybook than this one "+
				"(migration %d): stop it first, or use its version: %w",
				strings.TrimSuffix(filepath.Base(l.f.Name()), "-lock"), l.holder(), l.version, ErrOther)
		}
	}
	return nil
}

// JoinServers implements engine.Engine. What a killed server had claimed waits for its lease.
func (db *DB) JoinServers(ctx context.Context, first func() error, _ func(context.Context, int64) error) error {
	for {
		err := db.lock.set(serverByte, disk.Exclusive)
		if err == nil {
			return errors.Join(first(), db.lock.set(serverByte, disk.Shared))
		}
		if !errors.Is(err, ErrInUse) {
			return err
		}
		if err := db.lock.set(serverByte, disk.Shared); !errors.Is(err, ErrInUse) {
			return err
		}
		select { // another server is just becoming the first
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(lockPoll):
		}
	}
}

// Share implements engine.Engine: several servers of a file all do everything, and their claims are exact.
func (db *DB) Share() share.Share { return share.Whole(1) }

// lockAlone takes the exclusive lock, or fails with ErrInUse.
func lockAlone(path string) (*fileLock, error) { return takeLock(path, disk.Exclusive) }

// takeLock locks the first byte of the lock file. It opens the file again when the last holder removed it between
// opening and locking.
func takeLock(path string, kind disk.Kind) (*fileLock, error) {
	name := path + "-lock"
	for {
		f, err := disk.OpenLocks(name)
		if err != nil {
			return nil, fmt.Errorf("can't lock %s; its directory must be writable: %w", filepath.Base(path), err)
		}
		l := &fileLock{f: f}
		if err := l.set(openByte, kind); err != nil {
			err = fmt.Errorf("%s is in use by another process%s; stop it first: %w", filepath.Base(path), l.holder(), err)
			return nil, errors.Join(err, f.Close())
		}
		if l.isNamed() {
			return l, nil
		}
		f.Close()
	}
}

func (l *fileLock) isNamed() bool {
	mine, err1 := l.f.Stat()
	named, err2 := os.Stat(l.f.Name())
	return err1 == nil && err2 == nil && os.SameFile(mine, named)
}

// set locks one byte without waiting. The error is ErrInUse when another handle has it.
func (l *fileLock) set(b int64, kind disk.Kind) error {
	err := l.f.Lock(b, kind)
	if errors.Is(err, disk.ErrLocked) {
		return ErrInUse
	}
	return err
}

// holder is " (process 123, migration 202611230915)" when a server wrote that; older releases write the process id only.
func (l *fileLock) holder() string {
	b := make([]byte, 40)
	n, _ := l.f.ReadAt(b, 0)
	pid, version, _ := strings.Cut(strings.TrimSpace(string(b[:n])), " ")
	switch {
	case pid == "":
		return ""
	case version == "":
		return " (process " + pid + ")"
	}
	return " (process " + pid + ", migration " + version + ")"
}

// release releases the lock. The last holder removes the file.
func (l *fileLock) release() error {
	if l.server {
		l.f.Truncate(0)
	}
	if l.set(openByte, disk.Exclusive) == nil {
		os.Remove(l.f.Name())
	}
	return l.f.Close()
}

// CheckUnused fails with ErrInUse in the error while any process has the database open.
func CheckUnused(path string) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	l, err := lockAlone(path)
	if err != nil {
		return err
	}
	return l.release()
}
