package payment

import (
	"cmp"
	"context"
	"log/slog"
	"runtime/debug"
	"time"

	"daybook/app/when"
	"daybook/app/work"
)

// Queue is what the loop needs from the Service.
type Queue interface {
	Now() time.Time
	DataVersion() (int64, error)
	Share() work.Share
	NextPaymentJob(ctx context.Context) (when.Instant, error)
	ClaimPaymentJobs(ctx context.Context, limit int, lease time.Duration) ([]Job, error)
	RunPaymentJob(ctx context.Context, j Job) error
	ReconcilePayments(ctx context.Context, of work.Buckets) error
}

// LoopOptions say how the loop works. A zero field takes its default.
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

// Loop runs the jobs that the Service has queued for Stripe.
type Loop struct {
	*work.Loop[lane, Job, done]
	o     LoopOptions
	queue Queue
}

// NewLoop makes a loop. Give Wake to Service.OnCommit, and Run and Reconcile to the server. When Run ends, jobs under
// way get a moment to finish; the rest is left in the queue.
func NewLoop(q Queue, o LoopOptions) *Loop {
	o = o.withDefaults()
	return &Loop{work.New(&jobs{q, o}, work.Options{Name: "payments", Every: o.Poll, Least: o.Poll, Timeout: o.Timeout,
		Slack: o.Lease - o.Timeout, Grace: o.Grace, PerLane: o.Workers, Logger: o.Logger}), o, q}
}

// jobs is the queue of jobs, all in one lane.
type jobs struct {
	Queue
	o LoopOptions
}

type (
	lane struct{}
	done struct{} // a job saves itself what became of it
)

func (q *jobs) Waiting(ctx context.Context) ([]work.Waiting[lane], error) {
	next, err := q.NextPaymentJob(ctx)
	if err != nil || next == 0 {
		return nil, err
	}
	return []work.Waiting[lane]{{Due: next}}, nil
}

func (q *jobs) Claim(ctx context.Context, claims []work.Claim[lane], lease time.Duration) (
	[]work.Batch[lane, Job], error) {
	claimer := q.Share().Server
	all, err := q.ClaimPaymentJobs(ctx, claims[0].Limit, lease)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	return []work.Batch[lane, Job]{{Server: claimer, Lease: all[0].Lease, Jobs: all}}, nil
}

func (q *jobs) Order(*Job) int64 { return 0 }

// Release leaves a job until its lease ends.
func (q *jobs) Release(*Job, bool) (o done) { return o }

func (q *jobs) Settle(context.Context, []done) error { return nil }

func (q *jobs) Do(ctx context.Context, _ lane, j *Job) (o done, down bool) {
	bounded, cancel := context.WithTimeout(ctx, q.o.Timeout)
	defer cancel()
	go q.endWithShare(bounded, q.Share().Server, cancel)
	defer func() {
		if p := recover(); p != nil {
			q.o.Logger.Error("payments: a job panicked; it is tried again when its lease ends", "action", string(j.Action),
				"job", j.ID.String(), "panic", p, "stack", string(debug.Stack()))
		}
	}()
	if err := q.RunPaymentJob(bounded, *j); err != nil && ctx.Err() == nil {
		q.o.Logger.Error("payments: a job failed; it is tried again when its lease ends", "action", string(j.Action), "job",
			j.ID.String(), "error", err)
	}
	return done{}, false
}

// endWithShare cancels a job once the server that claimed it may be taken for dead, and another one may begin the same
// job.
func (q *jobs) endWithShare(job context.Context, server int64, cancel func()) {
	look := time.NewTicker(q.o.Poll)
	defer look.Stop()
	for server != 0 && q.Share().Server == server {
		select {
		case <-job.Done():
			return
		case <-look.C:
		}
	}
	cancel()
}

// nightly is when the loop looks at Stripe for what was missed, UTC.
const nightly = 3*time.Hour + 30*time.Minute

// Reconcile asks Stripe for everything that was missed, now and every night until ctx ends. It also asks for each
// bucket that this server gets between the nights, which may have belonged to no server when the others asked.
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
