package store_test

import (
	"context"
	"errors"
	"log/slog"
	"net/url"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"daybook/store/replica"
	"daybook/store/sqlite"
)

// BenchmarkBookReplicated measures bookings at 32 clients with a replica in a directory of the same disk and without
// one, round by round on files of their own, for long enough that the log is emptied several times. It reports the
// replicated throughput as a ratio to the other, the longest time in which no booking was acknowledged, and the largest
// log.
//
//	go test ./store -run XXX -bench BenchmarkBookReplicated -benchtime 1x
func BenchmarkBookReplicated(b *testing.B) {
	const clients, rounds, span = 32, 5, 4 * time.Second
	for b.Loop() {
		var ratios, tps []float64
		var stall, plainStall time.Duration
		var log int64
		for round := range rounds {
			var with, without measured
			pair := []func(){func() {
				x := newBench(b)
				m := stalls{op: x.book}
				without = load(clients, span, m.call)
				plainStall = max(plainStall, m.longest)
			}, func() {
				x := newBench(b)
				replicate(b, x.db.(*sqlite.DB))
				m := stalls{op: x.book}
				with = load(clients, span, m.call)
				stall = max(stall, m.longest)
				info, err := os.Stat(x.db.Path() + "-wal")
				if err != nil {
					b.Fatal(err)
				}
				log = max(log, info.Size())
			}}
			if round%2 == 1 {
				slices.Reverse(pair)
			}
			pair[0]()
			pair[1]()
			ratios, tps = append(ratios, with.tps/without.tps), append(tps, with.tps)
		}
		slices.Sort(ratios)
		slices.Sort(tps)
		b.ReportMetric(tps[len(tps)/2], "book/s")
		b.ReportMetric(ratios[len(ratios)/2], "x-none")
		b.ReportMetric(stall.Seconds()*1e3, "longest-stall-ms")
		b.ReportMetric(plainStall.Seconds()*1e3, "none-longest-stall-ms")
		b.ReportMetric(float64(log)/(1<<20), "log-MiB")
	}
}

// stalls notes the longest time between two calls that ended.
type stalls struct {
	op      func(int) error
	mu      sync.Mutex
	last    time.Time
	longest time.Duration
}

func (s *stalls) call(i int) error {
	err := s.op(i)
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if !s.last.IsZero() {
		s.longest = max(s.longest, now.Sub(s.last))
	}
	s.last = now
	return err
}

// replicate begins to replicate a database into a new directory, until the benchmark ends.
func replicate(b *testing.B, db *sqlite.DB) {
	b.Helper()
	to, err := replica.OpenFolder(&url.URL{Scheme: "file", Path: b.TempDir() + "/salon"})
	if err != nil {
		b.Fatal(err)
	}
	r := replica.New(replica.Config{Path: db.Path(), Database: "db_bench", Targets: []replica.Objects{to},
		Log: slog.New(slog.DiscardHandler), DB: db})
	if err := errors.Join(r.Check(b.Context()), db.Replicate(r)); err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- r.Run(ctx) }()
	b.Cleanup(func() { // before the database is closed
		stop()
		_, err := r.Close()
		if err := errors.Join(<-done, err); err != nil {
			b.Log(err)
		}
	})
	for !r.Status().Ready {
		time.Sleep(10 * time.Millisecond)
	}
}
