package work

import (
	"context"
	"time"

	"daybook/app/when"
)

// Channel is a durable queue of jobs J that share one lane: a job that hangs holds one of its places until the timeout.
// O is the outcome of a job. The errors of its methods are those of the database.
type Channel[J, O any] interface {
	Now() time.Time
	DataVersion() (int64, error)
	Share() Share
	// HasDue reports whether any job of workspaces in those buckets is due.
	HasDue(ctx context.Context, of Buckets, now when.Instant) (bool, error)
	// Claim claims at most limit due jobs of this server's share until lease: nobody else gets them before it ends.
	Claim(ctx context.Context, by Share, now, lease when.Instant, limit int) ([]J, error)
	// Do does a job, outside any transaction.
	Do(ctx context.Context, j *J) O
	// Settle saves what became of jobs in one transaction. It skips jobs that another claim has taken meanwhile.
	Settle(ctx context.Context, all []Settled[J, O]) error
}

// Settled is a job and its outcome. Outcome is nil if the job was claimed and not begun.
type Settled[J, O any] struct {
	Job     *J
	Outcome *O
}

// Single is the loop that works a Channel.
type Single[J, O any] = Loop[struct{}, J, Settled[J, O]]

// NewSingle makes the loop of a Channel. Options.PerLane is how many jobs are done at a time.
func NewSingle[J, O any](c Channel[J, O], o Options) *Single[J, O] { return New(single[J, O]{c}, o) }

// single is a Channel as the Queue of its one lane.
type single[J, O any] struct{ Channel[J, O] }

func (q single[J, O]) Waiting(ctx context.Context) ([]Waiting[struct{}], error) {
	due, err := q.HasDue(ctx, q.Share().Buckets, when.At(q.Now()))
	if err != nil || !due {
		return nil, err
	}
	return make([]Waiting[struct{}], 1), nil
}

func (q single[J, O]) Claim(ctx context.Context, claims []Claim[struct{}], lease time.Duration) (
	[]Batch[struct{}, J], error) {
	by, now := q.Share(), when.At(q.Now())
	if by.Server == 0 {
		return nil, nil
	}
	until := now.Add(lease)
	jobs, err := q.Channel.Claim(ctx, by, now, until, claims[0].Limit)
	if err != nil || len(jobs) == 0 {
		return nil, err
	}
	return []Batch[struct{}, J]{{Server: by.Server, Lease: until, Jobs: jobs}}, nil
}

func (q single[J, O]) Do(ctx context.Context, _ struct{}, j *J) (s Settled[J, O], down bool) {
	o := q.Channel.Do(ctx, j)
	return Settled[J, O]{j, &o}, false
}

func (q single[J, O]) Order(*J) int64 { return 0 }

func (q single[J, O]) Release(j *J, _ bool) Settled[J, O] { return Settled[J, O]{Job: j} }
