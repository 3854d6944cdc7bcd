package store

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"daybook/app"
)

// million is a workspace with n bookings spread over two years before and a month after now, of 12 event types.
func million(b *testing.B, n int) (s *Store, ws app.WorkspaceID, now time.Time) {
	b.Helper()
	db := openTest(b, func(o *Options) { o.Migrations = Schema() })
	s, now = New(db), time.Date(2026, 11, 30, 8, 0, 0, 0, time.UTC)
	must := func(err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	exec := func(q *querier, text string, args ...any) {
		_, err := q.exec(text, args...)
		must(err)
	}
	w, err := app.New(app.Config{Store: s}).CreateWorkspace(b.Context(), app.WorkspaceInput{Slug: "salon", Name: "S", TimeZone: "Europe/Berlin"})
	must(err)
	ws = w.ID
	must(db.write(b.Context(), func(q *querier) error {
		exec(q, `INSERT INTO hosts (id, workspace_id, email_key, email, name, time_zone, active, hours, created_ms) VALUES (1, ?, 'a', 'a', 'A', 'Europe/Berlin', 1, '{}', 0)`, ws)
		exec(q, `INSERT INTO contacts (id, workspace_id, email_key, email, name, phone, time_zone, notes, created_ms) VALUES (1, ?, 'a', 'a', 'A', '', '', '', 0)`, ws)
		for i := range 12 {
			exec(q, `INSERT INTO event_types (id, workspace_id, slug, position, definition, created_ms) VALUES (?, ?, ?, 0, '{}', 0)`, int64(ws)+int64(i), ws, fmt.Sprint("e", i))
		}
		return nil
	}))
	first := now.AddDate(-2, 0, 0).UnixMilli()
	step := (now.AddDate(0, 1, 0).UnixMilli() - first) / int64(n)
	for i := 0; i < n; {
		must(db.write(b.Context(), func(q *querier) error {
			for end := min(n, i+50_000); i < end; i++ {
				start := first + int64(i)*step
				exec(q, `INSERT INTO bookings (id, workspace_id, event_type_id, host_id, contact_id, status, start_ms, end_ms, busy_start_ms, busy_end_ms,
					name, email, price, currency, created_ms, updated_ms) VALUES (?, ?, ?, 1, 1, ?, ?, ?, ?, ?, 'Mei Muster', 'mei@example.com', 4500, 'EUR', ?, ?)`,
					(start-86_400_000)<<21|int64(i), ws, int64(ws)+int64(i%12), 1+i%4, start, start+3_600_000, start, start+3_600_000, start, start)
			}
			return nil
		}))
	}
	return s, ws, now
}

// BenchmarkAnalytics asks for the default span (30 days and what is ahead) and for everything, on a million bookings:
//
//	go test ./store -run - -bench Analytics -benchtime 10x
func BenchmarkAnalytics(b *testing.B) {
	n := 1_000_000
	if os.Getenv("SMALL") != "" {
		n = 20_000
	}
	s, ws, now := million(b, n)
	service := app.New(app.Config{Store: s, Clock: func() time.Time { return now }})
	for _, from := range []string{"", "2026-01-01", "2020-01-01"} {
		b.Run("from "+from, func(b *testing.B) {
			for b.Loop() {
				a, err := service.Analytics(b.Context(), app.Actor{Workspace: ws}, app.AnalyticsInput{From: from})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(a.Totals.Total), "bookings")
			}
		})
	}
}

func TestTallyReadsAnIndex(t *testing.T) {
	s := New(openTest(t, func(o *Options) { o.Migrations = Schema() }))
	for _, to := range []app.Instant{0, 2} {
		query, args := tally(1, 1, to)
		var plan []struct {
			ID, Parent, Notused int
			Detail              string
		}
		if err := s.all(&plan, "EXPLAIN QUERY PLAN "+query, args...); err != nil {
			t.Fatal(err)
		}
		if len(plan) != 1 || !strings.Contains(plan[0].Detail, "bookings_list (workspace_id=? AND start_ms>") {
			t.Errorf("%+v", plan)
		}
	}
}
