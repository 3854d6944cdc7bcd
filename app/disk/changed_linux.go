package disk

import (
	"fmt"
	"io/fs"
	"syscall"
)

// Changed says which file it is and when it was last changed in any way, which nobody can set: a file that was put in
// another's place has something else, even if its size and time are the same. On Windows it is "".
func Changed(info fs.FileInfo) string {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%d %d.%09d", s.Ino, s.Ctim.Sec, s.Ctim.Nsec)
}
