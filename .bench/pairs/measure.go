package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime/pprof"
	"syscall"
	"time"
)

// door and floor are the sides of a measurement.
const door, floor = 0, 1

// measure runs the pairs of a path.
func (b *bench) measure(ctx context.Context, m path) (r result, err error) {
	if err := b.same(m); err != nil {
		return r, err
	}
	steps, clients := max(m.steps, 1), b.o.clients
	if m.alone {
		clients = 1
	}
	if r.size, err = b.size(m); err != nil {
		return r, err
	}
	before, err := b.written()
	if err != nil {
		return r, err
	}
	next := [2]int{}
	var each [2][]time.Duration
	once := func(side, n int) (took, cpu time.Duration, err error) {
		if err := context.Cause(ctx); err != nil {
			return 0, 0, err
		}
		requests := make([]string, n)
		for i := range requests {
			requests[i] = m.request(side, next[side]+i)
		}
		next[side] += n
		s := b.server(m, side)
		s.wake()
		defer s.sleep()
		used := CPU(s.pid())
		took, times, err := Send(s.conns[:clients], requests, m.statusOf(side))
		if err != nil {
			return 0, 0, errors.Join(err, s.Said())
		}
		each[side] = append(each[side], times...)
		return took, CPU(s.pid()) - used, nil
	}
	n := clients * steps
	for {
		var slower time.Duration
		for side := range 2 {
			took, _, err := once(side, n)
			if err != nil {
				return r, err
			}
			slower = max(slower, took)
		}
		if slower >= b.o.slice/2 {
			n = max(clients*steps, int(float64(n)*float64(b.o.slice)/float64(slower)))
			n -= n % steps
			break
		}
		n *= 2
	}
	each = [2][]time.Duration{}
	b.product.profile(b.o, m.name, false)
	b.floor.profile(b.o, m.name+" floor", false)
	var ratios, cpus []float64
	var rates [2][]float64
	var used [2][]time.Duration // processor time of one request
	for pair := range b.o.pairs {
		var took, cpu [2]time.Duration
		for turn := range 2 {
			side := (pair + turn) % 2
			if took[side], cpu[side], err = once(side, n); err != nil {
				return r, err
			}
			rates[side] = append(rates[side], float64(n/steps)/took[side].Seconds())
		}
		for side := range 2 {
			used[side] = append(used[side], cpu[side]*time.Duration(steps)/time.Duration(n))
		}
		ratios = append(ratios, float64(took[floor])/float64(took[door]))
		if cpu[floor] > 0 {
			cpus = append(cpus, float64(cpu[door])/float64(cpu[floor]))
		}
	}
	b.product.profile(b.o, m.name, true)
	b.floor.profile(b.o, m.name+" floor", true)
	r.ratio, r.low, r.high = median(ratios), ratios[0], ratios[0]
	for _, x := range ratios {
		r.low, r.high = min(r.low, x), max(r.high, x)
	}
	if len(cpus) > 0 {
		r.cpu = median(cpus)
	}
	if m.rows {
		after, err := b.written()
		if err != nil {
			return r, err
		}
		if p, f := after[door].since(before[door]), after[floor].since(before[floor]); p != f {
			return r, fmt.Errorf("the product wrote %+v, and the floor %+v", p, f)
		}
	}
	for side := range 2 {
		r.used[side] = median(used[side])
		r.rate[side], r.p50[side], r.p99[side] = median(rates[side]), percentile(each[side], 50), percentile(each[side], 99)
	}
	return r, nil
}

// rowsOf is how many rows the tables have that a booking is written to.
type rowsOf struct{ contacts, terms, bookings, history, events, deliveries int }

func (r rowsOf) since(was rowsOf) rowsOf {
	return rowsOf{r.contacts - was.contacts, r.terms - was.terms, r.bookings - was.bookings, r.history - was.history,
		r.events - was.events, r.deliveries - was.deliveries}
}

// written counts the rows of both databases.
func (b *bench) written() (both [2]rowsOf, err error) {
	for side, file := range map[int]string{door: b.db, floor: b.copied} {
		db, err := sql.Open("sqlite", "file:"+file+readDSN)
		if err != nil {
			return both, err
		}
		r := &both[side]
		err = db.QueryRow(`SELECT (SELECT COUNT(*) FROM contacts), (SELECT COUNT(*) FROM contact_terms),
			(SELECT COUNT(*) FROM bookings), (SELECT COUNT(*) FROM booking_history), (SELECT COUNT(*) FROM events),
			(SELECT COUNT(*) FROM deliveries)`).Scan(&r.contacts, &r.terms, &r.bookings, &r.history, &r.events, &r.deliveries)
		if err := errors.Join(err, db.Close()); err != nil {
			return both, err
		}
	}
	return both, nil
}

func (m path) statusOf(side int) int {
	if side == floor && m.created != 0 {
		return m.created
	}
	return m.status
}

func (m path) request(side, i int) string {
	if side == door {
		return m.door(i)
	}
	return m.floor(i)
}

// server is who answers a side of the path.
func (b *bench) server(m path, side int) *server {
	if side == door || m.inDoor {
		return b.product
	}
	if m.other != nil {
		return m.other
	}
	return b.floor
}

// size is how many bytes the product's answer has.
func (b *bench) size(m path) (int, error) {
	if m.mostBytes == 0 {
		return 0, nil
	}
	b.product.wake()
	defer b.product.sleep()
	c := b.product.conns[0]
	answer, err := c.Ask(c.Wire(m.door(0)), m.status, true)
	if err != nil {
		return 0, errors.Join(err, b.product.Said())
	}
	page := bytes.NewReader(answer)
	plain, err := gzip.NewReader(page)
	if err != nil {
		return 0, fmt.Errorf("the page is not packed: %w", err)
	}
	if page, err := io.ReadAll(plain); err != nil || bytes.Count(page, []byte("data-booking=")) != team*7*bookedInDay {
		return 0, errors.Join(err, errors.New("the page doesn't show all bookings"))
	}
	return len(answer), nil
}

var cursors = regexp.MustCompile(`"nextCursor":"[^"]+"`)

// same checks that both sides answer the same bytes.
func (b *bench) same(m path) error {
	if m.differ {
		return nil
	}
	for i := range 4 * max(m.steps, 1) {
		var got [2][]byte
		for side := range 2 {
			s := b.server(m, side)
			s.wake()
			c := s.conns[0]
			answer, err := c.Ask(c.Wire(m.request(side, i)), m.status, true)
			s.sleep()
			if err != nil {
				return errors.Join(err, s.Said())
			}
			got[side] = answer
		}
		for side, answer := range got { // the floor's cursors are those of another list
			got[side] = cursors.ReplaceAll(answer, []byte(`"nextCursor":"…"`))
		}
		if !bytes.Equal(got[door], got[floor]) || len(got[door]) < 50 {
			return fmt.Errorf("the floor answers something else:\n%s\n%s", got[door], got[floor])
		}
	}
	return nil
}

// profile has the product begin a profile, and end it, which is then that of the path.
func (s *server) profile(o options, name string, end bool) {
	if s == nil {
		return
	}
	if o.profile == "" {
		return
	}
	defer s.sleep()
	s.wake()
	if !end {
		s.Process.Process.Signal(syscall.SIGUSR1)
		time.Sleep(100 * time.Millisecond)
		return
	}
	s.Process.Process.Signal(syscall.SIGUSR2)
	time.Sleep(500 * time.Millisecond)
	// Best effort: the profile is there in any case.
	os.Rename(filepath.Join(o.profile, fmt.Sprint(s.pid(), ".pprof")), o.profileAt(name))
}

// profileOnSignal writes a profile into the folder of the environment, from SIGUSR1 to SIGUSR2.
func profileOnSignal() {
	folder := os.Getenv("BENCH_PROFILE")
	if folder == "" {
		return
	}
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGUSR1, syscall.SIGUSR2)
	go func() {
		for range asked {
			f, err := os.Create(filepath.Join(folder, fmt.Sprint(os.Getpid(), ".pprof")))
			if err != nil {
				continue
			}
			if pprof.StartCPUProfile(f) == nil {
				<-asked
				pprof.StopCPUProfile()
			}
			f.Close()
		}
	}()
}
