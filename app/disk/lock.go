package disk

import (
	"errors"
	"os"
)

// Kind is how a byte is locked.
type Kind int

const (
	// Shared is a lock that others may share.
	Shared Kind = iota + 1
	// Exclusive is a lock that one handle has alone.
	Exclusive
)

// ErrLocked is the error where another handle has a byte locked.
var ErrLocked = errors.New("locked by another process")

// File is a file whose bytes serve as locks between processes, and between handles in one process: two handles exclude
// each other as two processes do. The system releases a handle's locks when it is closed, and when the process ends in
// any way. What the file holds can be read and written whoever has its locks.
type File struct {
	*os.File
	locked map[int64]Kind
}

// OpenLocks opens a file whose bytes are locks, readable by its owner only, and makes it where there is none.
func OpenLocks(path string) (*File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	return &File{f, map[int64]Kind{}}, nil
}

// Lock locks one byte without waiting, or changes how this handle has it locked. The error is ErrLocked when another
// handle has it; then this one's lock is what it was. On Windows, where no lock can be changed from Shared to Exclusive
// without a moment in which there is none, that is ErrLocked, too.
func (f *File) Lock(b int64, k Kind) error {
	had := f.locked[b]
	if had == k {
		return nil
	}
	err := f.lock(b, had, k)
	if err == nil {
		f.locked[b] = k
	}
	return err
}

// Unlock ends this handle's lock of a byte, if it has one.
func (f *File) Unlock(b int64) error {
	if f.locked[b] == 0 {
		return nil
	}
	delete(f.locked, b)
	return f.unlock(b)
}

// Free reports whether no other handle has any byte from the one up to the other locked. This handle's own locks don't
// count, but on Windows, where there must be none among them.
func (f *File) Free(from, to int64) (bool, error) { return f.free(from, to) }
