package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// besideFloors measures the paths beside their floors and prints. Servers and databases are gone when it returns.
func besideFloors(ctx context.Context, o options) (err error) {
	dir, err := os.MkdirTemp("", "daybook-pairs-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	began := time.Now()
	b, err := newBench(ctx, o, dir)
	if err != nil {
		return err
	}
	defer b.close()
	fmt.Printf("%d bookings, %d connections, GOMAXPROCS of the servers %s; prepared in %s; load %s\n\n", o.rows, o.clients,
		cmp.Or(o.procs, "the machine's"), time.Since(began).Round(time.Second), load1())
	fmt.Printf("%-24s %6s %5s %13s %8s %8s %6s %11s %15s %15s\n", "path", "x", "goal", "range", "door/s", "floor/s", "cpu",
		"cpu µs", "door p50/p99 ms", "floor p50/p99")
	var low []string
	for _, m := range b.paths() {
		if o.only != "" && !strings.HasPrefix(m.name, o.only) || o.guard && m.guard == 0 {
			continue
		}
		r, err := b.measure(ctx, m)
		if err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		r.print(m)
		if o.guard && r.ratio < m.guard && r.cpu*m.guard > 1 {
			low = append(low, fmt.Sprintf("%s: %.2f of the floor, less than %.2f", m.name, r.ratio, m.guard))
		}
	}
	fmt.Printf("\nmails %d, webhooks %d delivered meanwhile; load %s; took %s\n", b.sinks.Mails.Load(),
		b.sinks.Hooks.Load(), load1(), time.Since(began).Round(time.Second))
	if len(low) > 0 {
		return errors.New("slower than it was: " + strings.Join(low, "; "))
	}
	return nil
}

// load1 is how busy the machine was in the last minute.
func load1() string {
	text, _ := os.ReadFile("/proc/loadavg")
	first, _, _ := strings.Cut(string(text), " ")
	return cmp.Or(first, "unknown")
}

// path is one row of the table: requests to the product, and those to the floor, which give the same bytes unless differ
// says otherwise. goal is what we want the ratio to be, guard what -guard asks of it.
type path struct {
	name        string
	status      int
	created     int // the other's status, when it isn't the same
	door, floor func(i int) string
	differ      bool // the answers aren't the same bytes
	inDoor      bool // the floor is a path of the product, too
	goal, guard float64
	other       *server       // who answers the floor's requests; nil is the floor
	steps       int           // requests that make one: the pages of a list; 0 is 1
	alone       bool          // one request at a time: the time of an answer is then the server's
	most        time.Duration // what we want that time to be at most, and the bytes sent; 0 for nothing
	mostBytes   int
	rows        bool // both sides must write the same rows
}

// result is what came of a path.
type result struct {
	ratio, low, high, cpu float64
	rate                  [2]float64
	p50, p99, used        [2]time.Duration
	size                  int // of an answer of the product, as it is sent
}

func (r result) print(m path) {
	goal := ""
	if m.goal > 0 {
		goal = fmt.Sprintf("%.2f", m.goal)
	}
	ms := func(d time.Duration) float64 { return d.Seconds() * 1000 }
	fmt.Printf("%-24s %6.2f %5s %6.2f-%6.2f %8.0f %8.0f %6.2f %5.0f/%5.0f %7.2f/%7.2f %7.2f/%7.2f\n",
		m.name, r.ratio, goal, r.low, r.high, r.rate[0], r.rate[1], r.cpu, ms(r.used[0])*1000, ms(r.used[1])*1000,
		ms(r.p50[0]), ms(r.p99[0]), ms(r.p50[1]), ms(r.p99[1]))
	if m.most > 0 {
		fmt.Printf("%24s %.1f ms of processor time (goal < %.0f), %d bytes compressed (goal < %d)\n", "", ms(r.used[0]),
			ms(m.most), r.size, m.mostBytes)
	}
}

func median[T cmp.Ordered](values []T) T {
	v := slices.Sorted(slices.Values(values))
	return v[len(v)/2]
}

func percentile(each []time.Duration, p int) time.Duration {
	v := slices.Sorted(slices.Values(each))
	return v[len(v)*p/100]
}

// profileAt is the file of a path's profile.
func (o options) profileAt(name string) string {
	return filepath.Join(o.profile, strings.NewReplacer(" ", "-", "/", "-").Replace(name)+".pprof")
}
