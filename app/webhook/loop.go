package webhook

import (
	"cmp"
	"context"
	"crypto/x509"
	"log/slog"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/work"
)

// Queue is what the loop needs from the Service.
type Queue interface {
	Now() time.Time
	DataVersion() (int64, error)
	Share() work.Share
	WaitingEndpoints(ctx context.Context) ([]Waiting, error)
	ClaimDeliveries(ctx context.Context, claims []Claim, lease time.Duration) ([]Batch, error)
	SettleDeliveries(ctx context.Context, outcomes []Outcome) error
	PruneWebhooks(ctx context.Context, before time.Time, limit int) (more bool, err error)
}

// Options say how to send. A zero field takes the default value.
type Options struct {
	Allow   []netip.Prefix  // networks that may be sent to besides the public internet, by http:// too
	Retry   []time.Duration // the pauses before each retry: 30 s, 5 min, 1 h
	Version string          // sent in User-Agent
	Keep    time.Duration   // how long deliveries and events are kept: 30 days

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
		o.Retry = []time.Duration{30 * time.Second, 5 * time.Minute, time.Hour}
	}
	o.Version = cmp.Or(o.Version, "dev")
	o.Keep = cmp.Or(o.Keep, 30*24*time.Hour)
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

// Loop sends the deliveries in the queue.
type Loop struct {
	o      Options
	queue  Queue
	sender *sender
	woken  chan struct{}
	// commits counts the calls of Wake.
	commits atomic.Int64
	trouble fault.Seldom
}

// New makes a loop. Pass Wake to Service.OnCommit, and Run to the server.
func New(q Queue, o Options) *Loop {
	o = o.withDefaults()
	return &Loop{o: o, queue: q, sender: newSender(&o, q.Now), woken: make(chan struct{}, 1)}
}

// Wake tells the loop that something was committed. It returns at once.
func (l *Loop) Wake() {
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
type run struct {
	*Loop
	sending  context.Context // the context of attempts, which ends later than Run's
	lanes    map[catalog.EndpointID]*lane
	pace     pacer
	workers  sync.WaitGroup
	inFlight atomic.Int64  // attempts under way, in all lanes
	room     chan struct{} // signalled when a full lane has room again
	results  chan Outcome
}

// Run sends until ctx ends. Then attempts under way get a moment to finish, and the rest goes back to the queue.
func (l *Loop) Run(ctx context.Context) error {
	sending, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	r := &run{Loop: l, sending: sending, lanes: map[catalog.EndpointID]*lane{}, room: make(chan struct{}, 1),
		results: make(chan Outcome, 1024)}
	var others sync.WaitGroup
	others.Go(func() { r.prune(ctx) })
	others.Go(r.settle)
	r.look(ctx)
	for _, lane := range r.lanes {
		r.release(lane)
	}
	late := time.AfterFunc(l.o.Grace, cancel)
	r.workers.Wait()
	late.Stop()
	cancel() // from here on nothing waits for a database that fails
	close(r.results)
	others.Wait()
	return nil
}
