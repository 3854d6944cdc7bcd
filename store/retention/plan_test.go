package retention

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"daybook/store/engine"
	"daybook/store/enginetest"
)

// planned is PostgreSQL's plan where a scan of a whole table is the last choice, as it is when tables are large.
func planned(t *testing.T, db engine.Engine, query string, args []any) string {
	t.Helper()
	for _, arg := range args {
		text := fmt.Sprint(arg)
		if _, is := arg.(string); is {
			text = "'" + text + "'"
		}
		query = strings.Replace(query, "?", text, 1)
	}
	tx, err := enginetest.Raw(t, db).Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	if _, err := tx.Exec("SET LOCAL enable_seqscan = off"); err != nil {
		t.Fatal(err)
	}
	rows, err := tx.Query("EXPLAIN " + query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			t.Fatal(err)
		}
		all = append(all, line)
	}
	return strings.Join(all, "\n")
}

// What a night asks is read by an index, from where it is, on either engine: no table is scanned, and nothing sorted.
func TestNightsReadTheirIndexes(t *testing.T) {
	db := enginetest.Open(t)
	for _, c := range []struct {
		name, query string
		args        []any
		sqlite      []string // parts of its plan
		postgres    string   // the index
	}{
		{"due", due + dueOrder, []any{1, 10}, []string{"retentions_due"}, "retentions_due"},
		{"bookings", oldBookings, []any{"x", 1, 9, 1, 9, 2, 3, 10}, []string{"bookings_list (workspace_id=?", "bookings_by_contact (contact_id=?"}, "bookings_list"},
		{"contacts", oldContacts, []any{1, 2, 9, 2, 3, 10}, []string{"contacts_by_age (workspace_id=? AND", "bookings_by_contact (contact_id=?"}, "contacts_by_age"},
		{"payments", oldPayments, []any{1, 2, 10, 9}, []string{"SEARCH payments USING"}, "payments_"},
		{"money", moneyOf + `(?, ?)` + withMoney, []any{1, 2, 3}, []string{"SEARCH b USING INTEGER PRIMARY KEY"}, "bookings_"},
	} {
		if enginetest.OnPostgres() {
			got := planned(t, db, c.query, c.args)
			if strings.Contains(got, "Seq Scan") || !strings.Contains(got, c.postgres) {
				t.Errorf("%s:\n%s", c.name, got)
			}
			continue
		}
		got := enginetest.Plan(t, db, c.query, c.args...)
		for _, part := range c.sqlite {
			if !strings.Contains(got, part) {
				t.Errorf("%s: want %s\n%s", c.name, part, got)
			}
		}
		if regexp.MustCompile(`(?m)^\s*SCAN (bookings|contacts|payments|retentions)\b`).MatchString(got) {
			t.Errorf("%s:\n%s", c.name, got)
		}
	}
}
