package replica_test

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"daybook/store/replica"
)

// A test restore goes well, amid writes too, and finds a copy that is damaged. It leaves nothing behind.
func TestTestRestore(t *testing.T) {
	t.Parallel()
	o := inFolder(t)
	b := newBed(t, nil, o)
	b.write(50)
	b.synced()
	tried, err := b.replica.TestRestore(t.Context(), b.db)
	if b.must(err); tried != o.String() {
		t.Errorf("it tried %q, want %q", tried, o)
	}
	var writing sync.WaitGroup
	writing.Go(func() { b.write(200) })
	_, err = b.replica.TestRestore(t.Context(), b.db)
	b.must(err)
	writing.Wait()
	left, err := filepath.Glob(b.path + "-replica/test-*")
	b.must(err)
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	b.synced()
	damaged := 0
	root := strings.TrimPrefix(o.String(), "file://")
	b.must(filepath.WalkDir(filepath.Join(root, "ltx"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		content[len(content)/2] ^= 0xff
		damaged++
		return os.WriteFile(path, content, 0o600)
	}))
	if _, err := b.replica.TestRestore(t.Context(), b.db); err == nil {
		t.Errorf("nothing says that %d files are damaged", damaged)
	}
}

// A test restore finds a copy that is sound and lacks rows: here that of a target whose newest files are gone.
func TestTestRestoreOfMissingRows(t *testing.T) {
	t.Parallel()
	o := &forgetful{Objects: inFolder(t)}
	b := newBed(t, nil, o)
	b.write(50)
	b.synced()
	_, err := b.replica.TestRestore(t.Context(), b.db)
	b.must(err)
	o.deaf.Store(true)
	b.write(10)
	b.synced()
	_, err = b.replica.TestRestore(t.Context(), b.db)
	if err == nil || !strings.Contains(err.Error(), "the copy has 50 rows of notes, the database 60") {
		t.Errorf("a copy that lacks ten notes: %v", err)
	}
}

// forgetful is a target that says it has what it was given, and has not.
type forgetful struct {
	replica.Objects
	deaf atomic.Bool
}

func (f *forgetful) Write(ctx context.Context, name string, content io.ReadSeeker, size int64) error {
	if f.deaf.Load() {
		return nil
	}
	return f.Objects.Write(ctx, name, content, size)
}
