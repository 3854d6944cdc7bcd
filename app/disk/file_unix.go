//go:build linux || darwin

package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// OthersMayRead tells whether anybody but its owner has a right to the file. On Windows it is always false: rights are
// access lists there, which a file takes from its folder and nothing here looks at.
func OthersMayRead(info fs.FileInfo) bool { return info.Mode().Perm()&0o077 != 0 }

// Changed says which file it is and when it was last changed in any way, which nobody can set: a file that was put in
// another's place has something else, even if its size and time are the same. On Windows it is "".
func Changed(info fs.FileInfo) string {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	at := changedAt(s)
	return fmt.Sprintf("%d %d.%09d", s.Ino, at.Sec, at.Nsec)
}

// SyncDir makes the names in a directory survive a power cut. On Windows it does nothing: NTFS keeps a journal of
// names, and a directory can't be flushed.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// Space returns how many bytes the directory's disk has, and how many of them this user may still write.
func Space(dir string) (size, free int64, err error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, 0, err
	}
	return int64(s.Blocks) * int64(s.Bsize), int64(s.Bavail) * int64(s.Bsize), nil
}
