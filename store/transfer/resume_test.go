package transfer_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app/upkeep"
	"daybook/store/engine"
	"daybook/store/enginetest"
	"daybook/store/transfer"
)

// A child process copies until it is killed, see TestKilledAndResumed.
const childVariable = "DAYBOOK_TEST_COPY"

func TestMain(m *testing.M) {
	if places := os.Getenv(childVariable); places != "" {
		if err := copyAndTell(strings.Fields(places)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// copyAndTell prints a line after each page, and waits to be killed after one of the second table that has rows.
func copyAndTell(places []string) error {
	ctx := context.Background()
	from, err := enginetest.Connect(ctx, places[0])
	if err != nil {
		return err
	}
	to, err := enginetest.Connect(ctx, places[1])
	if err != nil {
		return err
	}
	_, err = transfer.Copy(ctx, from, to, transfer.Options{PageRows: 20, Progress: func(table string, rows, of int64) error {
		if table == "bookings" && rows > 20 && rows < of {
			fmt.Println("here")
			select {}
		}
		return nil
	}})
	return err
}

// A copy that is stopped at any page goes on behind it, and comes to the same.
func TestStoppedAndResumed(t *testing.T) {
	here, there := enginetest.Place(t), other(t)
	s := newSalon(t, here)
	stop := errors.New("stop")
	reached := map[string]int64{}
	o := transfer.Options{PageRows: 250}
	var sums []transfer.Sum
	runs := 0
	for {
		pages := 0
		o.Progress = func(table string, rows, of int64) error {
			if rows < reached[table] || rows > of {
				t.Errorf("%s: %d rows of %d, after %d", table, rows, of, reached[table])
			}
			reached[table] = rows
			if pages++; pages == 9 {
				return stop
			}
			return nil
		}
		var err error
		runs++
		if sums, err = copied(t, here, there, o); err == nil {
			break
		}
		if err != stop && !strings.HasSuffix(err.Error(), ": stop") {
			t.Fatal(err)
		}
		with(t, there, func(db engine.Engine) {
			if err := s.rooms(db).Upkeep.CheckMoved(t.Context()); !errors.Is(err, upkeep.ErrArriving) {
				t.Fatalf("half a copy: %v", err)
			}
		})
	}
	if runs < 5 {
		t.Errorf("it was done after %d runs", runs)
	}
	if again := move(t, there, enginetest.Place(t)); !slices.Equal(sums, again) {
		t.Errorf("stopped and resumed: %v\nin one: %v", sums, again)
	}
	with(t, there, func(db engine.Engine) { s.works(t, db) })
}

// A copy whose process is killed goes on.
func TestKilledAndResumed(t *testing.T) {
	here, there := enginetest.Place(t), other(t)
	s := newSalon(t, here)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+here+" "+there)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "here\n" {
		t.Fatalf("%q, %v", line, err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Fatal("it was not killed")
	}
	began := false
	o := transfer.Options{Progress: func(table string, rows, of int64) error {
		if !began && table != "bookings" {
			return fmt.Errorf("it goes on with %s", table)
		}
		began = true
		return nil
	}}
	for deadline := time.Now().Add(20 * time.Second); ; {
		_, err := copied(t, here, there, o)
		if err == nil {
			break
		}
		// On PostgreSQL a process that was killed counts as a server until its lease ends.
		if !errors.Is(err, transfer.ErrInUse) || time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
	with(t, there, func(db engine.Engine) { s.works(t, db) })
}
