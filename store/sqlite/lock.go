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
type fileLock struct {
	f      *disk.File
	server bool
}

const (
	openByte   = 0
	serverByte = 1 // shared by the servers; exclusive for a moment by the first of them
)

// ErrInUse is in the error of an operation that needs the file for itself while another process uses it.
var ErrInUse = errors.New("the database is in use")

// lockFile takes the shared lock of a process that opens the database; a server writes its process id. It waits a
// little, because a process that closes the database holds the exclusive lock for an instant.
func lockFile(path string, server bool) (l *fileLock, err error) {
	for deadline := time.Now().Add(time.Second); ; time.Sleep(lockPoll) {
		l, err = takeLock(path, disk.Shared)
		if !errors.Is(err, ErrInUse) || time.Now().After(deadline) {
			break
		}
	}
	if err != nil || !server {
		return l, err
	}
	l.server = true
	if err := l.f.Truncate(0); err == nil {
		fmt.Fprintf(l.f, "%d\n", os.Getpid()) // people may read it, and the error of a restore shows it
	}
	return l, nil
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

// holder is " (process 123)" when a server wrote its process id.
func (l *fileLock) holder() string {
	b := make([]byte, 20)
	n, _ := l.f.ReadAt(b, 0)
	if pid := strings.TrimSpace(string(b[:n])); pid != "" {
		return " (process " + pid + ")"
	}
	return ""
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
