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
