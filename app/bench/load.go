package bench

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"daybook/app/bench/wire"
)

// The bounds of a run.
const (
	MinDuration, MaxDuration = 5 * time.Second, 5 * time.Minute
	MaxClients               = 64
	maxRequests              = 100_000 // of a path
	maxBookings              = 20_000  // rows that are left to be removed
	first                    = 64      // bookings before anything is measured: a list of 50 has something to list
	patience                 = 20      // errors in a row after which a connection gives up
)

// Options say how much a run may ask.
type Options struct {
	Clients  int           // connections at a time
	Duration time.Duration // of all of it
	Disk     string        // a folder on the disk of the database; "" asks Commit
	Commit   func() error  // commits something small to the database
	Progress func(text string)
}

// Target is what a run asks.
type Target struct {
	URL  *url.URL // of the server, without a path
	Slug string   // of the sandbox that SetUp describes
	Key  string   // an API key of it
}

// run is one run.
type run struct {
	Options
	Target
	header string
	began  time.Time
	booked atomic.Int64 // bookings asked for
	mu     sync.Mutex
	ids    []string // of those that were made
}

// Run loads the server and returns what came of it. It ends early, with the error of ctx, when that ends.
func Run(ctx context.Context, t Target, o Options) (*Report, error) {
	r := &run{Options: o, Target: t, header: "Authorization: Bearer " + t.Key + "\r\n", began: time.Now()}
	report := &Report{URL: t.URL.String(), Clients: o.Clients}
	conns, err := r.open(ctx)
	if err != nil {
		return nil, err
	}
	defer func() {
		for _, c := range conns {
			c.Close()
		}
	}()
	defer context.AfterFunc(ctx, func() { // whoever waits for an answer waits no longer
		for _, c := range conns {
			c.cut()
		}
	})()
	o.Progress("measuring the way there and a commit")
	if report.Network, err = r.way(conns[0]); err == nil {
		report.Commit, err = r.commits(ctx)
	}
	if err != nil {
		return nil, errors.Join(context.Cause(ctx), err)
	}
	if _, err := r.ask(ctx, conns, path{name: "first bookings", status: 201, books: true, keep: true, request: r.post},
		o.Duration/5, first); err != nil {
		return nil, err
	}
	if len(r.ids) == 0 {
		return nil, errors.New("the server took none of the first bookings")
	}
	paths := r.paths()
	share := (o.Duration - time.Since(r.began)) / time.Duration(len(paths)+1) // bookings get two
	for _, p := range paths {
		d := max(share, 200*time.Millisecond)
		if p.books {
			d *= 2
		}
		o.Progress(p.name)
		row, err := r.ask(ctx, conns, p, d, p.most)
		if err != nil {
			return nil, err
		}
		report.Paths = append(report.Paths, *row)
	}
	report.Bookings = len(r.ids)
	report.Seconds = time.Since(r.began).Seconds()
	report.judge()
	return report, nil
}

// client is a connection that is opened again when it breaks.
type client struct {
	r   *run
	mu  sync.Mutex
	on  *wire.Conn
	end bool
}

func (r *run) open(ctx context.Context) ([]*client, error) {
	var all []*client
	for range r.Clients {
		c := &client{r: r}
		all = append(all, c)
		if err := c.dial(ctx); err != nil {
			for _, c := range all {
				c.Close()
			}
			return nil, Unreachable(r.URL, err)
		}
	}
	return all, nil
}

func (c *client) dial(ctx context.Context) error {
	conn, err := wire.Open(ctx, c.r.URL, c.r.header)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.end {
		conn.Close()
		return context.Canceled
	}
	if c.on != nil {
		c.on.Close()
	}
	c.on = conn
	return nil
}

// cut ends the connection for good, whoever uses it.
func (c *client) cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.end = true
	if c.on != nil {
		c.on.Close()
	}
}

// Close closes the connection.
func (c *client) Close() { c.cut() }

// ask asks once. took is the time until the whole answer was there.
func (c *client) ask(ctx context.Context, request string, status int, keep bool) (body []byte, took time.Duration,
	err error) {
	if c.on.Ends {
		if err := c.dial(ctx); err != nil {
			return nil, 0, err
		}
	}
	text := c.on.Wire(request)
	began := time.Now()
	body, err = c.on.Ask(text, status, keep)
	took = time.Since(began)
	if err != nil && c.on.Status == 0 {
		c.on.Ends = true // it is broken
	}
	return body, took, err
}

// sample is one answer.
type sample struct{ took, server time.Duration }

// ask has all connections ask for d, or until most requests are sent, whatever comes first. The first sixth, of the
// time or of the requests, warms up and doesn't count.
func (r *run) ask(ctx context.Context, conns []*client, p path, d time.Duration, most int) (*Row, error) {
	var sent, errs atomic.Int64
	var mu sync.Mutex
	var all []sample
	var why error
	var from, last time.Time // of what counts
	before, told := r.processor(ctx)
	began := time.Now()
	var done sync.WaitGroup
	for _, c := range conns {
		done.Go(func() {
			var mine []sample
			var begun time.Time
			failed := 0
			for failed < patience && ctx.Err() == nil && time.Since(began) < d {
				n := sent.Add(1) - 1
				if n >= int64(most) {
					break
				}
				i := int(n)
				if p.books {
					i = int(r.booked.Add(1) - 1)
				}
				body, took, err := c.ask(ctx, p.request(i), p.status, p.keep)
				if err != nil {
					if ctx.Err() == nil {
						errs.Add(1)
						failed++
						mu.Lock()
						if why == nil {
							why = err
						}
						mu.Unlock()
					}
					continue
				}
				failed = 0
				if p.keep {
					r.note(body)
				}
				if len(mine) > 0 || time.Since(began) >= d/6 || n >= int64(most/6) {
					mine = append(mine, sample{took, c.on.Server})
				}
				if len(mine) == 1 {
					begun = time.Now().Add(-took)
				}
			}
			mu.Lock()
			defer mu.Unlock()
			all = append(all, mine...)
			if len(mine) > 0 && (from.IsZero() || begun.Before(from)) {
				from = begun
			}
			last = time.Now()
		})
	}
	done.Wait()
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	row := rowOf(p, all, last.Sub(from), int(errs.Load()), why)
	if after, still := r.processor(ctx); told && still && sent.Load() > 0 {
		row.processor(after.used-before.used, last.Sub(began), after.processors, int(min(sent.Load(), int64(most))))
	}
	if len(all) == 0 && why != nil {
		return nil, fmt.Errorf("%s: %w", p.name, why)
	}
	return row, nil
}

// note keeps the id of the booking in an answer.
func (r *run) note(body []byte) {
	_, rest, found := strings.Cut(string(body), `"id":"bk_`)
	id, _, ends := strings.Cut(rest, `"`)
	if !found || !ends {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ids = append(r.ids, "bk_"+id)
}

// way measures the way to the server and back, by a request that costs it next to nothing.
func (r *run) way(c *client) (Spread, error) {
	return timed(50, time.Second, func() error {
		_, _, err := c.ask(context.Background(), wire.Get("/healthz"), http.StatusOK, false)
		return err
	})
}

// commits measures what a commit takes while the server rests.
func (r *run) commits(ctx context.Context) (Spread, error) {
	if r.Disk == "" {
		return timed(50, time.Second, r.Commit)
	}
	f, err := os.CreateTemp(r.Disk, ".daybook-bench-*")
	if err != nil {
		return Spread{}, fmt.Errorf("the disk can't be measured: %w", err)
	}
	defer os.Remove(filepath.Join(r.Disk, filepath.Base(f.Name())))
	defer f.Close()
	page := make([]byte, 8<<10) // about what a booking adds to the log
	return timed(100, time.Second, func() error {
		if _, err := f.Write(page); err != nil {
			return err
		}
		return errors.Join(f.Sync(), ctx.Err())
	})
}

// timed does something n times, or for d.
func timed(n int, d time.Duration, do func() error) (Spread, error) {
	var all []time.Duration
	for began := time.Now(); len(all) < n && (time.Since(began) < d || len(all) < 3); {
		each := time.Now()
		if err := do(); err != nil {
			return Spread{}, err
		}
		all = append(all, time.Since(each))
	}
	slices.Sort(all)
	return Spread{P50: ms(at(all, 50)), P99: ms(at(all, 99))}, nil
}

// load is what the metrics of the server's process tell: this machine and private networks only.
type load struct {
	used       time.Duration // processor time, since the process began
	processors float64       // that it may use
}

func (r *run) processor(ctx context.Context) (l load, told bool) {
	c, err := wire.Open(ctx, r.URL, "")
	if err != nil {
		return l, false
	}
	defer c.Close()
	body, err := c.Ask(c.Wire(wire.Get("/metrics")), http.StatusOK, true)
	if err != nil {
		return l, false
	}
	used, one := metric(body, "process_cpu_seconds_total")
	processors, other := metric(body, "go_sched_gomaxprocs_threads")
	return load{time.Duration(used * float64(time.Second)), processors}, one && other && processors > 0
}

// metric is the value of a metric without labels.
func metric(text []byte, name string) (value float64, found bool) {
	_, rest, found := strings.Cut(string(text), "\n"+name+" ")
	line, _, _ := strings.Cut(rest, "\n")
	value, err := strconv.ParseFloat(strings.TrimSpace(line), 64)
	return value, found && err == nil
}
