package store

import (
	"regexp"
	"strings"
	"testing"

	"daybook/store/enginetest"
)

// Every row that refers to another is found by an index, so that a deletion doesn't read whole tables; and no step of
// a sweep scans one.
func TestSweep(t *testing.T) {
	enginetest.OnlySQLite(t, "reads its schema and its plans")
	s := open(t)
	var refs []struct{ Child, Parent, Column string }
	err := s.All(&refs, `SELECT m.name AS child, f."table" AS parent, f."from" AS "column"
		FROM sqlite_master m, pragma_foreign_key_list(m.name) f WHERE m.type = 'table'`)
	if err != nil || len(refs) < 30 {
		t.Fatal(len(refs), err)
	}
	every := append(append(append([]string{}, sweeps...), sweepBookings...), sweepLast...)
	place := map[string]int{}
	table := regexp.MustCompile(`^DELETE FROM (\w+)`)
	for i, query := range every {
		place[table.FindStringSubmatch(query)[1]] = i
		got := plan(t, s, query, []any{1, 25})
		if regexp.MustCompile(`(?m)^SCAN `).MatchString(got) {
			t.Errorf("%s\n%s", query, got)
		}
	}
	for _, r := range refs {
		got := plan(t, s, `SELECT 1 FROM `+r.Child+` WHERE `+r.Column+` = ?`, []any{1})
		if strings.Contains(got, "SCAN") {
			t.Errorf("rows of %s that refer to %s by %s have no index:\n%s", r.Child, r.Parent, r.Column, got)
		}
		child, swept := place[r.Child]
		if parent, ok := place[r.Parent]; !swept || !ok || child >= parent {
			t.Errorf("%s must be swept before %s", r.Child, r.Parent)
		}
	}
}
