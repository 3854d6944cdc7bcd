package store

import (
	"strings"
	"testing"

	"daybook/app/when"
)

func TestTallyReadsAnIndex(t *testing.T) {
	s := New(openTest(t, func(o *Options) { o.Migrations = Schema() }))
	for _, to := range []when.Instant{0, 2} {
		query, args := tally(1, 1, to)
		var plan []struct {
			ID, Parent, Notused int
			Detail              string
		}
		if err := s.all(&plan, "EXPLAIN QUERY PLAN "+query, args...); err != nil {
			t.Fatal(err)
		}
		if len(plan) != 1 || !strings.Contains(plan[0].Detail, "bookings_list (workspace_id=? AND start_ms>") {
			t.Errorf("%+v", plan)
		}
	}
}
