package store_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/subjects"
	"daybook/store/enginetest"
	"daybook/store/storetest"
)

// bookings is how many a benchmark's file has: DAYBOOK_BENCH_BOOKINGS, or a million.
func bookings(b *testing.B) int {
	n, err := strconv.Atoi(os.Getenv("DAYBOOK_BENCH_BOOKINGS"))
	if err != nil {
		return 1_000_000
	}
	return n
}

// newMany is a file whose bookings have contacts: of five bookings one contact, in every second workspace of fifty
// bookings, which are spread over all its time.
func newMany(b *testing.B) *storetest.Many {
	m := storetest.NewMany(b, bookings(b))
	raw := enginetest.Raw(b, m.Store.Engine)
	for _, statement := range []string{
		`PRAGMA synchronous = OFF`,
		`UPDATE bookings SET contact_id = m.least + bookings.id % 997 FROM (SELECT workspace_id, MIN(contact_id) AS least
			FROM bookings GROUP BY workspace_id) m WHERE m.workspace_id = bookings.workspace_id AND bookings.workspace_id IN
			(SELECT id FROM workspaces WHERE CAST(substr(slug, 2) AS INTEGER) % 2 = 1)`,
		`INSERT INTO contacts (id, workspace_id, email_key, email, name, phone, time_zone, notes, created_ms)
			SELECT contact_id, MIN(workspace_id), 'c' || contact_id || '@mail.example', 'c' || contact_id || '@mail.example',
			'Someone Usual', '', '', '', MIN(created_ms) FROM bookings GROUP BY contact_id`,
		`ANALYZE`,
	} {
		if _, err := raw.Exec(statement); err != nil {
			b.Fatal(err)
		}
	}
	return m
}

// holds is a store that knows how long a transaction ran at most, without its commit.
type holds struct {
	app.Store
	longest atomic.Int64
}

func (h *holds) Write(ctx context.Context, change func(app.Tx) error) error {
	return h.Store.Write(ctx, func(tx app.Tx) error {
		begun := time.Now()
		defer func() { h.longest.Store(max(h.longest.Load(), int64(time.Since(begun)))) }()
		return change(tx)
	})
}

func (h *holds) WriteAlong(ctx context.Context, change func(app.Tx) error) error {
	return h.Write(ctx, change)
}

// BenchmarkNights forgets those who have not been there for six months, in a file with a million bookings of 20
// workspaces, and sweeps; meanwhile somebody writes a little thing every few milliseconds. It tells how many bookings
// were done a second, and how long the writer of little things had to wait at most.
//
//	go test ./store -run XXX -bench BenchmarkNights -benchtime 1x -timeout 30m
func BenchmarkNights(b *testing.B) {
	m := newMany(b)
	ctx := b.Context()
	held := &holds{Store: m.Store}
	m.Service = subjects.New(subjects.Config{Config: app.Config{Store: held, Clock: func() time.Time { return m.Now }}})
	for w := range m.Workspaces {
		if err := m.Service.Privacy.ChooseRule(ctx, app.Operator(m.Workspaces[w]), &catalog.RetentionRule{Months: 6}); err != nil {
			b.Fatal(err)
		}
	}
	nothing := func(time.Duration) {}
	if err := m.Service.Privacy.Due(ctx, nothing); err != nil { // plans the night
		b.Fatal(err)
	}
	m.Now = m.Now.AddDate(0, 0, 1)
	held.longest.Store(0)
	var longest atomic.Int64
	probe, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for probe.Err() == nil {
			begun := time.Now()
			err := m.Service.Quietly(ctx, func(tx app.Tx) error { return tx.SetServerValue("probe", "1") })
			if err != nil {
				b.Error(err)
			}
			longest.Store(max(longest.Load(), int64(time.Since(begun))))
			time.Sleep(3 * time.Millisecond)
		}
	}()
	b.ResetTimer()
	for b.Loop() {
		begun := time.Now()
		if err := m.Service.Privacy.Due(ctx, nothing); err != nil {
			b.Fatal(err)
		}
		night := time.Since(begun)
		for more := true; more; {
			var err error
			if more, err = m.Service.Upkeep.Sweep(ctx, 50); err != nil {
				b.Fatal(err)
			}
		}
		whole := time.Since(begun)
		raw := enginetest.Raw(b, m.Store.Engine)
		var erased, contacts int
		err := raw.QueryRow(`SELECT COUNT(*), (SELECT COUNT(*) FROM contacts WHERE email = '') FROM bookings
			WHERE email = 'deleted@invalid'`).Scan(&erased, &contacts)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(erased), "bookings")
		b.ReportMetric(float64(contacts), "contacts")
		b.ReportMetric(night.Seconds(), "night-s")
		b.ReportMetric(whole.Seconds(), "whole-s")
		b.ReportMetric(float64(erased)/whole.Seconds(), "bookings/s")
	}
	stop()
	<-done
	b.ReportMetric(float64(longest.Load())/1e6, "longest-wait-ms")
	b.ReportMetric(float64(held.longest.Load())/1e6, "longest-hold-ms")
}

// BenchmarkPreview asks what would be erased of a million bookings of one workspace:
//
//	go test ./store -run XXX -bench BenchmarkPreview -benchtime 3x -timeout 30m
func BenchmarkPreview(b *testing.B) {
	m := newMany(b)
	raw := enginetest.Raw(b, m.Store.Engine)
	for _, table := range []string{"bookings", "contacts"} {
		if _, err := raw.Exec(fmt.Sprintf(`UPDATE %s SET workspace_id = %d`, table, m.Workspaces[0])); err != nil {
			b.Fatal(err)
		}
	}
	for _, months := range []int{1, 12} {
		b.Run(fmt.Sprint(months), func(b *testing.B) {
			for b.Loop() {
				p, err := m.Service.Privacy.PreviewRule(b.Context(), app.Operator(m.Workspaces[0]), catalog.RetentionRule{Months: months})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(p.Bookings), "bookings")
				b.ReportMetric(float64(p.Contacts), "contacts")
			}
		})
	}
}
