package payment

import (
	"cmp"
	"context"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"daybook/app/fault"
	"daybook/app/when"
	"daybook/app/work"
)

// Queue is what the loop needs of the Service.
type Queue interface {
	Now() time.Time
	Share() work.Share
	NextPaymentJob(ctx context.Context) (when.Instant, error)
	ClaimPaymentJobs(ctx context.Context, limit int, lease time.Duration) ([]Job, error)
	RunPaymentJob(ctx context.Context, j Job) error
	ReconcilePayments(ctx context.Context, of work.Buckets) error
}

// Options are how the loop works. A zero field takes its default.
type LoopOptions struct {
	Lease   time.Duration // 3 min: longer than a job's calls can take together
	Timeout time.Duration // 2 min for a job
	Grace   time.Duration // 3 s for the jobs under way when the loop ends
	Poll    time.Duration // 250 ms: how soon another process's job is noticed
	Workers int           // 8 jobs at once
	Logger  *slog.Logger  // nil discards
}

func (o LoopOptions) withDefaults() LoopOptions {
	o.Lease = cmp.Or(o.Lease, 3*time.Minute)
	o.Timeout = cmp.Or(o.Timeout, 2*time.Minute)
	o.Grace = cmp.Or(o.Grace, 3*time.Second)
	o.Poll = cmp.Or(o.Poll, 250*time.Millisecond)
	o.Workers = cmp.Or(o.Workers, 8)
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	return o
}

// Loop carries out what the Service has queued for Stripe.
type Loop struct {
	o     LoopOptions
	queue Queue
	woken chan struct{}

	trouble fault.Seldom
}

// New makes a loop. Give Wake to Service.OnCommit, and Run and Reconcile to the server.
func NewLoop(q Queue, o LoopOptions) *Loop {
	return &Loop{o: o.withDefaults(), queue: q, woken: make(chan struct{}, 1)}
}

// Wake tells the loop that something was committed. It returns at once.
func (l *Loop) Wake() {
	select {
	case l.woken <- struct{}{}:
	default: // it is going to look anyway
	}
}

// Run does jobs until ctx ends. Then those under way have a moment to end; the rest is left to whoever comes next.
func (l *Loop) Run(ctx context.Context) error {
	working, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	var under sync.WaitGroup
	places := make(chan struct{}, l.o.Workers)
	for {
		server := l.queue.Share().Server // that claims
		jobs, err := l.claim(ctx, l.o.Workers-len(places))
		if err != nil && ctx.Err() == nil {
			if repeated, say := l.trouble.Say(err); say {
				l.o.Logger.Error("payments: can't claim jobs", "error", err, "repeated", repeated)
			}
		}
		for _, j := range jobs {
			places <- struct{}{}
			under.Go(func() {
				defer func() { <-places; l.Wake() }()
				l.do(working, server, j)
			})
		}
		if len(jobs) == 0 && !l.rest(ctx) {
			break
		}
	}
	late := time.AfterFunc(l.o.Grace, cancel)
	defer late.Stop()
	under.Wait()
	return nil
}

// claim looks before it writes: the database is left alone while nothing is due.
func (l *Loop) claim(ctx context.Context, room int) ([]Job, error) {
	if room == 0 || ctx.Err() != nil {
		return nil, nil
	}
	next, err := l.queue.NextPaymentJob(ctx)
	if err != nil || next == 0 || next > when.At(l.queue.Now()) {
		return nil, err
	}
	return l.queue.ClaimPaymentJobs(ctx, room, l.o.Lease)
}

func (l *Loop) do(ctx context.Context, server int64, j Job) {
	bounded, cancel := context.WithTimeout(ctx, l.o.Timeout)
	defer cancel()
	go l.endWithShare(bounded, server, cancel)
	defer func() {
		if p := recover(); p != nil {
			l.o.Logger.Error("payments: a job panicked; it is tried again when its lease ends", "action", string(j.Action),
				"job", j.ID.String(), "panic", p, "stack", string(debug.Stack()))
		}
	}()
	if err := l.queue.RunPaymentJob(bounded, j); err != nil && ctx.Err() == nil {
		l.o.Logger.Error("payments: a job failed; it is tried again when its lease ends", "action", string(j.Action), "job",
			j.ID.String(), "error", err)
	}
}

// endWithShare cancels a job once the server that claimed it may be taken for dead, and another one may begin the same
// job.
func (l *Loop) endWithShare(job context.Context, server int64, cancel func()) {
	look := time.NewTicker(l.o.Poll)
	defer look.Stop()
	for server != 0 && l.queue.Share().Server == server {
		select {
		case <-job.Done():
			return
		case <-look.C:
		}
	}
	cancel()
}

// rest waits for a reason to look again; it reports false when ctx has ended.
func (l *Loop) rest(ctx context.Context) bool {
	pause := time.NewTimer(l.o.Poll)
	defer pause.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-l.woken:
	case <-pause.C:
	}
	return ctx.Err() == nil
}

// nightly is when the loop looks at Stripe for what was missed, UTC.
const nightly = 3*time.Hour + 30*time.Minute

// Reconcile looks at Stripe for what was missed: now, and every night until ctx ends. It also looks for each bucket
// that becomes this server's between the nights: nobody may have had it when the others looked.
func (l *Loop) Reconcile(ctx context.Context) error {
	var looked work.Buckets // since the last night
	var night time.Time
	for {
		if now := l.queue.Now().UTC(); !now.Before(night) {
			looked = 0
			if night = now.Truncate(24 * time.Hour).Add(nightly); !night.After(now) {
				night = night.Add(24 * time.Hour)
			}
		}
		if of := l.queue.Share().Buckets &^ looked; of != 0 {
			if err := l.queue.ReconcilePayments(ctx, of); err != nil && ctx.Err() == nil {
				return err
			}
			looked |= of
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(l.o.Poll):
		}
	}
}
