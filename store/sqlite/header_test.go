package sqlite

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"testing"

	"daybook/store/engine"
)

// Whoever commits, each version is another one when SQLite's own number is, and stays as it is otherwise. The log
// begins again meanwhile, too.
func TestVersionIsAsSQLiteSays(t *testing.T) {
	db := openTest(t, serving)
	other := reopen(t, db.o)
	if seen := db.version.header != nil; seen != (runtime.GOOS != "windows") {
		t.Errorf("the header is seen: %t", seen)
	}
	asked := func() int64 {
		t.Helper()
		db.version.mu.Lock()
		defer db.version.mu.Unlock()
		n, err := db.version.ask()
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	version := func(of *DB) int64 {
		t.Helper()
		n, err := of.DataVersion()
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for i := range 500 {
		was, wasOther, wasAsked := version(db), version(other), asked()
		switch rand.IntN(5) {
		case 0:
			mustAddHost(t, db, fmt.Sprint("mine", i))
		case 1:
			mustAddHost(t, other, fmt.Sprint("theirs", i))
		case 2:
			if _, err := db.side.Exec("PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
				t.Fatal(err)
			}
		case 3:
			failed := fmt.Errorf("no")
			if err := db.Write(t.Context(), func(q *engine.Transaction) error {
				if err := addHost(q, fmt.Sprint("undone", i)); err != nil {
					return err
				}
				return failed
			}); err != failed {
				t.Fatal(err)
			}
		}
		is, isOther, isAsked := version(db), version(other), asked()
		if (is != was) != (isAsked != wasAsked) || (isOther != wasOther) != (isAsked != wasAsked) {
			t.Fatalf("round %d: SQLite says %d -> %d, and we %d -> %d and %d -> %d", i, wasAsked, isAsked, was, is, wasOther,
				isOther)
		}
	}
}

// What another process has committed is seen as soon as that says so, at any moment.
func TestVersionSeesOtherProcesses(t *testing.T) {
	db := openTest(t, serving)
	before, err := db.DataVersion()
	if err != nil {
		t.Fatal(err)
	}
	child, lines := start(t, "write", db.Path(), "child", "100")
	told := 0
	for ; lines.Scan(); told++ {
		version, err := db.DataVersion()
		if err != nil {
			t.Fatal(err)
		}
		// The child goes on, so a number that is the same may be of a commit from before this line.
		if told == 0 && version == before {
			t.Error("nothing was seen of the first commit")
		}
		if len(hosts(t, db)) <= told {
			t.Error("the host can't be read")
		}
	}
	if err := child.Wait(); err != nil || told != 400 {
		t.Errorf("told of %d, %v", told, err)
	}
	first, err := db.DataVersion()
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if again, err := db.DataVersion(); err != nil || again != first {
			t.Fatalf("nobody commits, but %d became %d, %v", first, again, err)
		}
	}
}

// A header of a file that has gone is not looked at: SQLite is asked.
func TestHeaderOfAnotherFile(t *testing.T) {
	db := openTest(t)
	if err := os.Rename(db.Path()+"-shm", db.Path()+"-gone"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(db.Path()+"-shm", make([]byte, 32<<10), ownerOnly); err != nil {
		t.Fatal(err)
	}
	if view := db.header.look(); view != nil {
		t.Error("the header of a file without a name is taken for that of the name")
	}
	if err := os.Rename(db.Path()+"-gone", db.Path()+"-shm"); err != nil {
		t.Fatal(err)
	}
	db.version.header = nil
	before, err := db.DataVersion()
	if err != nil {
		t.Fatal(err)
	}
	mustAddHost(t, db, "a")
	if after, err := db.DataVersion(); err != nil || after == before {
		t.Errorf("%d became %d, %v", before, after, err)
	}
}
