package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	rivalHosts  = 16 // each with an event type of its own: its slug is host-0, host-1 …
	slotsPerDay = 48
	filledDays  = 60  // days that are filled before the measurements
	lastDay     = 360 // the last day that is booked
	perDay      = 2   // bookings per host and filled day
)

// compareBinaries measures and prints. Servers and databases are gone when it returns.
func compareBinaries(ctx context.Context, o options) (err error) {
	dir, err := os.MkdirTemp("", "daybook-pairs-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	setup := filepath.Join(dir, "setup.json")
	if err := os.WriteFile(setup, rivalsFile(), 0o600); err != nil {
		return err
	}
	began := time.Now()
	var both [2]*rival // old, new
	for i, binary := range []string{o.old, o.new} {
		if both[i], err = startRival(ctx, o, binary, filepath.Join(dir, []string{"old", "new"}[i]), setup); err != nil {
			return err
		}
		defer both[i].stop()
	}
	plan := newPlan(began)
	ids := [2][]string{}
	for i, s := range both {
		if ids[i], err = s.fill(plan); err != nil {
			return fmt.Errorf("fill the database of %s: %w", s.binary, err)
		}
	}
	fmt.Printf("old %s\nnew %s\n%d pairs, %d connections, %d bookings in each database at the start\n\n",
		o.old, o.new, o.pairs, o.clients, len(ids[0]))

	for _, m := range []measurement{
		{name: "post", status: 201, most: posts - cancelled, request: func(_, i int) string { return plan.post(cancelled + i) }},
		{name: "get", status: 200, request: func(side, i int) string {
			return Get("/api/v1/bookings/" + ids[side][i*7919%len(ids[side])])
		}},
		{name: "list 50", status: 200, request: func(_, i int) string {
			return Get("/api/v1/bookings?limit=50&from=" + plan.day(i%(filledDays-5)))
		}},
		{name: "availability", status: 200, request: func(_, i int) string {
			return Get(fmt.Sprintf("/api/v1/availability?eventType=host-%d&days=60", i%rivalHosts))
		}},
		cancelling(both, plan),
	} {
		if o.only != "" && m.name != o.only {
			continue
		}
		if err := m.run(both, o); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	fmt.Printf("took %s\n", time.Since(began).Round(time.Second))
	return nil
}

// measurement is one kind of request and the status that answers it. request gives the i-th one to a side, 0 for old
// and 1 for new, which differ in the ids of their bookings only. prepare, unless it is nil, makes what the first so many
// requests of a side need, and isn't measured. most is how many requests there are; 0 is any number.
type measurement struct {
	name    string
	status  int
	request func(side, i int) string
	prepare func(side, upTo int) error
	most    int
}

// cancelling cancels bookings, each of which is made before.
func cancelling(both [2]*rival, p plan) measurement {
	var made [2][]string
	return measurement{name: "cancel", status: 200, most: cancelled,
		request: func(side, i int) string { return Post("/api/v1/bookings/"+made[side][i]+"/cancel", "{}") },
		prepare: func(side, upTo int) error {
			for i := len(made[side]); i < upTo; i++ {
				id, err := both[side].book(p.post(i))
				if err != nil {
					return err
				}
				made[side] = append(made[side], id)
			}
			return nil
		}}
}

func (m measurement) run(both [2]*rival, o options) error {
	next := [2]int{} // the first request not sent yet, per side
	once := func(side, n int) (time.Duration, time.Duration, error) {
		if m.most > 0 && next[side]+n > m.most {
			return 0, 0, fmt.Errorf("all %d free slots are booked; take fewer -pairs or a shorter -slice", m.most)
		}
		if m.prepare != nil {
			if err := m.prepare(side, next[side]+n); err != nil {
				return 0, 0, err
			}
		}
		requests := make([]string, n)
		for i := range requests {
			requests[i] = m.request(side, next[side]+i)
		}
		next[side] += n
		cpu := CPU(both[side].pid())
		took, err := both[side].send(requests, m.status)
		return took, CPU(both[side].pid()) - cpu, err
	}
	// Both warm up with the same requests, twice as many each time, until the slower one takes half a slice.
	n := o.clients
	for {
		var slower time.Duration
		for side := range both {
			took, _, err := once(side, n)
			if err != nil {
				return err
			}
			slower = max(slower, took)
		}
		if slower >= o.slice/2 {
			n = max(o.clients, int(float64(n)*float64(o.slice)/float64(slower)))
			break
		}
		n *= 2
	}
	fmt.Printf("%s: %d requests per measurement\npair   old/s     new/s    ratio     cpu\n", m.name, n)
	var ratios, cpus []float64
	for pair := range o.pairs {
		var took, cpu [2]time.Duration
		for turn := range both {
			side := (pair + turn) % 2
			var err error
			if took[side], cpu[side], err = once(side, n); err != nil {
				return err
			}
		}
		rate := func(side int) float64 { return float64(n) / took[side].Seconds() }
		ratios = append(ratios, rate(1)/rate(0))
		cpus = append(cpus, float64(cpu[1])/float64(cpu[0]))
		fmt.Printf("%4d %9.0f %9.0f %7.3f %7.3f\n", pair+1, rate(0), rate(1), ratios[pair], cpus[pair])
	}
	median, low, high := interval(ratios)
	cpuMedian, cpuLow, cpuHigh := interval(cpus)
	fmt.Printf("%s: median ratio %.3f, 95 %% interval %.3f to %.3f; cpu %.3f, %.3f to %.3f\n\n",
		m.name, median, low, high, cpuMedian, cpuLow, cpuHigh)
	return nil
}

// interval is the median of at least 6 values and its 95 % interval by order statistics.
func interval(values []float64) (median, low, high float64) {
	v := slices.Sorted(slices.Values(values))
	n := len(v)
	median = (v[(n-1)/2] + v[n/2]) / 2
	// below is the chance that at most k of n values lie under the true median.
	k, below, term := 0, 0.0, math.Pow(0.5, float64(n))
	for below+term <= 0.025 {
		below += term
		term *= float64(n-k) / float64(k+1)
		k++
	}
	k = max(k, 1)
	return median, v[k-1], v[n-k]
}

// plan says which slots are booked: the same ones in both databases.
type plan struct{ first time.Time }

func newPlan(now time.Time) plan {
	return plan{now.UTC().Truncate(24*time.Hour).AddDate(0, 0, 2)} // tomorrow could be today before the run ends
}

func (p plan) day(i int) string { return p.first.AddDate(0, 0, i).Format(time.DateOnly) }

// body is the booking of a host's slot on a day.
func body(host int, start time.Time) string {
	return fmt.Sprintf(`{"eventType":"host-%d","start":%q,"invitee":{"name":"Bo Berg","email":"bo%d@x.example"}}`,
		host, start.Format(time.RFC3339), start.Unix()/1800%500)
}

// filled are the bookings that are made before the measurements.
func (p plan) filled() []string {
	var requests []string
	for day := range filledDays {
		for host := range rivalHosts {
			for i := range perDay {
				slot := (day*5 + host*3 + i*17) % slotsPerDay
				requests = append(requests, Post("/api/v1/bookings", body(host, p.first.AddDate(0, 0, day).Add(time.Duration(slot)*30*time.Minute))))
			}
		}
	}
	return requests
}

// post is the i-th booking of the measurements: a free slot after the filled days.
func (p plan) post(i int) string {
	host, slot := i%rivalHosts, i/rivalHosts
	day := filledDays + 5 + slot/slotsPerDay
	return Post("/api/v1/bookings", body(host, p.first.AddDate(0, 0, day).Add(time.Duration(slot%slotsPerDay)*30*time.Minute)))
}

// posts is how many slots post can book. The first ones are for those that are cancelled.
const (
	posts     = (lastDay - filledDays - 5) * slotsPerDay * rivalHosts
	cancelled = posts / 4
)

// rivalsFile is the set-up, as `workspace apply` reads it.
func rivalsFile() []byte {
	type object = map[string]any
	week := object{}
	for _, day := range strings.Fields("mon tue wed thu fri sat sun") {
		week[day] = []string{"00:00-24:00"}
	}
	var people, types []object
	for i := range rivalHosts {
		email := fmt.Sprintf("host%d@x.example", i)
		people = append(people, object{"name": fmt.Sprint("Host ", i), "email": email, "timeZone": "UTC", "weekly": week})
		types = append(types, object{
			"slug": fmt.Sprint("host-", i), "title": fmt.Sprint("Hour of host ", i), "durationMinutes": 30,
			"slotStepMinutes": 30, "minimumNoticeMinutes": 0, "bookingWindowDays": lastDay + 5, "hosts": []string{email},
		})
	}
	file, err := json.Marshal(object{
		"workspace": object{"slug": "pairs", "name": "Pairs", "timeZone": "UTC", "currency": "EUR"},
		"hosts":     people, "eventTypes": types,
	})
	if err != nil {
		panic(err) // maps of texts and numbers always encode
	}
	return file
}

// fill makes the bookings of the plan and returns their ids, in the plan's order.
func (s *rival) fill(p plan) ([]string, error) {
	type made struct {
		ID    string `json:"id"`
		Start string `json:"start"`
	}
	if _, err := s.send(p.filled(), 201); err != nil {
		return nil, err
	}
	var all []made
	for day := range filledDays {
		path := fmt.Sprintf("/api/v1/bookings?limit=100&from=%s&to=%s", p.day(day), p.day(day+1))
		answer, err := s.one(Get(path), 200)
		if err != nil {
			return nil, err
		}
		var page struct {
			Data     []made `json:"data"`
			Bookings []made `json:"bookings"`
		}
		if err := json.Unmarshal(answer, &page); err != nil {
			return nil, err
		}
		all = append(append(all, page.Data...), page.Bookings...)
	}
	if len(all) != len(p.filled()) {
		return nil, fmt.Errorf("made %d bookings, found %d", len(p.filled()), len(all))
	}
	slices.SortStableFunc(all, func(a, b made) int { return cmp.Compare(a.Start, b.Start) })
	ids := make([]string, len(all))
	for i, b := range all {
		ids[i] = b.ID
	}
	return ids, nil
}

// rival is one of the two binaries, serving.
type rival struct {
	*server
	binary string
}

// startRival sets a workspace up in a new database in dir, and serves it on a free port of this machine. It uses only
// commands and flags that the oldest binaries know.
func startRival(ctx context.Context, o options, binary, dir, setup string) (*rival, error) {
	binary, err := filepath.Abs(binary)
	if err != nil {
		return nil, err
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	command := func(args ...string) *exec.Cmd {
		return Command(ctx, dir, binary, []string{"DAYBOOK_NEW_DATABASE=true"}, append([]string{"--db", filepath.Join(dir, "pairs.db")}, args...)...)
	}
	if _, err := Output(command("workspace", "apply", setup)); err != nil {
		return nil, err
	}
	out, err := Output(command("keys", "create", "--workspace", "pairs", "--name", "pairs", "--rate-limit", "1000000",
		"--json"))
	if err != nil {
		return nil, err
	}
	var key struct{ Key string }
	if err := json.Unmarshal(out, &key); err != nil || key.Key == "" {
		return nil, fmt.Errorf("%s keys create printed no key: %w", binary, err)
	}
	p, err := Start(command("serve", "--addr", "127.0.0.1:0"), filepath.Join(dir, "log"))
	if err != nil {
		return nil, err
	}
	s := &rival{&server{Process: p}, binary}
	if err := s.connect(o.clients, "Authorization: Bearer "+key.Key+"\r\n"); err != nil {
		s.stop()
		return nil, err
	}
	return s, nil
}

// send divides requests over the connections, all at once, and returns the time until the last answer. An answer with
// another status than wanted is an error.
func (s *rival) send(requests []string, status int) (time.Duration, error) {
	took, _, err := Send(s.conns, requests, status)
	if err != nil {
		return 0, errors.Join(fmt.Errorf("%s: %w", s.binary, err), s.Said())
	}
	return took, nil
}

// book sends a request that books, and returns the booking's id.
func (s *rival) book(request string) (string, error) {
	answer, err := s.one(request, 201)
	if err != nil {
		return "", err
	}
	var made struct{ ID string }
	if err := json.Unmarshal(answer, &made); err != nil || made.ID == "" {
		return "", fmt.Errorf("%s answers no booking: %.200s", s.binary, answer)
	}
	return made.ID, nil
}

// one sends one request and returns the answer's body.
func (s *rival) one(request string, status int) ([]byte, error) {
	return s.conns[0].Ask(s.conns[0].Wire(request), status, true)
}
