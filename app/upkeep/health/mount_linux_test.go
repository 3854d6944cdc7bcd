package health_test

import (
	"syscall"
	"testing"
)

// mountSmall mounts a file system of 8 MiB over dir, if this user may.
func mountSmall(t *testing.T, dir string) (unmount func(), ok bool) {
	t.Helper()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=8m"); err != nil {
		return nil, false
	}
	return func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	}, true
}
