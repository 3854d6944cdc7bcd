package outside

import (
	"os"
	"path/filepath"
)

// SharedTemp returns a directory for what programs of other users must reach: the one for temporary files, or /tmp where
// root's tests run with one that only root can enter.
func SharedTemp() string {
	dir := os.TempDir()
	if os.Getuid() != 0 {
		return dir
	}
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err != nil || info.Mode()&0o001 == 0 {
			return "/tmp"
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}
