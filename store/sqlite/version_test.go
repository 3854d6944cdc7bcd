package sqlite

import (
	"errors"
	"fmt"
	"testing"

	"daybook/store/engine"
)

// A commit of this DB, of another one or of another process changes the version that each sees; what wasn't committed,
// and a log that begins again, don't.
func TestVersionCountsCommits(t *testing.T) {
	db := openTest(t, serving)
	other := reopen(t, db.o)
	version := func(of *DB) int64 {
		t.Helper()
		n, err := of.DataVersion()
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	undone := errors.New("undone")
	steps := []struct {
		name    string
		do      func(name string) error
		changes bool
	}{
		{"mine", func(name string) error { mustAddHost(t, db, name); return nil }, true},
		{"theirs", func(name string) error { mustAddHost(t, other, name); return nil }, true},
		{"a log that begins again", func(string) error {
			_, err := db.side.Exec("PRAGMA wal_checkpoint(TRUNCATE)")
			return err
		}, false},
		{"undone", func(name string) error {
			err := db.Write(t.Context(), func(q *engine.Transaction) error {
				if err := addHost(q, name); err != nil {
					return err
				}
				return undone
			})
			if !errors.Is(err, undone) {
				return fmt.Errorf("want it undone: %w", err)
			}
			return nil
		}, false},
		{"nothing", func(string) error { return nil }, false},
	}
	for round := range 20 {
		for _, s := range steps {
			was, wasOther := version(db), version(other)
			if err := s.do(fmt.Sprint(s.name, round)); err != nil {
				t.Fatal(err)
			}
			// A log that begins again may count as a change, too, which has caches read again for nothing.
			is, isOther := version(db), version(other)
			if s.name != "nothing" && !s.changes {
				continue
			}
			if (is != was) != s.changes || (isOther != wasOther) != s.changes {
				t.Fatalf("round %d, %s: %d -> %d and %d -> %d, want a change: %t", round, s.name, was, is, wasOther, isOther, s.changes)
			}
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
