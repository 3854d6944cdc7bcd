package store

import (
	"strings"
	"testing"

	"daybook/store/enginetest"
)

// What is due is counted for metrics through an index: what was settled, which may be years of it, is not read.
func TestWaitingWorkIsCountedByAnIndex(t *testing.T) {
	db := enginetest.Open(t)
	r := New(db).Reader(t.Context()).(queries)
	all, err := r.WaitingWork(1, 10)
	if err != nil || len(all) != len(queues) {
		t.Fatalf("%+v, %v", all, err)
	}
	for i, q := range queues {
		if all[i].Queue == "" || all[i].Due != 0 || all[i].Since != 0 {
			t.Errorf("%s: %+v", q.table, all[i])
		}
	}
	if enginetest.OnPostgres() {
		return // an empty table is read without an index
	}
	for _, q := range queues {
		want := "SEARCH " + q.table + " USING"
		if q.table == deliveryQueue.table { // by endpoint, in an index of what waits alone
			want = "SCAN deliveries USING INDEX deliveries_due"
		}
		if got := enginetest.Plan(t, db, q.waiting(), 1, 10); !strings.Contains(got, want) {
			t.Errorf("%s:\n%s", q.table, got)
		}
	}
}
