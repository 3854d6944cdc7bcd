package cli_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/app/cli"
	"daybook/store/enginetest"
	"daybook/store/migrations"
)

// versioned makes a command that says it is of that version and knows more steps of an engine: a script that starts this
// test binary so. To build and link another program takes half a minute.
func versioned(t *testing.T, version, engine string, steps map[string]string) (program string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, engine), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, sql := range steps {
		if err := os.WriteFile(filepath.Join(dir, engine, name), []byte(sql), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	command, err := exec.LookPath("daybook")
	if err != nil {
		t.Fatal(err)
	}
	program = filepath.Join(dir, "daybook")
	script := fmt.Sprintf("#!/bin/sh\nexport DAYBOOK_TEST_VERSION='%s' DAYBOOK_TEST_STEPS='%s'\nexec '%s' \"$@\"\n",
		version, dir, command)
	if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return program
}

// command is daybook; see versioned.
func command() {
	if version := os.Getenv("DAYBOOK_TEST_VERSION"); version != "" {
		cli.Version = version
		migrations.Extend(os.DirFS(os.Getenv("DAYBOOK_TEST_STEPS")))
	}
	os.Exit(cli.Main())
}

// A newer version replaces an older one, server by server, while both book: the older one goes on beside what the newer
// one has migrated, and the contract step waits until it is gone.
func TestRollingUpgrade(t *testing.T) {
	t.Parallel()
	const hosts, clients, expand, contract = 32, 4, "299901010000_expand.sql", "299901020000_contract.sql"
	set, err := migrations.Load(migrations.Postgres())
	if err != nil {
		t.Fatal(err)
	}
	place := enginetest.PlaceOnPostgres(t)
	older := versioned(t, "1.0", "postgres", nil)
	newer := versioned(t, "2.0", "postgres", map[string]string{
		expand: fmt.Sprintf("-- Allows: %d\nALTER TABLE bookings ADD COLUMN trial BIGINT NOT NULL DEFAULT 0;",
			set[len(set)-1].Version),
		contract: "-- Allows: 299901010000\n-- Contract\nALTER TABLE bookings ADD CONSTRAINT trial_counts CHECK (trial >= 0);",
	})
	c := newCluster(t, place, hosts)
	l := &load{cluster: c, hosts: hosts, rest: 50 * time.Millisecond, acknowledged: map[string]bool{}}
	var stop [2]func()
	serve := func(node int, program string) {
		t.Helper()
		c.nodes[node] = startProgram(t, program, c.dir, c.args...)
		ctx, cancel := context.WithCancel(t.Context())
		wait := l.run(ctx, t, node, clients, func(status int, answer []byte, err error) bool {
			t.Errorf("server %d: %d %s, %v", node, status, answer, err)
			return false
		})
		stop[node] = func() { cancel(); wait() }
	}
	books := func(nodes ...int) {
		t.Helper()
		for _, node := range nodes {
			enough := l.acks[node].Load() + 20
			apptest.Eventually(t, fmt.Sprintf("server %d books", node), func() bool {
				return t.Failed() || l.acks[node].Load() >= enough
			})
		}
	}
	upgrade := func(args ...string) (done struct{ Applied, Waiting []string }, complaint string) {
		t.Helper()
		cmd := exec.Command(newer, append([]string{"migrate", "up", "--json", "--db", place}, args...)...)
		out, err := cmd.Output()
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return done, string(exit.Stderr)
		}
		if err := errors.Join(err, json.Unmarshal(out, &done)); err != nil {
			t.Fatalf("%s: %v", out, err)
		}
		return done, ""
	}

	serve(0, older)
	books(0)
	done, complaint := upgrade()
	if complaint != "" || !slices.Equal(done.Applied, []string{expand}) || !slices.Equal(done.Waiting, []string{contract}) {
		t.Fatalf("%+v, %s", done, complaint)
	}
	books(0)
	serve(1, newer)
	books(0, 1)
	done, complaint = upgrade("--contract")
	if !strings.Contains(complaint, contract+" can't be applied") || !strings.Contains(complaint, "Daybook 1.0 on ") {
		t.Errorf("beside the older server: %+v, %s", done, complaint)
	}
	startProgram(t, older, c.dir, c.args...).stop(t) // it may still be started
	books(0, 1)
	stop[0]()
	c.nodes[0].stop(t)
	apptest.Eventually(t, "the older server no longer counts", func() bool { // it gives its lease up, or the lease ends
		done, complaint = upgrade("--contract")
		return !strings.Contains(complaint, "Daybook 1.0 on ")
	})
	if complaint != "" || !slices.Equal(done.Applied, []string{contract}) || len(done.Waiting) != 0 {
		t.Errorf("after the older server: %+v, %s", done, complaint)
	}
	books(1)
	out, err := exec.Command(older, append([]string{"serve", "--addr", "127.0.0.1:0"}, c.args...)...).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "a newer Daybook (it has "+contract) {
		t.Errorf("the older version still starts: %v\n%s", err, out)
	}
	stop[1]()
	if gone := l.missing(c.bookings(t, c.nodes[1].url)); gone != nil {
		t.Errorf("acknowledged and gone: %v", gone)
	}
	c.nodes[1].stop(t)
	if log := c.nodes[1].log.String(); !strings.Contains(log, `msg="a migration waits" migration=`+contract) {
		t.Errorf("serve does not tell of the contract step:\n%s", log)
	}
	t.Logf("%d bookings acknowledged by the older version, %d by the newer one", l.acks[0].Load(), l.acks[1].Load())
}
