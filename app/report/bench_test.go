package report_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/id"
	"daybook/app/money"
	"daybook/app/report"
	"daybook/app/when"
	"daybook/store/enginetest"
)

// BenchmarkFiguresOfPeople asks a salon of 12 people and 100,000 bookings, which take three years, nearly all of them paid,
// every fifth with a tip, with 5,000 products sold, for all that it ever had, as JSON: booking by booking ("bookings"), by sums
// of days ("sums"), of one person with each day ("person"), while some days have changed ("changed"), and for the statement of a
// month ("month").
//
//	[DAYBOOK_TEST_DB=postgres] go test ./app/report -run XXX -bench FiguresOfPeople -benchtime 20x
func BenchmarkFiguresOfPeople(b *testing.B) {
	const bookings, people, perDay = 100_000, 12, 8
	names := []string{}
	for i := range people {
		names = append(names, fmt.Sprintf("p%d", i))
	}
	s := apptest.New(b, apptest.Options{Hosts: names})
	s.Offer("cut", 60, func(e *catalog.EventType) { e.Price = &money.Money{Amount: 4500, Currency: "EUR"} })
	one := s.Booked("cut", "1T09", "eva")
	setup, err := s.Setup(s.Workspace.ID)
	s.Must(err)
	run := func(format string, args ...any) {
		b.Helper()
		s.Must(s.SQL(fmt.Sprintf(format, args...)))
	}
	base := apptest.Monday.Truncate(24*time.Hour).UnixMilli() - int64(bookings/people/perDay)*86_400_000
	run(`INSERT INTO bookings (id, workspace_id, event_type_id, host_id, contact_id, status, start_ms, end_ms,
		busy_start_ms, busy_end_ms, name, email, created_ms, price, currency, details)
		SELECT i + 1, workspace_id, event_type_id, %[1]d + i %% %[2]d, contact_id, CASE WHEN i %% 31 = 0 THEN 4 ELSE 1 END, at, at + 3600000, at, at + 3600000,
			name, email, 1, 4500, 'EUR', CASE WHEN i %% 50 = 0 THEN '{"discount":{"amount":450,"currency":"EUR"}}' END FROM (
		WITH RECURSIVE n(i) AS (SELECT CAST(0 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < %[3]d)
		SELECT i, %[4]d + i / %[2]d / %[5]d * 86400000 + i / %[2]d %% %[5]d * 3600000 + 28800000 AS at FROM n) x, bookings b WHERE b.id = %[6]d`,
		int64(setup.Hosts[0].ID), people, bookings-1, base, perDay, int64(one.ID))
	run(`INSERT INTO counter_entries (id, workspace_id, booking_id, method, amount, tip, currency, actor, actor_id, at_ms)
		SELECT id + 1000000, workspace_id, id, id %% 2, 4500, CASE WHEN id %% 5 = 0 THEN 300 ELSE 0 END, 'EUR', 'owner', '', end_ms
		FROM bookings WHERE id <= %d AND status = 1`, bookings)
	run(`INSERT INTO host_days (workspace_id, host_id, day, from_ms, to_ms, spans, open_ms, booked_ms, outside_ms)
		WITH RECURSIVE n(i) AS (SELECT CAST(%d AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < %d)
		SELECT h.workspace_id, h.id, i, i * 86400000, (i + 1) * 86400000, '28800000-61200000', 32400000, 28800000, 0 FROM n, hosts h`,
		base/86_400_000, apptest.Monday.UnixMilli()/86_400_000)
	for n := 0; n < 5000; n += 500 {
		s.Must(s.Store.Write(b.Context(), func(tx app.Tx) error {
			for i := n; i < n+500; i++ {
				at := when.Instant(base + int64(i)*(int64(bookings/people/perDay)*86_400_000/5000))
				payment, host, kind := id.New[booking.PaymentIDKind](s.Clock.Now()), setup.Hosts[i%people].ID, counter.ProductLine
				sale := counter.Sale{ID: counter.SaleID(100 + i), Status: counter.SalePaid, WorkspaceID: s.Workspace.ID, Currency: "EUR", CreatedAt: at,
					Lines:    []counter.SaleLine{{ID: 1, Kind: kind, HostID: &host, Text: "Shampoo", Quantity: 1, Amount: 1290, Total: 1290, Paid: 1290}},
					Payments: []counter.SalePayment{{ID: payment, Amount: 1290, Parts: []counter.SalePart{{Line: 1, PaymentID: payment, Amount: 1290}}}}}
				if err := tx.(counter.Tx).InsertSale(&sale); err != nil {
					return err
				}
				if err := tx.(counter.Tx).InsertCounterEntry(&counter.Entry{ID: payment, WorkspaceID: s.Workspace.ID, SaleID: sale.ID, Method: booking.ByCard,
					Amount: 1290, Currency: "EUR", Actor: booking.ByOwner, At: at, HostID: host}); err != nil {
					return err
				}
			}
			return nil
		}))
	}
	if enginetest.OnPostgres() {
		run(`ANALYZE`)
	}
	ask := func(in report.AnalyticsInput) func(b *testing.B) {
		return func(b *testing.B) {
			var all []time.Duration
			for b.Loop() {
				begun := time.Now()
				res, err := s.Report.Analytics(b.Context(), s.Owner, in)
				if err != nil || res.Totals.Total != bookings+1 || in.Host == "" && len(res.ByHost) != people {
					b.Fatal(err, res)
				}
				if _, err = json.Marshal(res); err != nil {
					b.Fatal(err)
				}
				all = append(all, time.Since(begun))
			}
			slices.Sort(all)
			b.ReportMetric(all[len(all)/2].Seconds()*1000, "median-ms")
			b.ReportMetric(all[len(all)*95/100].Seconds()*1000, "p95-ms")
		}
	}
	whole := report.AnalyticsInput{From: "2020-01-01"}
	b.Run("bookings", ask(whole))
	begun := time.Now()
	s.Must(s.Report.SumDays(b.Context(), s.Workspace.ID))
	b.Logf("days are summed in %v", time.Since(begun))
	b.Run("sums", ask(whole))
	person := whole
	person.Host = setup.Hosts[3].ID.String()
	b.Run("person", ask(person))
	run(`UPDATE bookings SET status = 4 WHERE id > %d AND id <= %d`, bookings-200, bookings)
	b.Run("changed", ask(whole))
	b.Run("month", func(b *testing.B) {
		var all []time.Duration
		for b.Loop() {
			begun := time.Now()
			if _, err := s.Report.Statement(b.Context(), s.Owner, person.Host, "2026-10"); err != nil {
				b.Fatal(err)
			}
			all = append(all, time.Since(begun))
		}
		slices.Sort(all)
		b.ReportMetric(all[len(all)/2].Seconds()*1000, "median-ms")
	})
}
