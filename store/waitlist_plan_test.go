package store

import (
	"strings"
	"testing"

	"daybook/app/waitlist"
	"daybook/app/work"
	"daybook/store/enginetest"
)

// Whoever waits is found by an index, however many there are.
func TestWaitlistReadsIndexes(t *testing.T) {
	db := enginetest.Open(t)
	list, args := listWaits(1, waitlist.Filter{Before: 9, Limit: 10})
	due, dueArgs := dueWaitJobs(work.AllBuckets, 1, 9)
	for name, x := range map[string]struct {
		query string
		args  []any
		index string
	}{
		"a list":            {list, args, "waitlist_entries_of (workspace_id=? AND id<?)"},
		"those of a person": {waitsOf + ` AND state IN (?, ?)`, []any{1, "x", 2, 1, 2}, "waitlist_entries_person (workspace_id=? AND email_key=?"},
		"those that count":  {liveWaits, []any{1, 9}, "waitlist_entries_live (workspace_id=?)"},
		"those that end":    {overWaits, []any{1, 9}, "waitlist_entries_until (until_ms<?)"},
		"old ones":          {pruneWaits, []any{1, 9, 1}, "waitlist_entries_old (ended_ms<?)"},
		"of a contact":      {dropWaits, []any{1, 2}, "waitlist_entries_contact (contact_id=?)"},
		"of an address":     {dropWaitsOf, []any{1, "x"}, "waitlist_entries_person (workspace_id=? AND email_key=?)"},
		"of a number":       {dropWaitsOf + ofNumber, []any{1, "+49", 2}, "waitlist_entries_person (workspace_id=? AND email_key=?)"},
		"that move along":   {moveWaits, []any{1, 2, 3}, "waitlist_entries_contact (contact_id=?)"},
		"whether one stays": {contactWaits, []any{2, 9, 1, "x", "+49", 9}, "waitlist_entries_contact (contact_id=?)"},
		"what is due":       {due, dueArgs, "waitlist_queue_due (due_ms<?)"},
		"let go by one":     {letGoBy, []any{1, 2, 9, 1}, "waitlist_queue_of (workspace_id=? AND booking_id=?)"},
		"times that came":   {freedTimes, []any{1, 9}, "waitlist_queue_of (workspace_id=?)"},
		"those who wait":    {waiters, []any{1, 9}, "waitlist_entries_live (workspace_id=?)"},
		"who waits at all":  {keepWaits, []any{1}, "waitlist_entries_live (workspace_id=?)"},
	} {
		if enginetest.OnPostgres() {
			if got := enginetest.PlanOnPostgres(t, db, x.query, x.args...); !strings.Contains(got, "Index") || strings.Contains(got, "Seq Scan on waitlist_") {
				t.Errorf("%s:\n%s", name, got)
			}
			continue
		}
		if got := enginetest.Plan(t, db, x.query, x.args...); !strings.Contains(got, x.index) || strings.Contains(got, "SCAN waitlist_") {
			t.Errorf("%s, want %s:\n%s", name, x.index, got)
		}
	}
}
