package store

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"daybook/app/audit"
	"daybook/store/enginetest"
)

// lists are all lists of the log, with the indexes that they are read by, newest first.
var auditLists = map[string]struct {
	f       audit.Filter
	indexes []string // of SQLite, and of PostgreSQL
}{
	"all":       {audit.Filter{Limit: 51}, []string{"audit_log_in", "audit_log_pkey"}},
	"next page": {audit.Filter{Limit: 51, Before: 1 << 60}, []string{"audit_log_in", "audit_log_pkey"}},
	"topic":     {audit.Filter{Limit: 51, Topic: "key", Before: 1 << 60}, []string{"audit_log_about", "audit_log_about"}},
	"member":    {audit.Filter{Limit: 51, Member: "us_1"}, []string{"audit_log_by", "audit_log_by"}},
	"both":      {audit.Filter{Limit: 51, Member: "us_1", Topic: "key"}, nil},
}

func TestAuditListsUseTheirIndex(t *testing.T) {
	enginetest.OnlySQLite(t, "reads its plans")
	db := enginetest.Open(t)
	for name, c := range auditLists {
		query, args := listAudit(1, c.f)
		got := enginetest.Plan(t, db, query, args...)
		if c.indexes != nil && !strings.Contains(got, "USING INDEX "+c.indexes[0]) || strings.Contains(got, "SCAN audit_log") {
			t.Errorf("%s:\n%s", name, got)
		}
		if sorts := strings.Count(got, "TEMP B-TREE"); sorts > 2 || sorts > 0 && c.f.Member == "" { // two pages at most
			t.Errorf("%s sorts:\n%s", name, got)
		}
	}
	if got := enginetest.Plan(t, db, prune, 1, 2); strings.Contains(got, "SCAN") || strings.Contains(got, "TEMP B-TREE") {
		t.Errorf("old entries:\n%s", got)
	}
}

func TestListsUseTheirIndexOnPostgres(t *testing.T) {
	if !enginetest.OnPostgres() {
		t.Skip("reads the plans of PostgreSQL")
	}
	raw := enginetest.Raw(t, enginetest.Open(t))
	raw.SetMaxOpenConns(1)
	for _, set := range []string{"SET enable_seqscan = off", "SET enable_bitmapscan = off"} { // the table is empty
		if _, err := raw.Exec(set); err != nil {
			t.Fatal(err)
		}
	}
	mark := regexp.MustCompile(`\?`)
	for name, c := range auditLists {
		query, args := listAudit(1, c.f)
		query = mark.ReplaceAllStringFunc(query, func(string) string {
			v := args[0]
			args = args[1:]
			switch v := v.(type) {
			case string:
				return "'" + v + "'"
			case audit.Topic:
				return "'" + string(v) + "'"
			case audit.EntryID:
				return "1152921504606846976"
			}
			return "51"
		})
		rows, err := raw.Query("EXPLAIN " + query)
		if err != nil {
			t.Fatal(name, err)
		}
		var lines []string
		for rows.Next() {
			var line string
			if err := rows.Scan(&line); err != nil {
				t.Fatal(err)
			}
			lines = append(lines, line)
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		got := strings.Join(lines, "\n")
		if c.indexes != nil && !strings.Contains(got, c.indexes[1]) || strings.Contains(got, "Seq Scan") {
			t.Errorf("%s:\n%s", name, got)
		}
		sorted := slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, "Sort  (") })
		if sorted && c.f.Member == "" {
			t.Errorf("%s sorts:\n%s", name, got)
		}
	}
}
