package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"daybook/app/booking"
	"daybook/app/counter"
	"daybook/store/engine"
	"daybook/store/enginetest"
)

// read is a query that grows for years, and the indexes that it may be read by: SQLite's and, where it is another one,
// PostgreSQL's.
type counterRead struct {
	name    string
	query   string
	args    []any
	indexes []string
	sorts   bool // the rows of one day
}

func counterReads() (all []counterRead) {
	list := func(name string, f counter.ReceiptFilter, indexes ...string) {
		f.Limit = 5
		query, args := listReceipts(1, f)
		all = append(all, counterRead{name, query, args, indexes, false})
	}
	after := booking.ReceiptID(9)
	list("all receipts", counter.ReceiptFilter{}, "receipts_list", "receipts_made_id")
	list("receipts of a year", counter.ReceiptFilter{From: 3, To: after}, "receipts_list", "receipts_made_id")
	list("receipts to export", counter.ReceiptFilter{From: after, OldestFirst: true}, "receipts_list", "receipts_made_id")
	list("receipts of a booking", counter.ReceiptFilter{Booking: 3}, "receipts_of")
	list("receipts of a host", counter.ReceiptFilter{Host: 3, To: after}, "receipts_by_host")
	return append(all,
		counterRead{"sums of a day", sums, []any{1, 3, 9}, []string{"counter_entries_by_time"}, true},
		counterRead{"the ledger to export", allEntries, []any{1, 3, 9, 5}, []string{"counter_entries_by_time"}, false},
		counterRead{"closes of a day", closes, []any{1, "2026-12-01"}, []string{"day_closes_by_day"}, true},
		counterRead{"the close before", lastClose, []any{1, "2026-12-01"}, []string{"day_closes_by_day"}, false},
		counterRead{"closes to export", allCloses, []any{1, "2026-12-01", 9, 5}, []string{"day_closes_by_day"}, false})
}

func (r *counterRead) by(plan string) bool {
	return slices.ContainsFunc(r.indexes, func(index string) bool { return strings.Contains(plan, index) })
}

// What the till, its lists and its exports read is read by an index, and lists in its order.
func TestTheCounterIsReadByIndex(t *testing.T) {
	db := enginetest.OpenAt(t, enginetest.PlaceOnSQLite(t))
	for _, r := range counterReads() {
		plan := enginetest.Plan(t, db, r.query, r.args...)
		if !r.by(plan) || strings.Contains(plan, "TEMP B-TREE") && !r.sorts {
			t.Errorf("%s: %s", r.name, plan)
		}
	}
}

// PostgreSQL does so, too, once there is so much that it would not rather read all of it.
func TestTheCounterIsReadByIndexOnPostgres(t *testing.T) {
	db := enginetest.OpenAt(t, enginetest.PlaceOnPostgres(t))
	err := db.Write(t.Context(), func(tx *engine.Transaction) error {
		for _, off := range []string{"enable_seqscan", "enable_bitmapscan", "enable_sort"} {
			if _, err := tx.Exec(`SET LOCAL ` + off + ` = off`); err != nil {
				return err
			}
		}
		for _, r := range counterReads() {
			var lines []string
			if err := tx.All(&lines, "EXPLAIN "+r.query, r.args...); err != nil {
				return fmt.Errorf("%s: %w", r.name, err)
			}
			plan := strings.Join(lines, "\n")
			sorts := strings.Contains(strings.ReplaceAll(plan, "Incremental Sort", ""), "Sort  ") // that sorts within one instant
			if !r.by(plan) || strings.Contains(plan, "Seq Scan") || sorts && !r.sorts {
				t.Errorf("%s: %s", r.name, plan)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
