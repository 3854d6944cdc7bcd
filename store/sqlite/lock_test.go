package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daybook/app/disk"
)

// Handles come and go, the last of them removing the lock file under the feet of the next: whoever has the file alone
// must be alone.
func TestLockAloneIsAlone(t *testing.T) {
	path := t.TempDir() + "/daybook.db"
	var shared, alone, taken atomic.Int64
	var wg sync.WaitGroup
	for c := range 8 {
		wg.Go(func() {
			for range 400 {
				take, count := func() (*fileLock, error) { return lockFile(path, false, 1) }, &shared
				if c%2 == 0 {
					take, count = func() (*fileLock, error) { return lockAlone(path) }, &alone
				}
				l, err := take()
				if errors.Is(err, ErrInUse) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				taken.Add(1)
				count.Add(1)
				if a := alone.Load(); a > 1 || a == 1 && shared.Load() > 0 {
					t.Errorf("%d alone and %d others have the file", a, shared.Load())
				}
				count.Add(-1)
				if err := l.release(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if taken.Load() == 0 {
		t.Error("nobody ever had it")
	}
	if exists(path+"-lock") && runtime.GOOS != "windows" {
		t.Error("the last one left the lock file")
	}
}

// A lock on a file that lost its name to another is worth nothing; takeLock tries again then.
func TestLockKnowsThatItsFileIsGone(t *testing.T) {
	path := t.TempDir() + "/daybook.db"
	l, err := lockFile(path, false, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer l.f.Close()
	if !l.isNamed() {
		t.Error("a fresh lock")
	}
	if err := os.Remove(l.f.Name()); err != nil {
		t.Fatal(err)
	}
	if l.isNamed() {
		t.Error("a removed file")
	}
	if err := os.WriteFile(l.f.Name(), nil, ownerOnly); err != nil {
		t.Fatal(err)
	}
	if l.isNamed() {
		t.Error("another file of the name")
	}
}

// SQLite's own locks are dropped when this process closes another handle of the file, as the Replicator does when it begins
// anew. Nobody else can take the file for one that is closed then, move its log away and remove it: SQLite asks for these
// bytes alone first. Once it is closed, somebody can.
func TestFileStaysGuarded(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no handle drops the locks of others there")
	}
	db := openTest(t, serving, func(o *Options) { o.Hold = true })
	closed := func() bool {
		t.Helper()
		f, err := disk.OpenLocks(db.Path())
		if err != nil {
			t.Fatal(err)
		}
		free, err := f.Free(sharedByte, sharedByte+510)
		if err := errors.Join(err, f.Close()); err != nil { // which drops SQLite's locks
			t.Fatal(err)
		}
		return free
	}
	for range 2 {
		if closed() {
			t.Fatal("the file can be taken for one that nobody has open")
		}
		mustAddHost(t, db, fmt.Sprint("host", time.Now().UnixNano()))
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if !closed() {
		t.Error("it can't be taken once it is closed")
	}
	if _, err := os.Stat(db.Path() + "-wal"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the last to close leaves a log: %v", err)
	}
}
