package calsync

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// Loop reads connections when they are due, and writes the copies of bookings. Several servers of a database may each
// run one.
type Loop struct {
	service *Service
	log     *slog.Logger
	beside  []func(context.Context) error
	wake    chan struct{}

	slots  chan struct{} // one is held by each reading under way
	going  sync.WaitGroup
	failed chan error // the database's
}

// NewLoop makes a Loop, which also calls each function in beside every second. Give its Wake to Service.OnCommit.
func NewLoop(s *Service, log *slog.Logger, beside ...func(context.Context) error) *Loop {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Loop{service: s, log: log, beside: beside, wake: make(chan struct{}, 1), slots: make(chan struct{}, readSlots),
		failed: make(chan error, 1)}
}

// Wake makes the loop look for work soon. It returns at once.
func (l *Loop) Wake() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

const (
	lookEvery = time.Second
	gather    = 50 * time.Millisecond // after a wake-up, so that a burst of changes is one transaction
	queueStep = 100
	writeStep = 8
	readSlots = 4 // connections that are read at a time
)

// Run works until ctx ends; work under way then gets a moment to finish. The error is that of the database.
func (l *Loop) Run(ctx context.Context) error {
	var writing sync.WaitGroup
	defer writing.Wait()
	writing.Go(func() { l.note(l.every(ctx, l.write, l.wake)) })
	for _, round := range l.beside {
		writing.Go(func() { l.note(l.every(ctx, round, nil)) })
	}
	defer l.going.Wait()
	return l.every(ctx, l.read, l.wake)
}

// note keeps the first error for Run.
func (l *Loop) note(err error) {
	if err == nil {
		return
	}
	select {
	case l.failed <- err:
	default:
	}
}

// every calls round now and again, and when it is woken, until ctx ends or round fails.
func (l *Loop) every(ctx context.Context, round func(context.Context) error, wake <-chan struct{}) error {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for {
		if err := round(ctx); err != nil && ctx.Err() == nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case err := <-l.failed:
			return err
		case <-look.C:
		case <-wake:
			select {
			case <-ctx.Done():
			case <-time.After(gather):
			}
		}
	}
}

// write queues the copies of what has changed, in the one server that leads, and writes what is due.
func (l *Loop) write(ctx context.Context) error {
	for n := queueStep; n == queueStep && l.service.Core.Share().Buckets.Leads(); {
		var err error
		if n, err = l.service.QueueCopies(ctx, queueStep); err != nil {
			return err
		}
	}
	for ctx.Err() == nil {
		n, err := l.service.WriteCopies(context.WithoutCancel(ctx), writeStep)
		if err != nil || n == 0 {
			return err
		}
	}
	return nil
}

// read begins to read due connections, as many as there are free slots. One that doesn't answer holds a slot until its
// time is over, and no other connection.
func (l *Loop) read(ctx context.Context) error {
	free := 0
	for range readSlots {
		select {
		case l.slots <- struct{}{}:
			free++
		default:
		}
	}
	var claimed []Claimed
	var err error
	if free > 0 {
		claimed, err = l.service.ClaimDue(ctx, free)
	}
	for range free - len(claimed) {
		<-l.slots
	}
	for i := range claimed {
		l.going.Go(func() {
			defer l.Wake()
			defer func() { <-l.slots }()
			l.note(l.service.ReadDue(context.WithoutCancel(ctx), &claimed[i]))
		})
	}
	return err
}
