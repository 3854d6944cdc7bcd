package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/store/storetest"
)

// BenchmarkGrowth measures reading and booking at 10,000 and at 1,000,000 bookings, or at DAYBOOK_BENCH_BOOKINGS, in turns
// in the same run, through the Service, and what a booking takes on disk with its indexes. A get is measured twice: in
// files that the process has hardly looked at, as after its start and after each commit, when the first look at a page
// of the mapped file costs a fault, more than the read itself (get-cold), and in files whose pages all were looked at.
//
//	DAYBOOK_BENCH_BOOKINGS=5000000 go test ./store -run XXX -bench BenchmarkGrowth -benchtime 1x -timeout 30m
func BenchmarkGrowth(b *testing.B) {
	many := 1_000_000
	if text := os.Getenv("DAYBOOK_BENCH_BOOKINGS"); text != "" {
		var err error
		if many, err = strconv.Atoi(text); err != nil {
			b.Fatal(err)
		}
	}
	small, large := &grown{Many: storetest.NewMany(b, 10_000)}, &grown{Many: storetest.NewMany(b, many)}
	bytes := large.bytesPerBooking(b) // as they were made; those that are booked here have a history
	b.ResetTimer()
	for b.Loop() {
		for _, op := range []struct {
			name string
			run  func(*grown) error
		}{{"get-cold", (*grown).get}, {"get", (*grown).get}, {"page", (*grown).page}, {"day", (*grown).day}, {"availability", (*grown).availability},
			{"book", (*grown).book}} {
			if op.name == "get" {
				if err := errors.Join(small.Warm(b.Context()), large.Warm(b.Context())); err != nil {
					b.Fatal(err)
				}
			}
			was, is := inTurns(b, small, large, op.run)
			b.ReportMetric(was.Seconds()*1e6, op.name+"-10k-µs")
			b.ReportMetric(is.Seconds()*1e6, op.name+"-many-µs")
			b.ReportMetric(float64(is)/float64(was), op.name+"-x")
		}
		b.ReportMetric(bytes, "B/booking")
	}
}

// inTurns runs op on both files, a batch each in turn, and answers the median time of one run on each.
func inTurns(b *testing.B, small, large *grown, op func(*grown) error) (time.Duration, time.Duration) {
	const batches, runs = 31, 100
	took := [2][]time.Duration{}
	for range batches {
		for i, g := range []*grown{small, large} {
			for range runs {
				start := time.Now()
				if err := op(g); err != nil {
					b.Fatal(err)
				}
				took[i] = append(took[i], time.Since(start))
			}
		}
	}
	slices.Sort(took[0])
	slices.Sort(took[1])
	return took[0][batches*runs/2], took[1][batches*runs/2]
}

type grown struct {
	*storetest.Many
	booked int
}

func (g *grown) get() error {
	id, w := g.Booking(rand.IntN(g.Bookings))
	_, err := g.Service.Booking(context.Background(), g.Actor(w), id.String())
	return err
}

func (g *grown) page() error {
	from := g.Now.AddDate(0, 0, -rand.IntN(300))
	p, err := g.Service.Bookings(context.Background(), g.Actor(rand.IntN(len(g.Workspaces))), booking.ListBookingsInput{From: from.Format(time.RFC3339)})
	if err == nil && len(p.Data) != 50 {
		err = fmt.Errorf("a page of %d", len(p.Data))
	}
	return err
}

// day is a host's.
func (g *grown) day() error {
	from, w := g.Now.AddDate(0, 0, -rand.IntN(300)), rand.IntN(len(g.Workspaces))
	_, err := g.Service.Bookings(context.Background(), g.Actor(w), booking.ListBookingsInput{Scope: "all",
		Host: catalog.HostID(g.EventType(w, rand.IntN(g.HostsEach()))).String(), From: from.Format(time.RFC3339),
		To: from.AddDate(0, 0, 1).Format(time.RFC3339)})
	return err
}

// book takes a time that is free: those that Many made lie before.
func (g *grown) book() error {
	i := g.booked
	g.booked++
	w, host, slot := i%len(g.Workspaces), i/len(g.Workspaces)%g.HostsEach(), i/len(g.Workspaces)/g.HostsEach()
	day := g.Now.AddDate(0, 0, 48+slot/14).Truncate(24 * time.Hour)
	_, err := g.Service.Book(context.Background(), g.Actor(w), booking.BookInput{EventType: g.EventType(w, host).String(),
		Start:   day.Add(9*time.Hour + time.Duration(slot%14)*30*time.Minute).Format(time.RFC3339),
		Invitee: booking.Invitee{Name: "Bo Berg", Email: fmt.Sprintf("bo%d@mail.example", i)}})
	return err
}

func (g *grown) availability() error {
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
func (g *grown) bytesPerBooking(b *testing.B) float64 {
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
