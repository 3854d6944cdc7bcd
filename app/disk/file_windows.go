package disk

import (
	"io/fs"
	"math"

	"golang.org/x/sys/windows"
)

// OthersMayRead is always false here: rights are access lists, which a file takes from its folder and nothing here
// looks at.
func OthersMayRead(fs.FileInfo) bool { return false }

// Changed is always "" here: Windows doesn't say through Go when a file was last changed other than what anybody can set.
func Changed(fs.FileInfo) string { return "" }

// SyncDir does nothing here: NTFS keeps a journal of names, and a directory can't be flushed.
func SyncDir(string) error { return nil }

// Space returns how many bytes the directory's disk has, and how many of them this user may still write.
func Space(dir string) (size, free int64, err error) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, 0, err
	}
	var all, mine uint64
	if err := windows.GetDiskFreeSpaceEx(name, &mine, &all, nil); err != nil {
		return 0, 0, err
	}
	return int64(min(all, math.MaxInt64)), int64(min(mine, math.MaxInt64)), nil
}
