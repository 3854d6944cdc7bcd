package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// fileLock says which processes have the database: everyone who opens it holds the first byte of <db>-lock shared,
// a restore holds it alone. Several servers may share a file: leases keep them from doing a thing twice, and the first
// to come (JoinServers) ends the leases of those that were killed.
//
// It is a file of its own because any close of the database file would drop the POSIX locks that SQLite holds in this
// process. The locks are of the open file description (OFD): the kernel lets go of them when the process dies, however
// it dies, and two handles in one process exclude each other as two processes do. The last to close removes the file;
// one left behind by kill -9 means nothing.
type fileLock struct {
	f      *os.File
	server bool
}

const (
	openByte   = 0
	serverByte = 1 // shared by the servers; alone for a moment by the first of them
)

// ErrInUse is in the error of who wants the file alone while another has it.
var ErrInUse = errors.New("the database is in use")

// lockFile takes the part of everyone who opens the database; a server leaves its number. It waits a little: who
// closes the database has it alone for an instant.
func lockFile(path string, server bool) (l *fileLock, err error) {
	for deadline := time.Now().Add(time.Second); ; time.Sleep(lockPoll) {
		l, err = takeLock(path, syscall.F_RDLCK)
		if !errors.Is(err, ErrInUse) || time.Now().After(deadline) {
			break
		}
	}
	if err != nil || !server {
		return l, err
	}
	l.server = true
	if err := l.f.Truncate(0); err == nil {
		fmt.Fprintf(l.f, "%d\n", os.Getpid()) // for people, and for the error of a restore
	}
	return l, nil
}

// JoinServers implements engine.Engine.
func (db *DB) JoinServers(ctx context.Context, first func() error) error {
	for {
		err := db.lock.set(serverByte, syscall.F_WRLCK)
		if err == nil {
			return errors.Join(first(), db.lock.set(serverByte, syscall.F_RDLCK))
		}
		if !errors.Is(err, ErrInUse) {
			return err
		}
		if err := db.lock.set(serverByte, syscall.F_RDLCK); !errors.Is(err, ErrInUse) {
			return err
		}
		select { // another one is first at this moment
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(lockPoll):
		}
	}
}

// lockAlone takes the database for this handle only, or fails with ErrInUse.
func lockAlone(path string) (*fileLock, error) { return takeLock(path, syscall.F_WRLCK) }

// takeLock locks the first byte of the lock file that has the name now: between opening and locking, the last holder
// may have removed it.
func takeLock(path string, kind int16) (*fileLock, error) {
	name := path + "-lock"
	for {
		f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, ownerOnly)
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

// set locks one byte without waiting; ErrInUse when another handle has it.
func (l *fileLock) set(b int64, kind int16) error {
	err := syscall.FcntlFlock(l.f.Fd(), setOFDLock, &syscall.Flock_t{Type: kind, Whence: io.SeekStart, Start: b, Len: 1})
	if errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EACCES) {
		return ErrInUse
	}
	return err
}

// holder is " (process 123)" when a server left its number.
func (l *fileLock) holder() string {
	b := make([]byte, 20)
	n, _ := l.f.ReadAt(b, 0)
	if pid := strings.TrimSpace(string(b[:n])); pid != "" {
		return " (process " + pid + ")"
	}
	return ""
}

// release lets go; who turns out to be alone removes the file.
func (l *fileLock) release() error {
	if l.server {
		l.f.Truncate(0)
	}
	if l.set(openByte, syscall.F_WRLCK) == nil {
		os.Remove(l.f.Name())
	}
	return l.f.Close()
}
