package disk

import (
	"io/fs"
	"math"

	"golang.org/x/sys/windows"
)

// OthersMayRead is always false here: rights are access lists, which a file takes from its folder and nothing here
// looks at.
func OthersMayRead(fs.FileInfo) bool { return false }

// SyncDir does nothing here: NTFS keeps a journal of names, and a directory can't be flushed.
func SyncDir(string) error { return nil }

// Free is how many bytes this user may still write on the directory's disk.
func Free(dir string) (int64, error) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, err
	}
	var free uint64
	if err := windows.GetDiskFreeSpaceEx(name, &free, nil, nil); err != nil {
		return 0, err
	}
	return int64(min(free, math.MaxInt64)), nil
}
