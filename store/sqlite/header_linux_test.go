package sqlite

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
)

// While a DB of the file is open, the process keeps SQLite's locks on the log's index, though another DB of the file is
// closed; when all are, nothing of the file is open.
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
			if strings.Contains(line, fmt.Sprintf(" %d ", os.Getpid())) && strings.Contains(line, fmt.Sprintf(":%d ", info.Sys().(*syscall.Stat_t).Ino)) {
				n++
			}
		}
		return n
	}
	if locks() == 0 {
		t.Skip("this system doesn't tell of the locks")
	}
	other, err := Open(t.Context(), db.o)
	if err != nil {
		t.Fatal(err)
	}
	if &db.version.header[0] != &other.version.header[0] {
		t.Error("each has a handle of its own")
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	if locks() == 0 {
		t.Error("closing one DB has dropped the locks of the other one")
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
