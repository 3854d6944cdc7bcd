package work_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"daybook/app/when"
	"daybook/app/work"
)

// table is a queue in memory, of the Order of jobs by lane, in hundreds of which the jobs of one are numbered. A lane that
// hangs never does a job; a job above 100 takes 14 seconds at first.
type table struct {
	mu      sync.Mutex
	waiting map[string][]int
	hangs   string
	down    map[string]bool
	broken  error
	filled  int
	began   []time.Time // when a job of a lane that is down was tried
	done    map[string]int
	back    map[string]int
	order   []int // of the jobs that have begun
	running map[int]int
	most    map[int]int // of running
}

func newTable(lanes map[string]int) *table {
	q := &table{waiting: map[string][]int{}, down: map[string]bool{}, done: map[string]int{}, back: map[string]int{},
		running: map[int]int{}, most: map[int]int{}}
	for lane, jobs := range lanes {
		q.waiting[lane] = make([]int, jobs)
	}
	return q
}

type outcome struct {
	lane     string
	released bool
	order    int
}

type job struct {
	lane  string
	order int
}

func (q *table) Order(j *job) int64 { return int64(j.order % 100) }

func (q *table) Now() time.Time              { return time.Now() }
func (q *table) DataVersion() (int64, error) { return 1, nil }
func (q *table) Share() work.Share           { return work.Whole(1) }

func (q *table) fill(_ context.Context, limit int) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := min(limit, 150-q.filled)
	q.filled += n
	return n, nil
}

func (q *table) Waiting(context.Context) (all []work.Waiting[string], err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for lane, jobs := range q.waiting {
		if len(jobs) > 0 {
			all = append(all, work.Waiting[string]{Lane: lane})
		}
	}
	return all, q.broken
}

func (q *table) Claim(_ context.Context, claims []work.Claim[string], lease time.Duration) (
	all []work.Batch[string, job], err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, c := range claims {
		b := work.Batch[string, job]{Lane: c.Lane, Server: 1, Lease: when.At(time.Now().Add(lease))}
		n := min(c.Limit, len(q.waiting[c.Lane]))
		for _, order := range q.waiting[c.Lane][:n] {
			b.Jobs = append(b.Jobs, job{c.Lane, order})
		}
		q.waiting[c.Lane] = q.waiting[c.Lane][n:]
		all = append(all, b)
	}
	return all, nil
}

func (q *table) Do(ctx context.Context, lane string, j *job) (outcome, bool) {
	q.mu.Lock()
	q.order = append(q.order, j.order)
	q.running[j.order]++
	q.most[j.order] = max(q.most[j.order], q.running[j.order])
	q.mu.Unlock()
	defer func() {
		q.mu.Lock()
		q.running[j.order]--
		q.mu.Unlock()
	}()
	if lane == q.hangs {
		<-ctx.Done()
		return outcome{lane, true, 0}, false
	}
	if time.Sleep(time.Millisecond); j.order/100 == 1 {
		time.Sleep(14 * time.Second)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.down[lane] {
		q.began = append(q.began, time.Now())
		return outcome{lane, true, 0}, true
	}
	return outcome{lane: lane}, false
}

func (q *table) Release(j *job, _ bool) outcome { return outcome{j.lane, true, j.order} }

func (q *table) Settle(_ context.Context, all []outcome) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, o := range all {
		if o.released {
			q.back[o.lane]++
			q.waiting[o.lane] = append(q.waiting[o.lane], o.order)
			slices.Sort(q.waiting[o.lane])
		} else {
			q.done[o.lane]++
		}
	}
	return nil
}

// during runs a loop for so long, of a clock that only a test knows, and returns its error.
func during(t *testing.T, q *table, o work.Options, d time.Duration) (err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	return work.New(q, o).Run(ctx)
}

// A lane that hangs holds up no other, and is given back whole when the loop ends.
func TestALaneThatHangsHoldsUpNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newTable(map[string]int{"slow": 50, "quick": 500})
		q.hangs = "slow"
		err := during(t, q, work.Options{Timeout: 10 * time.Second, Slack: time.Second, PerLane: 2, Ahead: 4, Fill: q.fill}, 5*time.Second)
		if err != nil || q.done["quick"] != 500 || q.back["slow"] != 2 || len(q.waiting["slow"]) != 50 || q.filled != 150 {
			t.Errorf("%v, done %v, back %v, %d wait, filled %d", err, q.done, q.back, len(q.waiting["slow"]), q.filled)
		}
	})
}

// Jobs of one Order are done after each other, as they were claimed, beside all others of their lane.
func TestJobsOfOneOrderAreDoneAfterEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newTable(nil)
		q.waiting["a"] = []int{1, 1, 1, 0, 0, 2, 0, 2, 1, 0}
		err := during(t, q, work.Options{Timeout: time.Second, Slack: time.Second, PerLane: 10}, time.Second)
		if err != nil || q.done["a"] != 10 || q.most[0] < 2 || q.most[1] != 1 || q.most[2] != 1 {
			t.Errorf("%v, done %v, at once %v", err, q.done, q.most)
		}
		first := slices.Clone(q.order[:6])
		if slices.Sort(first); !slices.Equal(first, []int{0, 0, 0, 0, 1, 2}) {
			t.Errorf("%v were begun first: what waits held up others", first)
		}
	})
}

// A job that is given back because it waited for too long takes with it those that wait for it, and comes before them again.
func TestJobsOfOneOrderStayInOrderWhenGivenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newTable(nil)
		ctx, cancel := context.WithCancel(t.Context())
		l := work.New(q, work.Options{Timeout: 15 * time.Second, Slack: 10 * time.Second, PerLane: 4})
		ended := make(chan error)
		go func() { ended <- l.Run(ctx) }()
		for i, wait := range []time.Duration{time.Second, 5 * time.Second, time.Minute} {
			q.mu.Lock()
			q.waiting["a"] = append(q.waiting["a"], 100*(i+1)+1)
			q.mu.Unlock()
			l.Wake()
			time.Sleep(wait)
		}
		cancel()
		if err := <-ended; err != nil || !slices.Equal(q.order, []int{101, 201, 301}) || q.back["a"] != 2 {
			t.Errorf("%v, done %v, given back %d", err, q.order, q.back["a"])
		}
	})
}

// A commit wakes the loop: what it queued is done at once, and not only at the next look. Commits of other processes are
// seen by DataVersion, which says nothing here.
func TestACommitWakesTheLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newTable(nil)
		ctx, cancel := context.WithCancel(t.Context())
		l := work.New(q, work.Options{Timeout: time.Second, Slack: time.Second, Every: time.Hour})
		ended := make(chan error)
		go func() { ended <- l.Run(ctx) }()
		time.Sleep(10 * time.Second)
		commit := func(jobs int) {
			q.mu.Lock()
			defer q.mu.Unlock()
			q.waiting["a"] = make([]int, jobs)
		}
		done := func() int {
			time.Sleep(100 * time.Millisecond)
			q.mu.Lock()
			defer q.mu.Unlock()
			return q.done["a"]
		}
		if commit(1); done() != 0 {
			t.Error("the loop looks without being woken: the test proves nothing")
		}
		if l.Wake(); done() != 1 {
			t.Error("the loop sleeps on")
		}
		if commit(3); done() != 1 {
			t.Error("the loop looks again without being woken")
		}
		if l.Wake(); done() != 4 {
			t.Error("the loop wakes only once")
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// A lane that is down is tried again once a second, and then by one job only.
func TestALaneThatIsDownIsLeftAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newTable(map[string]int{"dead": 50, "alive": 5})
		q.down["dead"] = true
		err := during(t, q, work.Options{Timeout: time.Second, Slack: time.Second, Ahead: 4}, 9500*time.Millisecond)
		short := slices.ContainsFunc(q.began[1:], func(at time.Time) bool {
			i := slices.Index(q.began, at)
			return at.Sub(q.began[i-1]) < time.Second
		})
		if err != nil || len(q.began) < 9 || short || q.done["alive"] != 5 || len(q.waiting["dead"]) != 50 {
			t.Errorf("%v, tried %d times, too soon: %v, done %v, %d wait", err, len(q.began), short, q.done, len(q.waiting["dead"]))
		}
	})
}

// A database that fails for a moment is asked again; one that fails for long ends the loop, which health hears of.
func TestALoopEndsWhenItsDatabaseFailsForLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newTable(map[string]int{"a": 5})
		q.broken = errors.New("the database is away")
		time.AfterFunc(5*time.Second, func() {
			q.mu.Lock()
			defer q.mu.Unlock()
			q.broken = nil
		})
		if err := during(t, q, work.Options{Timeout: time.Second, Slack: time.Second}, 20*time.Second); err != nil || q.done["a"] != 5 {
			t.Errorf("after a moment: %v, done %v", err, q.done)
		}
		q.broken = errors.New("the database is away")
		began := time.Now()
		if err := during(t, q, work.Options{}, time.Hour); err == nil || time.Since(began) > 15*time.Second {
			t.Errorf("for long: %v after %v", err, time.Since(began))
		}
	})
}

// post is a channel in memory, whose first letter hangs.
type post struct {
	mu             sync.Mutex
	waiting        []string
	sent, released []string
	lease          time.Duration
}

func (p *post) Now() time.Time              { return time.Now() }
func (p *post) DataVersion() (int64, error) { return 1, nil }
func (p *post) Share() work.Share           { return work.Whole(7) }

func (p *post) HasDue(_ context.Context, of work.Buckets, _ when.Instant) (bool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return of == work.AllBuckets && len(p.waiting) > 0, nil
}

func (p *post) Claim(_ context.Context, by work.Share, now, lease when.Instant, limit int) ([]string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := min(limit, len(p.waiting))
	if by.Server != 7 {
		n = 0
	}
	all := p.waiting[:n]
	p.waiting, p.lease = p.waiting[n:], lease.Time().Sub(now.Time())
	return all, nil
}

func (p *post) Do(ctx context.Context, letter *string) bool {
	time.Sleep(time.Millisecond)
	if *letter == "hangs" {
		<-ctx.Done()
	}
	return *letter != "hangs"
}

func (p *post) Settle(_ context.Context, all []work.Settled[string, bool]) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range all {
		switch {
		case s.Outcome == nil:
			p.released = append(p.released, *s.Job)
		case *s.Outcome:
			p.sent = append(p.sent, *s.Job)
		}
	}
	return nil
}

// A job of a channel that hangs holds one place. What was claimed and not begun when the loop ends is given back.
func TestAChannel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &post{waiting: []string{"hangs", "a", "b", "c"}}
		run := func(o work.Options, d time.Duration) {
			ctx, cancel := context.WithTimeout(t.Context(), d)
			defer cancel()
			o.Timeout, o.Slack = 10*time.Second, 20*time.Second
			if err := work.NewSingle(p, o).Run(ctx); err != nil {
				t.Error(err)
			}
		}
		run(work.Options{PerLane: 2}, 5*time.Second)
		slices.Sort(p.sent)
		if !slices.Equal(p.sent, []string{"a", "b", "c"}) || len(p.released) != 0 || p.lease != 30*time.Second {
			t.Errorf("sent %v, released %v, leased for %s", p.sent, p.released, p.lease)
		}
		p.waiting, p.sent = []string{"quick", "hangs", "d"}, nil
		run(work.Options{Ahead: 2}, 5*time.Second)
		if !slices.Equal(p.sent, []string{"quick"}) || !slices.Equal(p.released, []string{"d"}) {
			t.Errorf("sent %v, released %v", p.sent, p.released)
		}
	})
}
