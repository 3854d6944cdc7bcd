package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"daybook/app/availability"
	"daybook/app/record"
	"daybook/store/storetest"
)

// BenchmarkGrowth measures reading at 10,000 and at 1,000,000 bookings, in turns in the same run, through the Service,
// and what a booking takes on disk with its indexes.
//
//	go test ./store -run XXX -bench BenchmarkGrowth -benchtime 1x -timeout 20m
func BenchmarkGrowth(b *testing.B) {
	small, large := grown{storetest.NewMany(b, 10_000)}, grown{storetest.NewMany(b, 1_000_000)}
	b.ResetTimer()
	for b.Loop() {
		for _, op := range []struct {
			name string
			run  func(grown) error
		}{{"get", grown.get}, {"page", grown.page}, {"availability", grown.availability}} {
			was, is := inTurns(b, small, large, op.run)
			b.ReportMetric(was.Seconds()*1e6, op.name+"-10k-µs")
			b.ReportMetric(is.Seconds()*1e6, op.name+"-1M-µs")
			b.ReportMetric(float64(is)/float64(was), op.name+"-x")
		}
		b.ReportMetric(large.bytesPerBooking(b), "B/booking")
	}
}

// inTurns runs op on both files, a batch each in turn, and answers the median time of one run on each.
func inTurns(b *testing.B, small, large grown, op func(grown) error) (time.Duration, time.Duration) {
	const batches, runs = 31, 100
	took := [2][]time.Duration{}
	for range batches {
		for i, g := range []grown{small, large} {
			start := time.Now()
			for range runs {
				if err := op(g); err != nil {
					b.Fatal(err)
				}
			}
			took[i] = append(took[i], time.Since(start)/runs)
		}
	}
	slices.Sort(took[0])
	slices.Sort(took[1])
	return took[0][batches/2], took[1][batches/2]
}

type grown struct{ *storetest.Many }

func (g grown) get() error {
	id, w := g.Booking(rand.IntN(g.Bookings))
	_, err := g.Service.Booking(context.Background(), g.Actor(w), id.String())
	return err
}

func (g grown) page() error {
	from := g.Now.AddDate(0, 0, -rand.IntN(300))
	p, err := g.Service.Bookings(context.Background(), g.Actor(rand.IntN(len(g.Workspaces))), record.ListBookingsInput{From: from.Format(time.RFC3339)})
	if err == nil && len(p.Data) != 50 {
		err = fmt.Errorf("a page of %d", len(p.Data))
	}
	return err
}

func (g grown) availability() error {
	w := rand.IntN(len(g.Workspaces))
	v, err := g.Service.Availability(context.Background(), g.Actor(w), availability.Input{
		EventType: g.EventType(w, rand.IntN(g.HostsEach())).String(), Days: new(60), Limit: new(100),
	})
	if err == nil && v.Len() != 100 {
		err = fmt.Errorf("%d slots", v.Len())
	}
	return err
}

// bytesPerBooking is what the table and its indexes take, by SQLite's own account of pages.
func (g grown) bytesPerBooking(b *testing.B) float64 {
	db, err := sql.Open("sqlite", "file:"+g.Store.Path())
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(`SELECT name, SUM(pgsize) FROM dbstat WHERE name IN (SELECT name FROM sqlite_schema WHERE tbl_name = 'bookings') GROUP BY name`)
	if err != nil {
		b.Fatal(err)
	}
	defer rows.Close()
	total := 0.0
	for rows.Next() {
		var name string
		var size float64
		if err := rows.Scan(&name, &size); err != nil {
			b.Fatal(err)
		}
		b.Logf("%-24s %6.1f B", name, size/float64(g.Bookings))
		total += size
	}
	if err := rows.Err(); err != nil {
		b.Fatal(err)
	}
	return total / float64(g.Bookings)
}
