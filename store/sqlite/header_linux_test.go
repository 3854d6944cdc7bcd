package sqlite

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// While a DB of the file is open, the process keeps SQLite's locks on the log's index, though another DB of the file, by
// whatever name, is closed; when all are, nothing of the file is open.
func TestHeaderKeepsLocks(t *testing.T) {
	db := openTest(t)
	locks := func() int {
		t.Helper()
		info, err := os.Stat(db.Path() + "-shm")
		if err != nil {
			t.Fatal(err)
		}
		all, err := os.ReadFile("/proc/locks")
		if err != nil {
			t.Skip(err)
		}
		n := 0
		for line := range strings.Lines(string(all)) {
			file := fmt.Sprintf(":%d ", info.Sys().(*syscall.Stat_t).Ino)
			if strings.Contains(line, fmt.Sprintf(" %d ", os.Getpid())) && strings.Contains(line, file) {
				n++
			}
		}
		return n
	}
	if locks() == 0 {
		t.Skip("this system doesn't tell of the locks")
	}
	dir := t.TempDir()
	t.Chdir(filepath.Dir(db.Path()))
	if err := os.Symlink(db.Path(), filepath.Join(dir, "link.db")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Dir(db.Path()), filepath.Join(dir, "folder")); err != nil {
		t.Fatal(err)
	}
	base := filepath.Base(db.Path())
	for _, name := range []string{db.Path(), base, "./" + base, filepath.Join(dir, "link.db"),
		filepath.Join(dir, "folder", base)} {
		o := db.o
		o.Path = name
		other, err := Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if &db.version.header[0] != &other.version.header[0] {
			t.Errorf("%s has a handle of its own", name)
		}
		if err := other.Close(); err != nil {
			t.Fatal(err)
		}
		if locks() == 0 {
			t.Fatalf("closing %s has dropped the locks of %s", name, db.Path())
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	headers.Lock()
	defer headers.Unlock()
	if h := headers.of[db.Path()]; h != nil {
		t.Errorf("%d use the header of a closed file", h.users)
	}
}
