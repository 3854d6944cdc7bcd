//go:build linux || darwin

package disk

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// OthersMayRead tells whether anybody but its owner has a right to the file. On Windows it is always false: rights are
// access lists there, which a file takes from its folder and nothing here looks at.
func OthersMayRead(info fs.FileInfo) bool { return info.Mode().Perm()&0o077 != 0 }

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
