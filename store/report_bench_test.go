package store_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/report"
	"daybook/store/engine"
	"daybook/store/enginetest"
	"daybook/store/storetest"
)

// BenchmarkAnalytics asks a workspace of a file with a million bookings for the default span (30 days and what is
// ahead) and for all that it ever had, its fifty thousand:
//
//	go test ./store -run XXX -bench BenchmarkAnalytics -benchtime 20x
func BenchmarkAnalytics(b *testing.B) {
	m := storetest.NewMany(b, 1_000_000)
	for name, from := range map[string]string{"default": "", "all": "2000-01-01"} {
		b.Run(name, func(b *testing.B) {
			total := 0
			for i := 0; b.Loop(); i++ {
				a, err := m.Service.Report.Analytics(b.Context(), m.Actor(i%len(m.Workspaces)), report.AnalyticsInput{From: from})
				if err != nil {
					b.Fatal(err)
				}
				total = a.Totals.Total
			}
			b.ReportMetric(float64(total), "bookings")
		})
	}
}

// BenchmarkAnalyticsOfAMillion asks one workspace with a million bookings, in 770 days, of 20 services and 200 hosts, for
// all that it ever had, booking by booking ("bookings"), by sums of days ("sums"), and while today and tomorrow are
// marked as changed ("changed"). How long the sums took in the background is logged.
//
//	go test ./store -run XXX -bench BenchmarkAnalyticsOfAMillion -benchtime 10x
func BenchmarkAnalyticsOfAMillion(b *testing.B) {
	m := storetest.NewMany(b, 1_000_000)
	ws := m.Workspaces[0]
	raw := enginetest.Raw(b, m.Store.Engine)
	_, err := raw.Exec(`UPDATE bookings SET workspace_id = ?, event_type_id = ? + id % 20,
		host_id = ? + id / 20 % 100 + 1000 * (id / 2000 % 2)`, ws, m.EventType(0, 0), m.EventType(0, 0))
	if err != nil {
		b.Fatal(err)
	}
	a := m.Actor(0)
	a.Role = app.OwnerRole
	ask := func(b *testing.B) {
		var all []time.Duration
		total := 0
		for b.Loop() {
			begun := time.Now()
			res, err := m.Service.Report.Analytics(b.Context(), a, report.AnalyticsInput{From: "2000-01-01"})
			if err != nil {
				b.Fatal(err)
			}
			all = append(all, time.Since(begun))
			total = res.Totals.Total
		}
		slices.Sort(all)
		b.ReportMetric(float64(total), "bookings")
		b.ReportMetric(all[len(all)/2].Seconds()*1000, "median-ms")
	}
	b.Run("bookings", ask)
	made, longest := make(chan time.Duration, 1), time.Duration(0)
	go func() {
		begun := time.Now()
		if err := m.Service.Report.SumDays(b.Context(), ws); err != nil {
			b.Error(err)
		}
		made <- time.Since(begun)
	}()
	for len(made) == 0 {
		begun := time.Now()
		if err := m.Store.Write(b.Context(), func(app.Tx) error { return nil }); err != nil {
			b.Fatal(err)
		}
		longest = max(longest, time.Since(begun))
	}
	var size float64
	if err := raw.QueryRow(`SELECT SUM(length(sums)) / 1e6 FROM day_sums`).Scan(&size); err != nil {
		b.Fatal(err)
	}
	b.Logf("made in %v, a write waited for %v at most, %.2f bytes a booking", <-made, longest, size)
	b.Run("sums", ask)
	today := m.Now.UnixMilli() / 86400000
	if _, err := raw.Exec(`INSERT INTO day_marks VALUES (?, ?, 0), (?, ?, 0)`, ws, today, ws, today+1); err != nil {
		b.Fatal(err)
	}
	b.Run("changed", ask)
}

// BenchmarkMarks inserts bookings as the store does, each with its SAVEPOINT, but for rules and history: without the
// triggers that mark days ("none"), in a workspace without sums ("unsummed"), as most are, and in one with ("summed").
// The medians of one run are compared.
//
//	go test ./store -run XXX -bench BenchmarkMarks -benchtime 60x
func BenchmarkMarks(b *testing.B) {
	m := storetest.NewMany(b, 20_000)
	const each = 300
	const insert = `INSERT INTO bookings (id, workspace_id, event_type_id, host_id, contact_id, status, start_ms,
		end_ms, busy_start_ms, busy_end_ms, name, email, created_ms) VALUES (?, ?, ?, ?, 1, 1, ?, ?, ?, ?, 'A', 'a', 1)`
	took := map[string][]time.Duration{}
	undo := errors.New("undo")
	prepare := map[string]string{"none": `DROP TRIGGER bookings_mark_new`, "unsummed": "",
		"summed": fmt.Sprintf(`INSERT INTO day_sum_turns VALUES (%d, 1, 1)`, m.Workspaces[0])}
	run := func(mode string) {
		err := m.Store.Engine.Write(b.Context(), func(tx *engine.Transaction) error {
			if _, err := tx.Exec(`PRAGMA defer_foreign_keys = 1`); err != nil { // contacts are not made
				return err
			}
			if prepare[mode] != "" {
				if _, err := tx.Exec(prepare[mode]); err != nil {
					return err
				}
			}
			var begun time.Time
			for n := range each + 1 { // the first one prepares
				if n == 1 {
					begun = time.Now()
				}
				start := m.Now.UnixMilli() + int64(n)*1_700_000
				err := tx.Try(func() error {
					_, err := tx.Exec(insert, 1_000_000+n, m.Workspaces[0], m.EventType(0, 0), m.EventType(0, 0), start, start+60_000,
						start, start+60_000)
					return err
				})
				if err != nil {
					return err
				}
			}
			took[mode] = append(took[mode], time.Since(begun))
			return undo
		})
		if !errors.Is(err, undo) {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		for _, mode := range []string{"none", "unsummed", "summed"} {
			run(mode)
		}
	}
	for mode, all := range took {
		slices.Sort(all)
		b.ReportMetric(float64(all[len(all)/2].Nanoseconds())/each, mode+"-ns")
	}
}
