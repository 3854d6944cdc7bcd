package store

import (
	"strings"
	"testing"

	"daybook/app/work"
	"daybook/store/enginetest"
)

// Everything that is asked of payments, by a door, by an event of the provider's or by the loop, is read by an index.
func TestPaymentsUseTheirIndexes(t *testing.T) {
	db := enginetest.Open(t)
	all, none := claimJobs(work.AllBuckets)
	some, buckets := claimJobs(work.FairBuckets(1, 3))
	if none != nil || len(buckets) != 1 {
		t.Errorf("the only server asks for buckets: %s", all)
	}
	for name, c := range map[string]struct {
		query string
		args  int
		want  string
	}{
		"of a booking":     {paymentsOf, 1, "sqlite_autoindex_payments_1 (booking_id=?)"},
		"by intent":        {paymentsByIntent, 2, "payments_by_intent (intent=?)"},
		"unsettled":        {unsettledPayments, 3, "payments_unsettled (workspace_id=? AND rowid>?)"},
		"list":             {listPayments(false), 3, "payments_list (workspace_id=? AND rowid<?)"},
		"disputes":         {listPayments(true), 3, "payments_disputed (workspace_id=? AND rowid<?)"},
		"checkouts":        {checkoutsOf, 1, "checkouts_of (booking_id=?)"},
		"by session":       {checkoutBySession, 2, "checkouts_by_session (session=?)"},
		"open checkouts":   {openCheckouts, 3, "checkouts_open (workspace_id=? AND rowid>?)"},
		"refunds queued":   {refundsQueued, 1, "payment_jobs_of (booking_id=?)"},
		"next job":         {nextJob, 0, "payment_jobs_due"},
		"claim":            {all, 6, "payment_jobs_due (due_ms<?)"},
		"claim, a share":   {some, 7, "payment_jobs_due (due_ms<?)"},
		"claim, of others": {all, 6, "payment_jobs_of (booking_id=?)"},
	} {
		args := make([]any, c.args)
		for i := range args {
			args[i] = 1
		}
		got := enginetest.Plan(t, db, c.query, args...)
		sorts := strings.Contains(got, "TEMP B-TREE") && c.query != all && c.query != some // of the few that are due
		if sorts || !strings.Contains(got, c.want) || strings.Contains(got, "SCAN payments\n") {
			t.Errorf("%s: want %s, got\n%s", name, c.want, got)
		}
	}
}
