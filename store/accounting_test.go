package store

import (
	"strings"
	"testing"

	"daybook/store/enginetest"
)

// What was paid online is found by the workspace's index.
func TestOnlineTakingsAreReadByIndex(t *testing.T) {
	db := enginetest.Open(t)
	if enginetest.OnPostgres() {
		if got := enginetest.PlanOnPostgres(t, db, onlineTakings, 1, 2, 3); strings.Contains(got, "Seq Scan") {
			t.Error(got)
		}
		return
	}
	if got := enginetest.Plan(t, db, onlineTakings, 1, 2, 3); strings.Contains(got, "SCAN payments") {
		t.Error(got)
	}
}
