package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/mail"
	"daybook/app/payment"
	"daybook/app/webhook"
	"daybook/app/when"
	"daybook/app/work"
	"daybook/store/engine"
	"daybook/store/enginetest"
)

// The workspaces of the test were made minutes apart.
func workspaceOf(n int) int64 { return (1_790_000_000_000 + int64(n)*97_531) << 5 }

// joined opens servers of one database, which share it fairly by now.
func joined(t *testing.T, place string, n int) (all []engine.Engine) {
	t.Helper()
	for range n {
		db := enginetest.OpenAt(t, place)
		nothing := func(context.Context, int64) error { return nil }
		if err := db.JoinServers(t.Context(), func() error { return nil }, nothing); err != nil {
			t.Fatal(err)
		}
		all = append(all, db)
	}
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(time.Millisecond) {
		sum, buckets := 0, work.Buckets(0)
		for _, db := range all {
			sum, buckets = sum+db.Share().Buckets.Len(), buckets|db.Share().Buckets
		}
		if sum == work.BucketCount && buckets == work.AllBuckets {
			return all
		}
		if time.Now().After(deadline) {
			t.Fatal("the servers don't share the buckets")
		}
	}
}

// Three servers do the work of 1,000 workspaces once, each that of its own buckets. When one of them is gone, what it
// had claimed is there for the others.
func TestContestServersShareTheWork(t *testing.T) {
	const workspaces = 1000
	place := enginetest.PlaceOnPostgres(t)
	raw, err := sql.Open("pgx", place)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { raw.Close() })
	raw.SetMaxOpenConns(1)
	do := func(query string, args ...any) {
		t.Helper()
		if _, err := raw.Exec(query, args...); err != nil {
			t.Fatal(err)
		}
	}
	do(`SET session_replication_role = replica`) // the jobs' bookings are left out
	var ids []int64
	for n := range workspaces {
		ids = append(ids, workspaceOf(n))
	}
	const each = ` FROM unnest(CAST($1 AS BIGINT[])) AS w`
	do(`INSERT INTO webhook_endpoints (id, workspace_id, url, kinds, secret, created_ms)
		SELECT w + 1, w, 'https://x.example', 'booking.created', 's', 0`+each, ids)
	do(`INSERT INTO deliveries (id, workspace_id, event_id, endpoint_id, due_ms, created_ms)
		SELECT w + 2, w, 1, w + 1, 0, 0`+each, ids)
	do(`INSERT INTO mails (id, workspace_id, kind, recipient, facts, due_ms, until_ms)
		SELECT w + 3, w, 'x', 'a@b.example', '{}', 0, 9`+each, ids)
	do(`INSERT INTO payment_jobs (id, workspace_id, booking_id, action, due_ms, created_ms)
		SELECT w + 4, w, w, 0, 1, 0`+each, ids)

	var mu sync.Mutex
	done := map[string]int{}
	claimed := func(kind string, workspace int64, by work.Share) {
		mu.Lock()
		defer mu.Unlock()
		done[fmt.Sprintf("%s of workspace %d", kind, workspace)]++
		if !by.Buckets.Has(workspace) {
			t.Errorf("server %d did a %s of workspace %d, in bucket %d", by.Server, kind, workspace, work.BucketOf(workspace))
		}
	}
	claim := func(s *Store) (n int) {
		mine := s.Share()
		waiting, err := s.Waiting(mine.Buckets)
		if err != nil {
			t.Error(err)
			return 0
		}
		now, lease := when.Instant(1), when.Instant(100_000)
		waiting = slices.DeleteFunc(waiting, func(w webhook.Waiting) bool { return w.Due > now })
		var deliveries []webhook.Claimed
		var mails []mail.Mail
		var jobs []payment.Job
		err = s.Write(t.Context(), func(tx app.Tx) (err error) {
			deliveries, n = deliveries[:0], 0
			for _, w := range waiting[:min(len(waiting), 20)] {
				some, err := tx.(webhook.Tx).ClaimDeliveries(mine.Server,
					catalog.WorkspaceID(w.Lane-1), w.Lane, now, lease, 5)
				if err != nil {
					return err
				}
				deliveries = append(deliveries, some...)
			}
			if mails, err = tx.(mail.Tx).ClaimMails(mine, 0, now, lease, 20); err != nil {
				return err
			}
			jobs, err = tx.(payment.Tx).ClaimPaymentJobs(mine, now, lease, 20)
			return err
		})
		if err != nil {
			t.Error(err)
			return 0
		}
		for _, d := range deliveries {
			claimed("delivery", int64(d.ID)-2, mine)
		}
		for _, m := range mails {
			claimed("mail", int64(m.WorkspaceID), mine)
		}
		for _, j := range jobs {
			claimed("job", int64(j.WorkspaceID), mine)
		}
		return len(deliveries) + len(mails) + len(jobs)
	}
	var all sync.WaitGroup
	servers := joined(t, place, 3)
	for _, db := range servers {
		s := New(db)
		all.Go(func() {
			for claim(s) > 0 {
				if next, err := s.NextPaymentJob(s.Share().Buckets); err != nil || next == 0 {
					t.Errorf("the next job: %d, %v", next, err)
				}
			}
			if due, err := s.HasDueMails(s.Share().Buckets, 1); due || err != nil {
				t.Errorf("mails are left: %v, %v", due, err)
			}
		})
	}
	all.Wait()
	if len(done) != 3*workspaces {
		t.Errorf("%d of %d pieces of work were done", len(done), 3*workspaces)
	}
	for what, times := range done {
		if times != 1 {
			t.Errorf("%d times: %s", times, what)
		}
	}

	// The first one is gone.
	var mine []int64
	for _, w := range ids {
		if servers[0].Share().Buckets.Has(w) {
			mine = append(mine, w)
		}
	}
	other := New(servers[1])
	err = other.Write(t.Context(), func(tx app.Tx) error {
		gone, now := servers[0].Share().Server, when.Instant(2)
		released, err := tx.ReleaseWork(gone, now)
		if released != 3*len(mine) {
			t.Errorf("%d deliveries, mails and jobs of the server that is gone, want %d", released, 3*len(mine))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
