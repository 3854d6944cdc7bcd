package store_test

import (
	"testing"

	"daybook/app/report"
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
