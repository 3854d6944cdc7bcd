package cli_test

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	_ "modernc.org/sqlite"

	"daybook/app/apptest"
)

// A newer version neither migrates nor serves the file of a server that books, and can copy it. Where the schema
// changes under the server all the same, its clients are told to try again until it has ended, which it does by itself
// with an error; the newer version then has all that was acknowledged.
func TestAMigrationUnderAServer(t *testing.T) {
	t.Parallel()
	const hosts, clients, step = 32, 4, "299901010000_rename.sql"
	const text = "ALTER TABLE bookings ADD COLUMN trial INTEGER NOT NULL DEFAULT 0;"
	older := versioned(t, "1.0", "sqlite", nil)
	newer := versioned(t, "2.0", "sqlite", map[string]string{step: text})
	place := filepath.Join(t.TempDir(), "daybook.db")
	c := newCluster(t, place, hosts)
	l := &load{cluster: c, hosts: hosts, acknowledged: map[string]bool{}}
	c.nodes[0] = startProgram(t, older, c.dir, c.args...)

	var told, unready atomic.Int64 // clients that were told to try again, and that saw the server say so of itself
	c.client.Transport = answers{c.client.Transport, func(r *http.Response) {
		if r.StatusCode == http.StatusServiceUnavailable && r.Request.URL.Path != "/readyz" && r.Header.Get("Retry-After") == "" {
			t.Errorf("%s: 503 without Retry-After", r.Request.URL.Path)
		}
	}}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	wait := l.run(ctx, t, 0, clients, func(status int, answer []byte, err error) bool {
		switch {
		case err != nil: // refused, or cut off: nothing was acknowledged
			return false
		case status == http.StatusServiceUnavailable && strings.Contains(string(answer), `"retryAfter"`):
			told.Add(1)
			status, answer, err := c.ask(c.nodes[0].url, "GET", "/readyz", "")
			if err != nil { // it has ended
				return false
			}
			if status == http.StatusServiceUnavailable {
				unready.Add(1)
				return true
			}
			t.Errorf("/readyz of a server that sends its clients away: %d %s", status, answer)
			return false
		}
		t.Errorf("%d %s", status, answer)
		return false
	})
	booked := func() {
		t.Helper()
		enough := l.acks[0].Load() + 50
		apptest.Eventually(t, "something is booked", func() bool { return t.Failed() || l.acks[0].Load() >= enough })
	}
	booked()
	refused := func(args ...string) {
		t.Helper()
		out, err := exec.Command(newer, append(args, "--db", place)...).CombinedOutput()
		want := fmt.Sprintf("(process %d, migration ", c.nodes[0].cmd.Process.Pid)
		if err == nil || !strings.Contains(string(out), want) || !strings.Contains(string(out), "stop it first") {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
	refused("migrate", "up")
	refused("serve", "--addr", "127.0.0.1:0")
	booked()
	if out, err := exec.Command(newer, "backup", filepath.Join(c.dir, "copy.db"), "--db", place).CombinedOutput(); err != nil {
		t.Errorf("backup of the older schema: %v\n%s", err, out)
	}
	booked()

	// Somebody migrates it all the same, and what the older server writes to is elsewhere meanwhile.
	db, err := sql.Open("sqlite", "file:"+place+"?_pragma=busy_timeout(10000)&_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	change := func(queries ...string) {
		t.Helper()
		tx, err := db.Begin()
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range queries {
			if _, err := tx.Exec(q); err != nil {
				t.Fatalf("%s: %v", q, err)
			}
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	change(text, "ALTER TABLE booking_history RENAME COLUMN reason TO why", fmt.Sprintf(
		`INSERT INTO schema_migrations (version, name, checksum, applied_at_ms) VALUES (299901010000, '%s', '%x', 1)`,
		step, sha256.Sum256([]byte(text))))
	ended := c.nodes[0].cmd.Wait()
	cancel()
	wait()
	var exit *exec.ExitError
	if !errors.As(ended, &exit) || exit.ExitCode() != 1 {
		t.Errorf("the older server ended with %v", ended)
	}
	if log := c.nodes[0].log.String(); strings.Count(log, "the schema was changed under this server") != 1 || !strings.Contains(log, step) {
		t.Errorf("its log:\n%s", log)
	}
	if told.Load() > clients && unready.Load() == 0 {
		t.Errorf("%d were told to try again, and none that the server isn't ready", told.Load())
	}
	if !t.Failed() {
		t.Logf("%d bookings acknowledged, %d told to try again, %d times not ready", l.acks[0].Load(), told.Load(), unready.Load())
	}

	change("ALTER TABLE booking_history RENAME COLUMN why TO reason")
	c.nodes[1] = startProgram(t, newer, c.dir, c.args...)
	if gone := l.missing(c.bookings(t, c.nodes[1].url)); gone != nil {
		t.Errorf("acknowledged and gone: %v", gone)
	}
	out, err := exec.Command(older, "serve", "--addr", "127.0.0.1:0", "--db", place).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "stop it first") {
		t.Errorf("the older version starts beside the newer one: %v\n%s", err, out)
	}
}

// answers shows each answer to see before whoever asked gets it.
type answers struct {
	http.RoundTripper
	see func(*http.Response)
}

func (a answers) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := a.RoundTripper.RoundTrip(r)
	if err == nil {
		a.see(answer)
	}
	return answer, err
}
