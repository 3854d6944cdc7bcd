//go:build unix

package serve

import "syscall"

// openFiles returns how many files this process may open; 0 where that can't
// be known.
func openFiles() uint64 {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return 0
	}
	return uint64(limit.Cur)
}
