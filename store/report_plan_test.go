package store

import (
	"strings"
	"testing"

	"daybook/app/when"
	"daybook/store/enginetest"
)

func TestTallyReadsAnIndex(t *testing.T) {
	db := enginetest.OpenAt(t, enginetest.PlaceOnSQLite(t))
	for _, to := range []when.Instant{0, 2} {
		query, args := tally(1, 1, to)
		if got := enginetest.Plan(t, db, query, args...); strings.Contains(got, "\n") || !strings.Contains(got, "bookings_list (workspace_id=? AND start_ms>") {
			t.Error(got)
		}
	}
}

func TestRevenueReadsAnIndex(t *testing.T) {
	got := enginetest.Plan(t, enginetest.OpenAt(t, enginetest.PlaceOnSQLite(t)), revenue, 1, 1, 1)
	if !strings.Contains(got, "(workspace_id=?)") || strings.Contains(got, "SCAN") {
		t.Error(got)
	}
}

// Bookings of the span come first, then the money of each.
func TestCounterRevenueReadsAnIndex(t *testing.T) {
	got := enginetest.Plan(t, enginetest.OpenAt(t, enginetest.PlaceOnSQLite(t)), counterRevenue, 1, 1, 1)
	if !strings.Contains(got, "bookings_list (workspace_id=? AND start_ms>") ||
		!strings.Contains(got, "counter_entries_of (booking_id=?)") || strings.Contains(got, "SCAN") {
		t.Error(got)
	}
}

// The entries of the days come first, then what each is for.
func TestReceivedReadsAnIndex(t *testing.T) {
	got := enginetest.Plan(t, enginetest.OpenAt(t, enginetest.PlaceOnSQLite(t)), received, 1, 1, 1)
	if !strings.Contains(got, "counter_entries_by_time (workspace_id=? AND at_ms>") || strings.Contains(got, "SCAN") {
		t.Error(got)
	}
}

func TestShortRevenueReadsAnIndex(t *testing.T) {
	got := enginetest.Plan(t, enginetest.OpenAt(t, enginetest.PlaceOnSQLite(t)), shortRevenue, 1, 1, 1)
	if !strings.Contains(got, "bookings_list (workspace_id=? AND start_ms>") ||
		!strings.Contains(got, "(booking_id=?)") || strings.Contains(got, "SCAN") {
		t.Error(got)
	}
}

// What is read of sums, at each question and in the background, is read by keys.
func TestSumsReadIndexes(t *testing.T) {
	db := enginetest.OpenAt(t, enginetest.PlaceOnSQLite(t))
	for query, args := range map[string][]any{
		daySums: {1, 1, 1}, dayMarks: {1}, firstOf: {1, 1}, unasked: {1, 1}, forgetMarks: {1, 1, 1}, forgetSums: {1, 1, 1},
		forgetSome: {1, 1, 1}, forgetAllOf: {1}, giveTurnBack: {1},
		hostDays: {1, 1, 1, 1}, allHostDays: {1, 1, 1, 1}, changedDays: {1}, changedDaysOf: {1, 1, 1}, hostDaySums: {1, 1, 1},
		lastHostDay: {1, 1}, countHostDay: {1, 1, 1, 1, 1}, ledWork: {1, 1, 1, 1, 1}, helpedWork: {1, 1, 1, 1, 1},
		hostsDue + hostsDueOrder: {1, 1}, receivedOnline: {1, 1, 1}, discounts: {1, 1, 1}, hostDiscounts: {1, 1, 1, 1},
	} {
		got := strings.ReplaceAll(enginetest.Plan(t, db, query, args...), "SCAN workspaces", "") // of the few that are deleted
		if strings.Contains(got, "SCAN") || strings.Contains(got, "TEMP B-TREE") {
			t.Errorf("%s: %s", query, got)
		}
	}
}
