package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/store/engine"
)

func wantMode(t *testing.T, path string) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != ownerOnly {
		t.Errorf("%s has mode %o", filepath.Base(path), info.Mode().Perm())
	}
}

// wantFiles compares the directory of path with names, where * stands for a time.
func wantFiles(t *testing.T, path string, patterns ...string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	ok := len(names) == len(patterns)
	for i := 0; ok && i < len(names); i++ {
		ok, _ = filepath.Match(patterns[i], names[i])
	}
	if !ok {
		t.Errorf("files are %q, want %q", names, patterns)
	}
}

func TestFilesAreTheOwners(t *testing.T) {
	db := openTest(t, serving)
	mustAddHost(t, db, "a")
	wantFiles(t, db.Path(), "daybook.db", "daybook.db-lock", "daybook.db-shm", "daybook.db-wal")
	for _, suffix := range []string{"", "-wal", "-shm", "-lock"} {
		wantMode(t, db.Path()+suffix)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	wantFiles(t, db.Path(), "daybook.db")
	if err := os.Chmod(db.Path(), 0o644); err != nil {
		t.Fatal(err)
	}
	reopen(t, db.o)
	wantMode(t, db.Path())
}

func TestOpenSaysWhatToDo(t *testing.T) {
	dir := t.TempDir()
	garbage := dir + "/garbage.db"
	if err := os.WriteFile(garbage, []byte(strings.Repeat("not a database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		dir + "/none.db": "daybook serve --db", dir: "is not a file", garbage: "daybook restore FILE",
	} {
		o := testOptions(path)
		o.Create = false
		db, err := Open(t.Context(), o)
		if err == nil {
			db.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", path, err)
		}
	}
	wantFiles(t, garbage, "garbage.db")
}

func TestOpenTakesAnyName(t *testing.T) {
	path := t.TempDir() + "/a b?c#d%20é&_pragma=x.db"
	db := reopen(t, testOptions(path))
	if _, err := db.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Snapshot(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !exists(path+"-wal") || len(snapshots(t, path)) != 1 {
		t.Error("the file has another name")
	}
}

func TestReadOnlyChangesNothing(t *testing.T) {
	db := openTest(t)
	o := db.o
	o.ReadOnly = true
	ro := reopen(t, o)
	if err := ro.Write(t.Context(), func(*engine.Transaction) error { return nil }); !errors.Is(err, engine.ErrReadOnly) {
		t.Errorf("write: %v", err)
	}
	if _, err := ro.Migrate(t.Context()); !errors.Is(err, engine.ErrReadOnly) {
		t.Errorf("migrate: %v", err)
	}
	if err := ro.CheckSchema(t.Context()); err != nil {
		t.Error(err)
	}
}

// Two servers on one file write beside each other and a command.
func TestServersShareAFile(t *testing.T) {
	db := openTest(t, serving)
	mustAddHost(t, reopen(t, db.o), "second server")
	o := db.o
	o.Serving = false
	mustAddHost(t, reopen(t, o), "command")
	mustAddHost(t, db, "first server")
}

// Rows are written in pairs, one write each; every copy must hold whole pairs.
func TestBackupWhileWriting(t *testing.T) {
	db := openTest(t, serving)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for c := range 4 {
		wg.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				db.Write(context.Background(), func(q *engine.Transaction) error {
					return errors.Join(addHost(q, fmt.Sprint("l", c, "-", i)), addHost(q, fmt.Sprint("r", c, "-", i)))
				})
			}
		})
	}
	dir, last := t.TempDir(), 0
	for i := range 5 {
		dest := fmt.Sprintf("%s/%d", dir, i)
		if err := db.Backup(t.Context(), dest); err != nil {
			t.Fatal(err)
		}
		wantMode(t, dest)
		copied := reopen(t, testOptions(dest))
		if err := copied.CheckIntegrity(t.Context()); err != nil {
			t.Error(err)
		}
		n := len(hosts(t, copied))
		if n%2 != 0 || n < last {
			t.Errorf("copy %d has %d hosts, the one before %d", i, n, last)
		}
		last = n
		copied.Close()
	}
	close(stop)
	wg.Wait()
	wantFiles(t, dir+"/0", "0", "1", "2", "3", "4")
}

func TestBackupReplacesNothing(t *testing.T) {
	db := openTest(t)
	dest := t.TempDir() + "/copy"
	if err := os.WriteFile(dest, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := db.Backup(t.Context(), dest); !errors.Is(err, os.ErrExist) {
		t.Errorf("got %v", err)
	}
	if b, _ := os.ReadFile(dest); string(b) != "mine" {
		t.Errorf("it holds %q", b)
	}
	if err := db.Backup(canceled(), dest+"2"); err == nil {
		t.Error("a cancelled backup succeeded")
	}
	wantFiles(t, dest, "copy")
}

// The first server may clear up alone; one that comes later waits for it and clears up nothing, until all are gone.
func TestOnlyTheFirstServerClearsUp(t *testing.T) {
	db := openTest(t, serving)
	later, cleared := reopen(t, db.o), 0
	joined := make(chan error, 1)
	err := db.JoinServers(t.Context(), func() error {
		cleared++
		go func() { joined <- later.JoinServers(t.Context(), func() error { cleared = 100; return nil }, nil) }()
		select {
		case err := <-joined:
			t.Errorf("joined before the first one was ready: %v", err)
		case <-time.After(50 * time.Millisecond):
		}
		return nil
	}, nil)
	if err := errors.Join(err, <-joined); err != nil || cleared != 1 {
		t.Errorf("cleared %d, %v", cleared, err)
	}
	if err := errors.Join(db.Close(), later.Close()); err != nil {
		t.Fatal(err)
	}
	if err := reopen(t, db.o).JoinServers(t.Context(), func() error { cleared++; return nil }, nil); err != nil || cleared != 2 {
		t.Errorf("cleared %d, %v", cleared, err)
	}
}

// What a killed process left of a snapshot goes with the next one; what others have there stays.
func TestASnapshotClearsUpWhatAKillLeft(t *testing.T) {
	db := openTest(t)
	dir := filepath.Dir(db.Path())
	for _, name := range []string{".daybook.db.20260102T030405.006Z.snapshot.part-17", ".daybook.db.20260102T030405.006Z.snapshot.part-17-journal",
		".daybook.db.mine.snapshot.part-17", ".copy.part-17"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.Snapshot(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantFiles(t, db.Path(), ".copy.part-17", ".daybook.db.mine.snapshot.part-17", "daybook.db", "daybook.db-lock", "daybook.db-shm", "daybook.db-wal",
		"daybook.db.*.snapshot")
}

func canceled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}
