//go:build linux || darwin

package disk

import (
	"errors"
	"io"
	"syscall"
)

// lock takes a POSIX lock of the open file description: closing another handle of the file doesn't drop it.
func (f *File) lock(b int64, _, k Kind) error {
	kind := int16(syscall.F_RDLCK)
	if k == Exclusive {
		kind = syscall.F_WRLCK
	}
	err := syscall.FcntlFlock(f.Fd(), setOFDLock, &syscall.Flock_t{Type: kind, Whence: io.SeekStart, Start: b, Len: 1})
	if errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EACCES) {
		return ErrLocked
	}
	return err
}

func (f *File) unlock(b int64) error {
	return syscall.FcntlFlock(f.Fd(), setOFDLock, &syscall.Flock_t{Type: syscall.F_UNLCK, Whence: io.SeekStart, Start: b, Len: 1})
}

// free asks for the lock without taking it.
func (f *File) free(from, to int64) (bool, error) {
	l := syscall.Flock_t{Type: syscall.F_WRLCK, Whence: io.SeekStart, Start: from, Len: to - from}
	if err := syscall.FcntlFlock(f.Fd(), getOFDLock, &l); err != nil {
		return false, err
	}
	return l.Type == syscall.F_UNLCK, nil
}
