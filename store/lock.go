package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// fileLock says which processes have the database: everyone who opens it holds the first byte of <db>-lock shared,
// a restore holds it alone; a server holds the second byte alone.
//
// It is a file of its own because any close of the database file would drop the POSIX locks that SQLite holds in this
// process. The locks are of the open file description (OFD): the kernel lets go of them when the process dies, however
// it dies, and two handles in one process exclude each other as two processes do. The last to close removes the file;
// one left behind by kill -9 means nothing.
type fileLock struct {
	f    *os.File
	path string // of the database
}

const (
	openByte   = 0
	serverByte = 1
)

// ErrInUse is in the error of who wants the file alone while another has it.
var ErrInUse = errors.New("the database is in use")

// lockFile takes the part of everyone who opens the database, and a server's too if asked.
func lockFile(path string, server bool) (*fileLock, error) {
	l, err := takeLock(path, syscall.F_RDLCK)
	if err != nil {
		return nil, err
	}
	if !server {
		return l, nil
	}
	if err := l.set(serverByte, syscall.F_WRLCK); err != nil {
		holder := l.holder()
		l.release()
		return nil, fmt.Errorf("%s is already served%s; stop that server first: %w", filepath.Base(path), holder, ErrInUse)
	}
	if err := l.f.Truncate(0); err == nil {
		fmt.Fprintf(l.f, "%d\n", os.Getpid()) // for people, and for the message above
	}
	return l, nil
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
		l := &fileLock{f: f, path: path}
		if err := l.set(openByte, kind); err != nil {
			holder := l.holder()
			f.Close()
			return nil, fmt.Errorf("%s is in use by another process%s; stop it first: %w", filepath.Base(path), holder, ErrInUse)
		}
		mine, err1 := f.Stat()
		named, err2 := os.Stat(name)
		if err1 == nil && err2 == nil && os.SameFile(mine, named) {
			return l, nil
		}
		f.Close()
	}
}

func (l *fileLock) set(b int64, kind int16) error {
	return syscall.FcntlFlock(l.f.Fd(), setOFDLock, &syscall.Flock_t{Type: kind, Whence: io.SeekStart, Start: b, Len: 1})
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

func (l *fileLock) release() error {
	if l.set(serverByte, syscall.F_WRLCK) == nil {
		l.f.Truncate(0)
		if l.set(openByte, syscall.F_WRLCK) == nil {
			os.Remove(l.f.Name())
		}
	}
	return l.f.Close()
}
