package mail

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"sync"
	"time"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/mail/smtp"
)

// Config is what a Loop is made of.
type LoopConfig struct {
	Service *Service
	Server  *smtp.Server // for the workspaces that have none of their own; nil for none
	Logger  *slog.Logger
	Trust   *tls.Config // nil is the machine's
}

// Loop writes the mails of changes and sends what is due. Several servers of a database may each run one.
type Loop struct {
	service *Service
	server  *smtp.Server
	log     *slog.Logger
	trust   *tls.Config
	wake    chan struct{}

	mu   sync.Mutex
	busy map[catalog.WorkspaceID]bool // the lanes under way
	all  sync.WaitGroup
}

// New makes a Loop. Give its Wake to Service.OnCommit.
func NewLoop(c LoopConfig) *Loop {
	l := &Loop{
		service: c.Service, server: c.Server, log: c.Logger, trust: c.Trust,
		wake: make(chan struct{}, 1), busy: map[catalog.WorkspaceID]bool{},
	}
	if l.log == nil {
		l.log = slog.New(slog.DiscardHandler)
	}
	return l
}

// Wake has the loop look now. It returns at once.
func (l *Loop) Wake() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

const (
	lookEvery = time.Second
	tidyEvery = time.Minute
	hearEvery = 50 * time.Millisecond // how often it is looked whether another process has committed
	gather    = 50 * time.Millisecond // after a wake-up, so that a burst of changes is one transaction
	writeStep = 100
)

// Run works until ctx ends; the mail that is then under way gets a moment to end. The error is the database's.
func (l *Loop) Run(ctx context.Context) error {
	defer l.all.Wait()
	look, tidy, hear := time.NewTicker(lookEvery), time.NewTicker(tidyEvery), time.NewTicker(hearEvery)
	defer look.Stop()
	defer tidy.Stop()
	defer hear.Stop()
	failed := make(chan error, 1)
	for {
		version, _ := l.service.DataVersion() // read before the round, so that no later commit is missed
		if err := l.round(ctx, failed); err != nil && ctx.Err() == nil {
			return err
		}
		for heard := true; heard; {
			heard = false
			select {
			case <-ctx.Done():
				return nil
			case err := <-failed:
				return err
			case <-look.C:
			case <-tidy.C:
				if !l.service.Share().Buckets.Leads() {
					continue
				}
				if err := l.service.TidyMails(ctx); err != nil && ctx.Err() == nil {
					return err
				}
			case <-l.wake:
				sleep(ctx, gather)
			case <-hear.C:
				v, err := l.service.DataVersion()
				heard = err != nil || v == version // there is nothing new
			}
		}
	}
}

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// round writes the mails of what has changed, in the one server that leads, and starts the lanes that have something
// to send.
func (l *Loop) round(ctx context.Context, failed chan<- error) error {
	for n := writeStep; n == writeStep && l.service.Share().Buckets.Leads(); {
		var err error
		if n, err = l.service.WriteMails(ctx, writeStep); err != nil {
			return err
		}
	}
	due, err := l.service.DueMailServers(ctx)
	if err != nil {
		return err
	}
	if l.server != nil {
		any, err := l.service.HasDueMails(ctx)
		if err != nil {
			return err
		}
		if any {
			due = append(due, 0)
		}
	}
	for _, ws := range due {
		l.start(ctx, ws, failed)
	}
	return nil
}

// start runs the lane unless it is under way already.
func (l *Loop) start(ctx context.Context, ws catalog.WorkspaceID, failed chan<- error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.busy[ws] {
		return
	}
	l.busy[ws] = true
	l.all.Go(func() {
		err := (&lane{l: l, workspace: ws}).run(ctx)
		l.mu.Lock()
		delete(l.busy, ws)
		l.mu.Unlock()
		if err != nil && ctx.Err() == nil {
			select {
			case failed <- err:
			default:
			}
		}
	})
}

// Send sends one mail of the log right now, whatever became of it before, as a message of its own. It is for the
// command, beside a server or without one. Errors: app's, and the mail server's in its own words.
func (l *Loop) Send(ctx context.Context, ref string) (Mail, error) {
	m, err := l.service.Mail(ctx, app.Operator(0), ref)
	if err != nil {
		return m, err
	}
	own, err := l.service.OwnServer(ctx, m.WorkspaceID)
	if err != nil {
		return m, err
	}
	if own == nil && l.server == nil {
		return m, ErrNoServer
	}
	if m, err = l.service.ClaimMail(ctx, ref, leaseTime); err != nil {
		return m, err
	}
	n := &lane{l: l}
	if own == nil {
		own = l.server
	}
	defer n.close()
	if err := fatal(n.deliver(ctx, own, &m)); err != nil {
		return m, err
	}
	return l.service.Mail(ctx, app.Operator(0), ref)
}

// ErrNoServer says that there is no way out for a mail.
var ErrNoServer = errors.New("no mail server is set up: mails wait in the log; give serve --smtp-url, " +
	"or set one in the workspace's settings")
