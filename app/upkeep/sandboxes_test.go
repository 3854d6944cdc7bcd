package upkeep_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/webhook"
	"daybook/store/enginetest"
)

// firstSandbox is the lowest id that the load generator of 1.2.0 gave its workspaces.
const firstSandbox = 1 << 47

// The upgrade deletes the sandboxes that a killed load generator left: they are gone when it is done, and upkeep then
// deletes every row of them. It touches no row of other workspaces, whatever their ids are, and its snapshot has all.
func TestSandboxesAreRemovedByTheUpgrade(t *testing.T) {
	one := apptest.New(t, apptest.Options{})
	fill := func(s *apptest.Salon) {
		s.Offer("cut", 60, nil)
		s.Booked("cut", "1T09", "ann")
		s.Key("full")
		s.Must(s.Mail.SetMailServer(t.Context(), s.Owner, "smtp://1.1.1.1:25?from=nobody@sandbox.example&tls=none"))
		_, err := s.Webhook.CreateEndpoint(t.Context(), s.Owner, webhook.EndpointInput{URL: "https://1.1.1.1/", Events: []string{"*"}})
		s.Must(err)
		s.Booked("cut", "1T10", "ben")
	}
	highest, sandbox, begun := one.Beside("highest", "dan"), one.Beside("sandbox", "eve"), one.Beside("first", "fay")
	for _, s := range []*apptest.Salon{one, highest, sandbox, begun} {
		fill(s)
	}
	raw := enginetest.Raw(t, one.Store.Engine)
	was := map[int64]int64{int64(highest.Workspace.ID): firstSandbox - 1, int64(begun.Workspace.ID): firstSandbox,
		int64(sandbox.Workspace.ID): firstSandbox | int64(sandbox.Workspace.ID)}
	move(t, raw, was)
	count := func(table, column string) (n int) {
		t.Helper()
		one.Must(raw.QueryRow(fmt.Sprintf(`SELECT COUNT(*) FROM %s WHERE %s >= %d`, table, column, firstSandbox)).Scan(&n))
		return n
	}
	before := others(t, raw)
	if n := count("bookings", "workspace_id"); n != 4 || len(before) < 30 {
		t.Fatalf("%d bookings in sandboxes, %d rows of others", n, len(before))
	}
	_, err := raw.Exec(`DELETE FROM schema_migrations WHERE name LIKE '%_sandboxes.sql'`)
	one.Must(err)
	applied, err := one.Store.Migrate(t.Context())
	if one.Must(err); len(applied) != 1 {
		t.Fatalf("applied %v", applied)
	}
	if left := count("workspaces", "gone_ms IS NULL AND id"); left != 0 {
		t.Errorf("%d sandboxes are still there", left)
	}
	if n := count("mail_servers", "workspace_id") + count("webhook_endpoints", "enabled = 1 AND workspace_id"); n != 0 {
		t.Errorf("%d ways out of sandboxes are left", n)
	}
	if after := others(t, raw); !slices.Equal(before, after) {
		t.Errorf("rows of other workspaces were\n%s\nand are\n%s", strings.Join(before, "\n"), strings.Join(after, "\n"))
	}
	if !enginetest.OnPostgres() {
		snapshots, err := filepath.Glob(one.Place + ".*.snapshot")
		if one.Must(err); len(snapshots) != 1 {
			t.Fatalf("snapshots: %v", snapshots)
		}
		old, err := sql.Open("sqlite", "file:"+snapshots[0]+"?mode=ro")
		one.Must(err)
		defer old.Close()
		var there int
		one.Must(old.QueryRow(`SELECT COUNT(*) FROM workspaces WHERE gone_ms IS NULL AND id >= ?`, firstSandbox).Scan(&there))
		if there != 2 {
			t.Errorf("the snapshot has %d sandboxes", there)
		}
	}

	for more := true; more; {
		more, err = one.Upkeep.Sweep(context.Background(), 1000)
		one.Must(err)
	}
	for _, table := range enginetest.Tables(t, raw) {
		column := columnOf(t, raw, table)
		if column == "" {
			continue
		}
		if n := count(table, column); n != 0 {
			t.Errorf("%s has %d rows left", table, n)
		}
	}
	if after := others(t, raw); !slices.Equal(before, after) {
		t.Errorf("after the sweep the rows of other workspaces are\n%s\nand were\n%s", strings.Join(after, "\n"), strings.Join(before, "\n"))
	}
	one.Booked("cut", "1T11", "cat")
	all, err := one.Workspaces(t.Context(), app.Operator(0))
	if one.Must(err); len(all) != 2 {
		t.Errorf("listed: %v", all)
	}
}

// columnOf is the column of a table that names the workspace; "" if it has none.
func columnOf(t *testing.T, raw *sql.DB, table string) string {
	t.Helper()
	if table == "workspaces" {
		return "id"
	}
	rows, err := raw.Query(`SELECT * FROM ` + table + ` WHERE 1 = 0`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	if slices.Contains(columns, "workspace_id") {
		return "workspace_id"
	}
	return ""
}

// move gives workspaces other ids, in all tables.
func move(t *testing.T, raw *sql.DB, to map[int64]int64) {
	t.Helper()
	tx, err := raw.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	if enginetest.OnPostgres() {
		if _, err := tx.Exec(`SET LOCAL session_replication_role = replica`); err != nil { // no references, no triggers
			t.Fatal(err)
		}
	} else {
		var stays string // entries of the audit log are never changed
		if err := tx.QueryRow(`SELECT sql FROM sqlite_master WHERE name = 'audit_log_stays'`).Scan(&stays); err != nil {
			t.Fatal(err)
		}
		if _, err := tx.Exec(`DROP TRIGGER audit_log_stays`); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if _, err := raw.Exec(stays); err != nil {
				t.Fatal(err)
			}
		}()
	}
	for _, table := range enginetest.Tables(t, raw) {
		column := columnOf(t, raw, table)
		for old, new := range to {
			if column == "" {
				break
			}
			if _, err := tx.Exec(fmt.Sprintf(`UPDATE %s SET %s = %d WHERE %[2]s = %[4]d`, table, column, new, old)); err != nil {
				t.Fatal(table, err)
			}
		}
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
}

// others are the rows of all workspaces that are no sandboxes.
func others(t *testing.T, raw *sql.DB) (all []string) {
	t.Helper()
	for _, table := range enginetest.Tables(t, raw) {
		column := columnOf(t, raw, table)
		if column == "" || table == "day_marks" || table == "day_sum_turns" {
			continue
		}
		rows, err := raw.Query(fmt.Sprintf(`SELECT * FROM %s WHERE %s < %d`, table, column, firstSandbox))
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		columns, err := rows.Columns()
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			values := make([]any, len(columns))
			for i := range values {
				values[i] = new(any)
			}
			if err := rows.Scan(values...); err != nil {
				t.Fatal(err)
			}
			row := table
			for _, v := range values {
				row += fmt.Sprintf(" %v", *v.(*any))
			}
			all = append(all, row)
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(all)
	return all
}
