// Command day presses a busy day of a chain into five minutes, on `daybook serve` as it is, in a process of its own:
//
//	go run ./.bench/day                    10,000 bookings and 100,000 page views in 5 minutes
//	go run ./.bench/day -replica           the same with a replica in another folder
//	go run ./.bench/day -minutes 1 -scale 0.2
//
// Visitors come as they do on a day, most of them in its middle, whether or not the earlier ones were answered: what
// one waits counts from when they came. They look at pages, book, try for times that are taken, move and cancel;
// programs and agents ask beside them. Each booking is mailed of, told to a webhook endpoint, and of eight hosts
// written into their calendars (Radicale, from Debian's packages); eight others have a calendar of 500 events
// elsewhere, which is read.
//
// It prints how long answers took, by kind, and which took longest; what memory and the log of SQLite came to; and how
// soon after the last visitor nothing waited to be sent. It fails where p99.9 is above 250 ms, where memory or the log
// exceeds its bound, or where a booking, an event, a mail or an entry of a calendar was lost.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"daybook/app/cli"
)

type options struct {
	minutes, scale float64
	clients        int
	replica        bool
}

func main() {
	if os.Getenv("BENCH_DAY") != "" {
		os.Exit(cli.Main())
	}
	var o options
	flag.Float64Var(&o.minutes, "minutes", 5, "how long the day takes")
	flag.Float64Var(&o.scale, "scale", 1, "of 10,000 bookings and 100,000 page views")
	flag.IntVar(&o.clients, "clients", 64, "connections")
	flag.BoolVar(&o.replica, "replica", false, "keep a replica")
	flag.Parse()
	if flag.NArg() > 0 || o.minutes <= 0 || o.scale <= 0 || o.scale > 10 || o.clients < 1 || o.clients > 1000 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "day:", err)
		os.Exit(1)
	}
}

// run lives the day and judges it.
func run(ctx context.Context, o options) (err error) {
	dir, err := os.MkdirTemp("", "daybook-day-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	s, err := open(ctx, o, dir)
	if err != nil {
		return err
	}
	defer s.close()
	span := time.Duration(o.minutes * float64(time.Minute))
	d := newDay(s, o.scale, span)
	fmt.Printf("%d requests in %s, %d connections, replica: %t\n", len(d.visits), span, o.clients, o.replica)
	w := s.watch(ctx)
	if err := d.live(ctx, o.clients); err != nil {
		return errors.Join(err, s.server.Said())
	}
	at := time.Now()
	left, err := s.queued(ctx)
	if err != nil {
		return err
	}
	empty, err := s.untilSent(ctx, time.Minute)
	if err != nil {
		return err
	}
	w.stop()
	slow := d.print()
	w.print()
	fmt.Printf("waiting when the last visitor had gone: %s; nothing after %s\n", left,
		empty.Sub(at).Round(100*time.Millisecond))
	return errors.Join(slow, w.judge(), s.nothingLost(ctx, d))
}
