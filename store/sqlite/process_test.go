package sqlite

import (
	"fmt"
	"slices"
	"sync"
	"syscall"
	"testing"
)

// What was acknowledged survives kill -9, the file is whole, and the lock died with its process.
func TestAcknowledgedWritesSurviveKill(t *testing.T) {
	db := openTest(t)
	o := db.o
	db.Close()
	o.Serving = true
	var told []string
	for round := range 5 {
		child, lines := start(t, "write", o.Path, fmt.Sprint("round", round), "1000000", "serve")
		for n := 0; lines.Scan(); n++ {
			told = append(told, lines.Text())
			if n == 40+90*round {
				child.Process.Signal(syscall.SIGKILL)
			}
		}
		child.Wait()
		db, err := Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		kept := hosts(t, db)
		for _, id := range told {
			if _, found := slices.BinarySearch(kept, id); !found {
				t.Errorf("%s was acknowledged and is gone", id)
			}
		}
		if err := db.CheckIntegrity(t.Context()); err != nil {
			t.Error(err)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A server that writes without a pause and a command beside it both get through.
func TestTwoProcessesWrite(t *testing.T) {
	db := openTest(t, serving)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	var mine int
	var mu sync.Mutex
	for c := range 16 {
		wg.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				mustAddHost(t, db, fmt.Sprintf("server-%d-%d", c, i))
				mu.Lock()
				mine++
				mu.Unlock()
			}
		})
	}
	child, lines := start(t, "write", db.Path(), "command", "20")
	theirs := 0
	for lines.Scan() {
		theirs++
	}
	if err := child.Wait(); err != nil {
		t.Error(err)
	}
	close(stop)
	wg.Wait()
	if theirs != 80 {
		t.Errorf("the command wrote %d of 80", theirs)
	}
	if n := len(hosts(t, db)); n != mine+theirs {
		t.Errorf("%d hosts, want %d + %d", n, mine, theirs)
	}
	if err := db.CheckIntegrity(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestManyProcessesMigrateANewFile(t *testing.T) {
	o := testOptions(t.TempDir() + "/daybook.db")
	applied := 0
	var wg sync.WaitGroup
	var mu sync.Mutex
	for range 4 {
		child, lines := start(t, "migrate", o.Path)
		wg.Go(func() {
			n := 0
			for lines.Scan() {
				fmt.Sscan(lines.Text(), &n)
			}
			if err := child.Wait(); err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			applied += n
		})
	}
	wg.Wait()
	if applied != 2 {
		t.Errorf("%d migrations were applied, want 2 in all", applied)
	}
	if err := reopen(t, o).CheckSchema(t.Context()); err != nil {
		t.Error(err)
	}
}
