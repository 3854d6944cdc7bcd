package webhook

import (
	"cmp"
	"context"
	"crypto/x509"
	"log/slog"
	"net/netip"
	"sync"
	"time"

	"daybook/app/catalog"
	"daybook/app/work"
)

// DefaultKeep is how long deliveries and events are kept.
const DefaultKeep = 30 * 24 * time.Hour

// Options say how the loop sends. A zero field takes its default.
type Options struct {
	Allow   []netip.Prefix  // networks that may be sent to besides the public internet, by http:// too
	Retry   []time.Duration // the pauses before each retry: DefaultRetry
	Version string          // sent in User-Agent
	Keep    time.Duration   // how long deliveries and events are kept: DefaultKeep

	Connect     time.Duration // 10 s
	Timeout     time.Duration // 15 s for a whole attempt
	Slack       time.Duration // 10 s: how much longer a lease lasts than an attempt
	Grace       time.Duration // 2 s for attempts that are under way when the loop ends
	PerEndpoint int           // 64 attempts at once to one endpoint
	Total       int           // 1024 to all endpoints; an endpoint may always have one

	RootCAs *x509.CertPool // nil uses the system's
	Logger  *slog.Logger   // nil discards
}

func (o Options) withDefaults() Options {
	if o.Retry == nil {
		o.Retry = DefaultRetry
	}
	o.Version = cmp.Or(o.Version, "dev")
	o.Keep = cmp.Or(o.Keep, DefaultKeep)
	o.Connect = cmp.Or(o.Connect, 10*time.Second)
	o.Timeout = cmp.Or(o.Timeout, 15*time.Second)
	o.Slack = cmp.Or(o.Slack, 10*time.Second)
	o.Grace = cmp.Or(o.Grace, 2*time.Second)
	o.PerEndpoint = cmp.Or(o.PerEndpoint, 64)
	o.Total = cmp.Or(o.Total, 1024)
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// Loop sends the deliveries that are due, and deletes old ones.
type Loop struct {
	*work.Loop[catalog.EndpointID, job, Outcome]
	queue *queue
}

// New makes a loop. Pass Wake to Service.OnCommit, and Run to the server.
func New(s *Service, o Options) *Loop {
	o = o.withDefaults()
	q := &queue{s, o, newSender(&o, s.Now)}
	return &Loop{queue: q, Loop: work.New(q, work.Options{
		Name: "webhooks", Every: time.Minute, Least: 20 * time.Millisecond, Timeout: o.Timeout, Slack: o.Slack, Grace: o.Grace,
		PerLane: o.PerEndpoint, Total: o.Total, Ahead: 256, Together: 256, Logger: o.Logger,
	})}
}

// Run sends until ctx ends. Then attempts under way get a moment to finish, and the rest goes back to the queue.
func (l *Loop) Run(ctx context.Context) error {
	var pruning sync.WaitGroup
	defer pruning.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	pruning.Go(func() { l.queue.prune(ctx) })
	return l.Loop.Run(ctx)
}

// queue is the queue of deliveries. Each endpoint has a lane.
type queue struct {
	*Service
	o      Options
	sender *sender
}

// job is a delivery that was claimed, and where it is sent.
type job struct {
	to *target
	d  Claimed
}

func (q *queue) Waiting(ctx context.Context) ([]Waiting, error) { return q.WaitingEndpoints(ctx) }

func (q *queue) Claim(ctx context.Context, claims []Claim, lease time.Duration) (
	all []work.Batch[catalog.EndpointID, job], err error) {
	batches, err := q.ClaimDeliveries(ctx, claims, lease)
	for i := range batches {
		b, to := work.Batch[catalog.EndpointID, job]{Lane: batches[i].Endpoint, Server: batches[i].Server,
			Lease: batches[i].Lease}, newTarget(&batches[i])
		for _, d := range batches[i].Deliveries {
			b.Jobs = append(b.Jobs, job{to, d})
		}
		all = append(all, b)
	}
	return all, err
}

func (q *queue) Do(ctx context.Context, _ catalog.EndpointID, j *job) (o Outcome, down bool) {
	return q.attempt(ctx, j), false
}

// Order is the booking, for the first try of an event. Retries neither wait nor let others wait.
func (q *queue) Order(j *job) int64 {
	if j.d.Tries > 0 {
		return 0
	}
	return int64(j.d.Booking)
}

func (q *queue) Release(j *job, _ bool) Outcome {
	return Outcome{ID: j.d.ID, Workspace: j.d.Workspace, Lease: j.d.Lease, Released: true}
}

func (q *queue) Settle(ctx context.Context, outcomes []Outcome) error {
	return q.SettleDeliveries(ctx, outcomes)
}
