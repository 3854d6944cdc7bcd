package store

import (
	"strings"
	"testing"

	"daybook/app/when"
)

func TestTallyReadsAnIndex(t *testing.T) {
	s := open(t)
	for _, to := range []when.Instant{0, 2} {
		query, args := tally(1, 1, to)
		if got := plan(t, s, query, args); strings.Contains(got, "\n") || !strings.Contains(got, "bookings_list (workspace_id=? AND start_ms>") {
			t.Error(got)
		}
	}
}

func TestRevenueReadsAnIndex(t *testing.T) {
	got := plan(t, open(t), revenue, []any{1, 1, 1})
	if !strings.Contains(got, "payments_list (workspace_id=?)") || strings.Contains(got, "SCAN") {
		t.Error(got)
	}
}

// Bookings of the span come first, then the money of each.
func TestCounterRevenueReadsAnIndex(t *testing.T) {
	got := plan(t, open(t), counterRevenue, []any{1, 1, 1})
	if !strings.Contains(got, "bookings_list (workspace_id=? AND start_ms>") ||
		!strings.Contains(got, "counter_entries_of (booking_id=?)") || strings.Contains(got, "SCAN") {
		t.Error(got)
	}
}
