package push

import (
	"context"
	"crypto/tls"
	"log/slog"
	"net/http"
	"sync"
	"time"
)

// LoopConfig is what a Loop is made of.
type LoopConfig struct {
	Service *Service
	Logger  *slog.Logger
	Trust   *tls.Config // nil is the machine's
}

// Loop writes the notifications of changes and sends what is due. Several servers of a database may each run one.
type Loop struct {
	service *Service
	log     *slog.Logger
	client  *http.Client
	wake    chan struct{}

	slots  chan struct{} // one is held by each message under way
	going  sync.WaitGroup
	failed chan error // the database's
}

// NewLoop makes a Loop. Give its Wake to Service.OnCommit.
func NewLoop(c LoopConfig) *Loop {
	l := &Loop{service: c.Service, log: c.Logger, wake: make(chan struct{}, 1),
		slots: make(chan struct{}, sendStep), failed: make(chan error, 1),
		client: newClient(c.Service.law(), &http.Transport{TLSClientConfig: c.Trust})}
	if l.log == nil {
		l.log = slog.New(slog.DiscardHandler)
	}
	return l
}

// Wake has the loop look soon. It returns at once.
func (l *Loop) Wake() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

const (
	lookEvery = time.Second
	gather    = 50 * time.Millisecond // after a wake-up, so that a burst of changes is one transaction
	writeStep = 100
	sendStep  = 16 // messages that are sent at a time
	leaseTime = time.Minute
)

// Run works until ctx ends; what is then under way gets a moment to end. The error is the database's.
func (l *Loop) Run(ctx context.Context) error {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	defer l.going.Wait()
	for {
		if err := l.round(ctx); err != nil && ctx.Err() == nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case err := <-l.failed:
			return err
		case <-look.C:
		case <-l.wake:
			select {
			case <-ctx.Done():
			case <-time.After(gather):
			}
		}
	}
}

// round writes the messages of what has changed, in the one server that leads, and sends what is due.
func (l *Loop) round(ctx context.Context) error {
	for n := writeStep; n == writeStep && l.service.Core.Share().Buckets.Leads(); {
		var err error
		if n, err = l.service.WriteMessages(ctx, writeStep); err != nil {
			return err
		}
	}
	for ctx.Err() == nil {
		due, err := l.service.HasDueMessages(ctx)
		if err != nil || !due {
			return err
		}
		n, err := l.sendSome(ctx)
		if err != nil || n == 0 {
			return err
		}
	}
	return nil
}

// sendSome begins to send due messages, as many as there are free slots, and says how many. A push service that doesn't
// answer holds a slot until its timeout, and no other message.
func (l *Loop) sendSome(ctx context.Context) (int, error) {
	free := 0
	for range sendStep {
		select {
		case l.slots <- struct{}{}:
			free++
		default:
		}
	}
	var claimed []Message
	var err error
	if free > 0 {
		claimed, err = l.service.Claim(ctx, leaseTime, free)
	}
	for range free - len(claimed) {
		<-l.slots
	}
	for i := range claimed {
		l.going.Go(func() {
			if err := l.sendOne(ctx, &claimed[i]); err != nil {
				select {
				case l.failed <- err:
				default: // Run ends by the first
				}
			}
			<-l.slots
			l.Wake()
		})
	}
	return len(claimed), err
}

// sendOne sends a message. One that is under way ends, within its timeout.
func (l *Loop) sendOne(ctx context.Context, m *Message) error {
	going := context.WithoutCancel(ctx)
	o, err := l.send(going, m)
	if err != nil {
		return err
	}
	return l.service.Settle(going, m, o)
}
