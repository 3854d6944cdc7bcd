package cli_test

import (
	"bytes"
	"fmt"
	"os/exec"
	"testing"

	"daybook/app/sandbox"
	"daybook/store/engine"
	"daybook/store/enginetest"
)

// A run that is killed leaves a workspace of which nothing was sent. The next run leaves no row of either, and a run
// beside it is told that it ended, on either engine.
func TestKilledBenchLeavesNoRow(t *testing.T) {
	dir, place := t.TempDir(), enginetest.Place(t)
	daybook(t, dir, "", "--db", place, "workspace", "create", "Salon", "--timezone", "UTC")
	s := startServer(t, dir, "--db", place)
	db, err := enginetest.Connect(t.Context(), place)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	count := func(query string) (n int) {
		t.Helper()
		if err := enginetest.Raw(t, db).QueryRow(query).Scan(&n); err != nil {
			t.Fatal(query, err)
		}
		return n
	}
	before := rows(t, db)

	run := exec.Command("daybook", "--db", place, "bench", "--url", s.url)
	run.Dir = dir
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	until(t, "no webhook of the run is settled", func() bool { return count(`SELECT COUNT(*) FROM deliveries WHERE state = 1`) > 0 })
	run.Process.Kill()
	run.Wait()
	if n := count(`SELECT COUNT(*) FROM deliveries WHERE attempts > 0 AND response_status <> 204 OR error IS NOT NULL`); n > 0 {
		t.Errorf("%d webhooks were sent", n)
	}
	ours := fmt.Sprintf(`FROM workspaces WHERE id >= %d AND gone_ms IS NULL`, int64(sandbox.First))
	if n := count(`SELECT COUNT(*) ` + ours); n != 1 {
		t.Fatalf("%d workspaces are left of the killed run", n)
	}

	killed := count(`SELECT MAX(id) ` + ours)
	var says bytes.Buffer
	run = exec.Command("daybook", "--db", place, "bench", "--url", s.url)
	run.Dir, run.Stderr = dir, &says
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	until(t, "the next run books nothing", func() bool {
		return count(fmt.Sprint(`SELECT COUNT(*) FROM bookings WHERE workspace_id > `, killed)) > 0
	})
	daybook(t, dir, "", "--db", place, "bench", "--url", s.url, "--duration", "5s", "--clients", "2")
	if err := run.Wait(); err == nil || says.String() != "daybook: another run of `daybook bench` has begun, which ended this one\n" {
		t.Errorf("%v %s", err, says.String())
	}
	until(t, "there are rows left", func() bool {
		for table, n := range rows(t, db) {
			if n > before[table] {
				return false
			}
		}
		return true
	})
}

// rows are how many rows the tables have that tell of workspaces.
func rows(t *testing.T, db engine.Engine) map[string]int {
	t.Helper()
	tables, err := db.Tables(t.Context())
	if err != nil || len(tables) < 30 {
		t.Fatal(len(tables), err)
	}
	all := map[string]int{}
	for _, table := range tables {
		switch table.Name {
		case "schema_migrations", "server_values", "server_leases", "rate_servers": // of the servers
			continue
		}
		n := 0
		if err := enginetest.Raw(t, db).QueryRow(`SELECT COUNT(*) FROM ` + table.Name).Scan(&n); err != nil {
			t.Fatal(table.Name, err)
		}
		all[table.Name] = n
	}
	return all
}
