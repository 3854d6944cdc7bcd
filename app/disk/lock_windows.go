package disk

import (
	"errors"

	"golang.org/x/sys/windows"
)

// lockBase is where the bytes that serve as locks lie, far beyond what a file holds: nobody but the holder may read or
// write a locked byte on Windows.
const lockBase = 1 << 62

// lock takes a lock with LockFileEx. Of an exclusive and a shared lock that one handle has on the same byte, Windows
// ends the exclusive one first.
func (f *File) lock(b int64, had, k Kind) error {
	if had == Shared {
		return ErrLocked
	}
	handle, at := windows.Handle(f.Fd()), place(b)
	flags := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if k == Exclusive {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	err := windows.LockFileEx(handle, flags, 0, 1, 0, at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return ErrLocked
	}
	if err == nil && had == Exclusive {
		err = windows.UnlockFileEx(handle, 0, 1, 0, place(b))
	}
	return err
}

func place(b int64) *windows.Overlapped {
	at := uint64(lockBase + b)
	return &windows.Overlapped{Offset: uint32(at), OffsetHigh: uint32(at >> 32)}
}

// free takes the lock for a moment.
func (f *File) free(from, to int64) (bool, error) {
	handle, n := windows.Handle(f.Fd()), uint64(to-from)
	err := windows.LockFileEx(handle, windows.LOCKFILE_FAIL_IMMEDIATELY|windows.LOCKFILE_EXCLUSIVE_LOCK, 0, uint32(n),
		uint32(n>>32), place(from))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return false, nil
	}
	if err == nil {
		err = windows.UnlockFileEx(handle, 0, uint32(n), uint32(n>>32), place(from))
	}
	return err == nil, err
}

func (f *File) unlock(b int64) error {
	return windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, place(b))
}
