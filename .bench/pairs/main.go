// Command pairs tells how fast Daybook is, over real sockets: beside the least program that answers the same, or beside
// another build of itself.
//
//	go run ./.bench/pairs                    all paths beside their floors, 7 pairs each on 100,000 bookings
//	go run ./.bench/pairs -only POST -pairs 11 -rows 1000000
//	go run ./.bench/pairs -guard             fails where both ratios are worse than they ever were; about a minute
//
//	go build -o /tmp/new . && (cd OLD_WORKTREE && go build -o /tmp/old .)
//	go run ./.bench/pairs -old /tmp/old -new /tmp/new
//
// A pair is one measurement of each side, right after each other and with the same requests; the side that goes first
// changes from pair to pair. cpu is the ratio of the processor time per request (Linux only): other processes of a busy
// machine hardly change it.
//
// # Floors
//
// It makes a database of so many bookings and starts, as processes of their own, the product (`daybook serve` as it is,
// with an API key, its limits, mails going out and a webhook endpoint that takes all events) and a floor: the least
// program that gives the same bytes from the same rows (floor.go). That both answer the same bytes is checked first. The
// side that isn't measured is stopped (SIGSTOP), so that what it still has to send takes nothing from the other. x is the
// median of the pairs' ratios in requests per second: above 1 the product is faster. cpu is product's by floor's. Each
// server has one core (-procs 1), the client the rest.
//
// POST has two floors: one writes the rows that a booking writes, the other only the booking and its event. With
// -pocketbase BINARY it is also measured beside PocketBase's creation of a record: see .bench/pocketbase.
//
// # Binaries
//
// It starts both on databases of their own with the same content, made by `workspace apply` and by bookings through
// REST, and measures five requests with 32 connections: make a booking, get one, list 50, availability of 60 days, and
// cancel a booking. A pair's ratio is new/old in requests per second: above 1 the new binary is faster; cpu is new/old, too: below 1 the new
// one needs less. The 95 % interval of the median ratio is that of order statistics: the k-th smallest to the k-th
// largest ratio, with the largest k that the binomial distribution with p = 1/2 allows; it assumes nothing about how the
// ratios are distributed.
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
	rows, pairs, clients int
	procs                string
	slice, limit         time.Duration
	only, profile        string
	pocketbase           string
	guard                bool
	old, new             string // the binaries that are compared; "" for the floors
}

func main() {
	switch os.Getenv("BENCH_PAIRS") {
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
	o := options{clients: 32}
	flag.StringVar(&o.old, "old", "", "the daybook `binary` to compare with")
	flag.StringVar(&o.new, "new", "", "the daybook `binary` to judge")
	flag.IntVar(&o.pairs, "pairs", 0, "how many pairs; 0 is 7 beside floors, and 20 of binaries")
	flag.DurationVar(&o.slice, "slice", 600*time.Millisecond, "about how long one measurement takes")
	flag.DurationVar(&o.limit, "limit", 30*time.Minute, "give up after this time")
	flag.StringVar(&o.only, "only", "", "measure the `path` of this name only, or those that begin so")
	flag.IntVar(&o.rows, "rows", 100_000, "bookings in the floors' database")
	flag.StringVar(&o.procs, "procs", "1", "GOMAXPROCS of the servers beside floors; empty for the machine's")
	flag.StringVar(&o.profile, "profile", "", "write a CPU profile of product and floor for each path into this `folder`")
	flag.StringVar(&o.pocketbase, "pocketbase", "", "measure POST beside this `binary` of .bench/pocketbase, too")
	flag.BoolVar(&o.guard, "guard", false, "fail where a ratio to the floor is too low")
	flag.Parse()
	binaries := o.old != "" || o.new != ""
	switch {
	case o.guard:
		o.rows, o.pairs, o.slice = 20_000, 5, 300*time.Millisecond
	case o.pairs == 0 && binaries:
		o.pairs = 20
	case o.pairs == 0:
		o.pairs = 7
	}
	if flag.NArg() > 0 || o.rows < 1000 || o.pairs < 1 || binaries && (o.old == "" || o.new == "" || o.pairs < 6 || o.guard) {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, cancel := context.WithTimeoutCause(ctx, o.limit, fmt.Errorf("not done after %s (-limit)", o.limit))
	defer cancel()
	run := besideFloors
	if binaries {
		run = compareBinaries
	}
	if err := run(ctx, o); err != nil {
		if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
			err = fmt.Errorf("%w; %w", cause, err)
		}
		fmt.Fprintln(os.Stderr, "pairs:", err)
		os.Exit(1)
	}
}
