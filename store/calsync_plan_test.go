package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"daybook/store/engine"
	"daybook/store/enginetest"
)

// read is a query that a page asks, and the indexes that it must be read by.
type calendarRead struct {
	name    string
	query   string
	args    []any
	indexes []string
}

func calendarReads() []calendarRead {
	kind := []any{1, 0, 0, 9, 3, 9, 3}
	return []calendarRead{
		{"busy times of all", foreignBusyTimes + busyOrder, []any{1, 9, 3, 3, 5}, []string{"busy_times"}},
		{"busy times of one", foreignBusyTimes + ` AND h.id = ?` + busyOrder, []any{1, 9, 3, 3, 2, 5}, []string{"busy_times"}},
		{"busy times of resources", resourceBusyTimes, []any{1, 9, 3, 3, 5}, []string{"resource_busy_times"}},
		{"clashes", allClashes, append(slices.Repeat(kind, 6), 5), []string{"busy_times", "bookings_busy", "bookings_bare",
			"booking_spans_busy", "booking_spans_bare", "resource_busy_times"}},
	}
}

func (r *calendarRead) by(plan string) bool {
	for _, index := range r.indexes {
		if !strings.Contains(plan, index) {
			return false
		}
	}
	return true
}

// What the calendar reads of other calendars is read by an index on both sides, however much there is.
func TestBusyTimesAreReadByIndex(t *testing.T) {
	db := enginetest.OpenAt(t, enginetest.PlaceOnSQLite(t))
	for _, r := range calendarReads() {
		plan := enginetest.Plan(t, db, r.query, r.args...)
		t.Log(plan)
		if !r.by(plan) || strings.Contains(plan, "SCAN t") || strings.Contains(plan, "SCAN b") {
			t.Errorf("%s: %s", r.name, plan)
		}
	}
}

// PostgreSQL does so, too, once there is so much that it would not rather read all of it.
func TestBusyTimesAreReadByIndexOnPostgres(t *testing.T) {
	db := enginetest.OpenAt(t, enginetest.PlaceOnPostgres(t))
	err := db.Write(t.Context(), func(tx *engine.Transaction) error {
		for _, off := range []string{"enable_seqscan", "enable_bitmapscan"} {
			if _, err := tx.Exec(`SET LOCAL ` + off + ` = off`); err != nil {
				return err
			}
		}
		for _, r := range calendarReads() {
			var lines []string
			if err := tx.All(&lines, "EXPLAIN "+r.query, r.args...); err != nil {
				return fmt.Errorf("%s: %w", r.name, err)
			}
			if plan := strings.Join(lines, "\n"); !r.by(plan) || strings.Contains(plan, "Seq Scan") {
				t.Errorf("%s: %s", r.name, plan)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
