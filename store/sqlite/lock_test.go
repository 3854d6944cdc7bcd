package sqlite

import (
	"errors"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
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
