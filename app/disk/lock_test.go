package disk_test

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"daybook/app/disk"
)

func open(t *testing.T, path string) *disk.File {
	t.Helper()
	f, err := disk.OpenLocks(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// want locks a byte and expects the error.
func want(t *testing.T, f *disk.File, b int64, k disk.Kind, err error) {
	t.Helper()
	if got := f.Lock(b, k); !errors.Is(got, err) || err == nil && got != nil {
		t.Errorf("byte %d, kind %d: %v, want %v", b, k, got, err)
	}
}

// Two handles of one process exclude each other.
func TestLocksExclude(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	one, two := open(t, path), open(t, path)
	want(t, one, 0, disk.Exclusive, nil)
	want(t, one, 0, disk.Exclusive, nil) // again
	want(t, two, 0, disk.Exclusive, disk.ErrLocked)
	want(t, two, 0, disk.Shared, disk.ErrLocked)
	want(t, two, 1, disk.Exclusive, nil) // another byte
	want(t, one, 1, disk.Shared, disk.ErrLocked)
	want(t, one, 0, disk.Shared, nil)
	want(t, two, 0, disk.Shared, nil)
	want(t, two, 0, disk.Exclusive, disk.ErrLocked) // one shares it
	three := open(t, path)
	want(t, three, 0, disk.Exclusive, disk.ErrLocked)
	one.Close()
	want(t, three, 0, disk.Exclusive, disk.ErrLocked) // two kept its share
	two.Close()
	want(t, three, 0, disk.Exclusive, nil)
	if _, err := three.WriteString("123"); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "123" {
		t.Errorf("what the file holds can't be read by others: %q %v", text, err)
	}
}

// A lone share becomes exclusive, but not on Windows.
func TestLockOfOneShare(t *testing.T) {
	f := open(t, filepath.Join(t.TempDir(), "lock"))
	want(t, f, 0, disk.Shared, nil)
	if runtime.GOOS == "windows" {
		want(t, f, 0, disk.Exclusive, disk.ErrLocked)
		return
	}
	want(t, f, 0, disk.Exclusive, nil)
}

// A process that is killed has no locks any more.
func TestLocksEndWithTheProcess(t *testing.T) {
	path := os.Getenv("DAYBOOK_TEST_LOCK")
	if path != "" {
		if err := open(t, path).Lock(0, disk.Exclusive); err != nil {
			t.Fatal(err)
		}
		os.Stdout.WriteString("locked\n")
		io.Copy(io.Discard, os.Stdin) // until it is killed, or the one that started it ended
		return
	}
	path = filepath.Join(t.TempDir(), "lock")
	child := exec.Command(os.Args[0], "-test.run", "^TestLocksEndWithTheProcess$")
	child.Env = append(os.Environ(), "DAYBOOK_TEST_LOCK="+path)
	if _, err := child.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := child.StdoutPipe()
	if err == nil {
		err = child.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 7)); err != nil {
		t.Fatal(err)
	}
	f := open(t, path)
	want(t, f, 0, disk.Exclusive, disk.ErrLocked)
	child.Process.Kill()
	child.Wait()
	want(t, f, 0, disk.Exclusive, nil)
}

func TestFree(t *testing.T) {
	if size, free, err := disk.Space(t.TempDir()); err != nil || free <= 0 || size < free {
		t.Error(free, err)
	}
	if _, _, err := disk.Space(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a directory that isn't there has room")
	}
}
