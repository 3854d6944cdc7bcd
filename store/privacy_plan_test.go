package store

import (
	"regexp"
	"strings"
	"testing"

	"daybook/store/enginetest"
)

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
			if got := enginetest.PlanOnPostgres(t, db, c.query, c.args...); !strings.Contains(got, c.postgres) {
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
