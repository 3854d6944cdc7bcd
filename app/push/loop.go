package push

import (
	"context"
	"crypto/tls"
	"log/slog"
	"net/http"
	"time"

	"daybook/app/work"
)

// LoopConfig is what a Loop is made of.
type LoopConfig struct {
	Service *Service
	Logger  *slog.Logger
	Trust   *tls.Config // nil is the machine's
}

// Loop writes the notifications of changes and sends what is due. Several servers of a database may each run one.
type Loop = work.Loop[lane, Message, settled]

const (
	leaseTime = time.Minute
	atOnce    = 16 // messages that are sent at a time
)

// NewLoop makes a Loop. Give its Wake to Service.OnCommit. When it ends, requests under way may take until their
// timeout.
func NewLoop(c LoopConfig) *Loop {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	q := &queue{c.Service, c.Logger, newClient(c.Service.law(), &http.Transport{TLSClientConfig: c.Trust})}
	return work.New(q, work.Options{Name: "push", Timeout: attemptTime, Slack: leaseTime - attemptTime, Grace: attemptTime,
		PerLane: atOnce, Fill: c.Service.WriteMessages, Logger: c.Logger})
}

// queue is the queue of messages. All are in one lane: a push service that doesn't answer holds one of its places until
// the timeout, and no other message.
type queue struct {
	*Service
	log    *slog.Logger
	client *http.Client
}

type lane struct{}

// settled is what became of a message; released: nothing was tried.
type settled struct {
	m        *Message
	released bool
	Outcome
}

func (q *queue) Waiting(ctx context.Context) ([]work.Waiting[lane], error) {
	due, err := q.HasDueMessages(ctx)
	if err != nil || !due {
		return nil, err
	}
	return make([]work.Waiting[lane], 1), nil
}

func (q *queue) Claim(ctx context.Context, claims []work.Claim[lane], lease time.Duration) (
	[]work.Batch[lane, Message], error) {
	claimer := q.Share().Server
	all, err := q.Service.Claim(ctx, lease, claims[0].Limit)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	return []work.Batch[lane, Message]{{Server: claimer, Lease: all[0].DueAt, Jobs: all}}, nil
}

func (q *queue) Do(ctx context.Context, _ lane, m *Message) (settled, bool) {
	o, err := q.send(ctx, m)
	if err != nil {
		q.log.Error("notification can't be written", "message", m.ID.String(), "error", err)
		o = Outcome{Again: true}
	}
	return settled{m: m, Outcome: o}, false
}

func (q *queue) Release(m *Message, _ bool) settled { return settled{m: m, released: true} }

func (q *queue) Settle(ctx context.Context, all []settled) error {
	return q.Quietly(ctx, func(tx Tx) error {
		for _, o := range all {
			if err := q.settle(tx, o); err != nil {
				return err
			}
		}
		return nil
	})
}
