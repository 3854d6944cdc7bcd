package store

import (
	"strings"
	"testing"

	"daybook/store/enginetest"
)

// What is asked about holds is read by an index on either engine: however many servers and days there are, no question
// scans the table.
func TestHoldsAreReadByTheirIndexes(t *testing.T) {
	db := enginetest.Open(t)
	for _, c := range []struct {
		name, query string
		args        []any
		indexes     [2]string // of SQLite, and of PostgreSQL
	}{
		{"one", holdByID, []any{1, 2, 3}, [2]string{"USING INTEGER PRIMARY KEY", "holds_"}},
		{"the same again", alikeHold, []any{1, 2, "m", "p", 3, 4}, [2]string{"holds_in (workspace_id=? AND expires_ms>?)", "holds_in"}},
		{"of a maker", holdsByMaker, []any{1, 2, "m"}, [2]string{"holds_in (workspace_id=? AND expires_ms>?)", "holds_in"}},
		{"of a person", holdsByPerson, []any{1, 2, "p"}, [2]string{"holds_in (workspace_id=? AND expires_ms>?)", "holds_in"}},
		{"of visitors in a room", spansOfVisitor, []any{1, 1, 1, 2, 3, 4}, [2]string{"hold_spans_busy (kind=? AND subject_id=?", "hold_spans_busy"}},
		{"of visitors", holdsOfVisitor, []any{1, 1, 2, 3, 4}, [2]string{"holds_of (host_id=?", "holds_of"}},
		{"starts", heldStarts, []any{1, 2, 3, 4, 5}, [2]string{"holds_in (workspace_id=? AND expires_ms>?)", "holds_in"}},
		{"those that ended", pruneHolds, []any{1, 2}, [2]string{"holds_old (expires_ms<?)", "holds_old"}},
		{"those that would never end", holdsTooLong, []any{1}, [2]string{"holds_old (expires_ms>?)", "holds_old"}},
	} {
		if enginetest.OnPostgres() {
			if got := enginetest.PlanOnPostgres(t, db, c.query, c.args...); !strings.Contains(got, c.indexes[1]) {
				t.Errorf("%s: want %s\n%s", c.name, c.indexes[1], got)
			}
			continue
		}
		if got := enginetest.Plan(t, db, c.query, c.args...); !strings.Contains(got, c.indexes[0]) || strings.Contains(got, "SCAN holds") {
			t.Errorf("%s: want %s\n%s", c.name, c.indexes[0], got)
		}
	}
}
