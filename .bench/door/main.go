// Command door compares Daybook with bare net/http servers over the same rows, over real sockets:
//
//	go run ./.bench/door                    all paths, 7 pairs each on 100,000 bookings, about three minutes
//	go run ./.bench/door -only post -pairs 11 -rows 1000000
//	go run ./.bench/door -guard             fails where both ratios are worse than they ever were; under a minute
//
// It makes a database of so many bookings and starts, as processes of their own, the product (`daybook serve` as it is,
// with an API key, its limits, mails going out and a webhook endpoint that takes all events) and a floor: the least
// program that gives the same bytes from the same rows (floor.go). That both answer the same bytes is checked first.
//
// A pair is one measurement of each, right after each other and with the same requests; who goes first changes from
// pair to pair, and who isn't measured is stopped (SIGSTOP), so that what it still has to send takes nothing from the
// other. x is the median of the pairs' ratios in requests per second: above 1 the product is faster. cpu is that of the
// processor time per request, product's by floor's: other processes of a busy machine hardly change it. Each server has
// one core (-procs 1), the client the rest.
//
// With -pocketbase BINARY the floor of POST is PocketBase's creation of a record: see .bench/pocketbase.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"daybook/app/cli"
)

// Options are the flags.
type options struct {
	rows, pairs, clients int
	procs                string
	slice                time.Duration
	only, profile        string
	pocketbase           string
	guard                bool
}

func main() {
	switch os.Getenv("BENCH_DOOR") {
	case "product":
		profileOnSignal()
		os.Exit(cli.Main())
	case "floor":
		profileOnSignal()
		if err := serveFloor(os.Args[1], os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, "floor:", err)
			os.Exit(1)
		}
		return
	}
	var o options
	flag.IntVar(&o.rows, "rows", 100_000, "bookings in the database")
	flag.IntVar(&o.pairs, "pairs", 7, "pairs per path")
	flag.IntVar(&o.clients, "clients", 32, "connections")
	flag.StringVar(&o.procs, "procs", "1", "GOMAXPROCS of the servers; empty for the machine's")
	flag.DurationVar(&o.slice, "slice", 700*time.Millisecond, "about how long one measurement takes")
	flag.StringVar(&o.only, "only", "", "measure this `path` only")
	flag.StringVar(&o.profile, "profile", "", "write a CPU profile of the product for each path into this `folder`")
	flag.StringVar(&o.pocketbase, "pocketbase", "", "measure POST beside this `binary` of .bench/pocketbase")
	flag.BoolVar(&o.guard, "guard", false, "fail where a ratio is too low")
	flag.Parse()
	if o.guard {
		o.rows, o.pairs, o.slice = 20_000, 5, 300*time.Millisecond
	}
	if flag.NArg() > 0 || o.pairs < 1 || o.rows < 1000 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "door:", err)
		os.Exit(1)
	}
}

// run measures and prints. Servers and databases are gone when it returns.
func run(ctx context.Context, o options) (err error) {
	dir, err := os.MkdirTemp("", "daybook-door-")
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

// path is one row of the table: requests to the product, and those to the floor, which give the same bytes unless says
// otherwise. goal is what issue 19 asks of the ratio, guard what -guard does.
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
	most        time.Duration // what issue 19 asks of that time, and of the bytes sent; 0 for nothing
	mostBytes   int
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
