package work

import (
	"cmp"
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"daybook/app/fault"
	"daybook/app/when"
)

// Queue is a durable queue: jobs J that wait in a table until they are due. There is a lane for everything that may be
// slow, such as an endpoint or a mail server; L identifies a lane. O is the outcome of a job. The errors of its methods
// are those of the database.
type Queue[L comparable, J, O any] interface {
	Now() time.Time
	DataVersion() (int64, error)
	Share() Share
	// Waiting lists the lanes with jobs in this server's share, and when the first of each is due.
	Waiting(ctx context.Context) ([]Waiting[L], error)
	// Claim claims due jobs for the length of the lease: nobody else gets them before it ends.
	Claim(ctx context.Context, claims []Claim[L], lease time.Duration) ([]Batch[L, J], error)
	// Do does a job, outside any transaction. It reports whether the lane is down; the other jobs of the lane are then
	// given back.
	Do(ctx context.Context, lane L, j *J) (o O, down bool)
	// Order returns what a job is in order with, not 0: of the jobs of a lane with the same one, each is begun when the one
	// claimed before it is done. 0 waits for none.
	Order(j *J) int64
	// Release returns the outcome of a job that was claimed and not begun, because its lane is down or the loop ends.
	Release(j *J, down bool) O
	// Settle saves outcomes in one transaction. It skips jobs that another claim has taken meanwhile.
	Settle(ctx context.Context, outcomes []O) error
}

// Waiting is a lane with jobs, and when the first of them is due.
type Waiting[L comparable] struct {
	Lane L
	Due  when.Instant
}

// Claim asks for at most Limit due jobs of a lane.
type Claim[L comparable] struct {
	Lane  L
	Limit int
}

// Batch is the jobs that a server has claimed of a lane, until the lease ends.
type Batch[L comparable, J any] struct {
	Lane   L
	Server int64
	Lease  when.Instant
	Jobs   []J
}

// Options say how a loop works. A zero field takes its default.
type Options struct {
	Name     string        // in the log
	Every    time.Duration // 1 s: the longest time between two looks
	Least    time.Duration // 50 ms: the shortest, however often the loop is woken
	Timeout  time.Duration // of a job
	Slack    time.Duration // how much longer a lease lasts than a job
	Grace    time.Duration // for the jobs under way when the loop ends
	PerLane  int           // 1: jobs at once in a lane
	Total    int           // 1024: jobs at once in all lanes; a lane may always have one
	Ahead    int           // jobs that a lane claims before it has a worker for them, while it is fast
	Together int           // 1: outcomes that are saved at once; with 1, a worker goes on when its outcome is saved
	Rest     time.Duration // 1 s: how long a lane is left alone that was down
	// Fill, if set, queues the jobs for at most limit changes, and returns how many changes it looked at. On the server
	// that has bucket 0 it is called before each look, until there are no more changes.
	Fill   func(ctx context.Context, limit int) (int, error)
	Logger *slog.Logger // nil discards
}

func (o Options) withDefaults() Options {
	o.Every = cmp.Or(o.Every, time.Second)
	o.Least = cmp.Or(o.Least, 50*time.Millisecond)
	o.PerLane = cmp.Or(o.PerLane, 1)
	o.Total = cmp.Or(o.Total, 1024)
	o.Together = cmp.Or(o.Together, 1)
	o.Rest = cmp.Or(o.Rest, time.Second)
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	return o
}

// Loop works a queue: it claims what is due, has it done, and saves the outcomes. Each server of a database may run
// one. The jobs that a killed process had claimed are claimed by another one after their leases end. Jobs that were
// under way are done again, since their outcome is unknown.
type Loop[L comparable, J, O any] struct {
	o       Options
	queue   Queue[L, J, O]
	woken   chan struct{}
	commits atomic.Int64 // the calls of Wake
	trouble fault.Seldom
}

// New makes a loop. Give Wake to Service.OnCommit, and Run to the server.
func New[L comparable, J, O any](q Queue[L, J, O], o Options) *Loop[L, J, O] {
	return &Loop[L, J, O]{o: o.withDefaults(), queue: q, woken: make(chan struct{}, 1)}
}

// Wake tells the loop that something was committed. It returns at once.
func (l *Loop[L, J, O]) Wake() {
	l.commits.Add(1)
	signal(l.woken)
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default: // the loop will look anyway
	}
}

// run is one call of Run.
type run[L comparable, J, O any] struct {
	*Loop[L, J, O]
	working  context.Context // the context of jobs, which ends later than Run's
	lanes    map[L]*lane[L, J]
	pace     pacer
	workers  sync.WaitGroup
	underWay atomic.Int64  // jobs, in all lanes
	room     chan struct{} // signalled when a full lane has room again
	results  chan O
}

// Run works until ctx ends. Then the jobs under way get a moment to finish, and the rest goes back to the queue. It
// returns the error of the database if that fails for long.
func (l *Loop[L, J, O]) Run(ctx context.Context) error {
	working, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	r := &run[L, J, O]{Loop: l, working: working, lanes: map[L]*lane[L, J]{}, room: make(chan struct{}, 1),
		results: make(chan O, 1024)}
	var settling sync.WaitGroup
	settling.Go(r.settleAll)
	err := r.look(ctx)
	late := time.AfterFunc(l.o.Grace, cancel)
	for _, lane := range r.lanes {
		r.release(lane, false)
	}
	r.workers.Wait()
	late.Stop()
	cancel() // from here on nothing waits for a database that fails
	close(r.results)
	settling.Wait()
	return err
}
