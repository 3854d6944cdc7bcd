package sqlite

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"daybook/store/engine"
)

// TestMain lets the test binary be another process: `store.test write PATH PREFIX N [serve]` adds N hosts and prints
// the name of each once it is acknowledged; `migrate PATH` migrates.
func TestMain(m *testing.M) {
	if os.Getenv("STORE_TEST_PROCESS") == "" {
		os.Exit(m.Run())
	}
	if err := process(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func process(args []string) error {
	o := testOptions(args[1])
	o.Serving = args[len(args)-1] == "serve"
	db, err := Open(context.Background(), o)
	if err != nil {
		return err
	}
	if args[0] == "migrate" {
		names, err := db.Migrate(context.Background())
		fmt.Println(len(names))
		if err != nil {
			return err
		}
		return db.Close()
	}
	var n int
	fmt.Sscan(args[3], &n)
	errs := make(chan error, 4)
	for c := range cap(errs) {
		go func() { errs <- addAndTell(db, fmt.Sprintf("%s-%d", args[2], c), n) }()
	}
	for range cap(errs) {
		if err := <-errs; err != nil {
			return err
		}
	}
	return db.Close()
}

func addAndTell(db *DB, prefix string, n int) error {
	for i := range n {
		id := fmt.Sprintf("%s-%d", prefix, i)
		if err := db.Write(context.Background(), func(q *engine.Transaction) error { return addHost(q, id) }); err != nil {
			return err
		}
		fmt.Println(id) // unbuffered: it is out before the next write begins
	}
	return nil
}

// start runs another process and gives its lines.
func start(t *testing.T, args ...string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "STORE_TEST_PROCESS=1")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	return cmd, bufio.NewScanner(out)
}
