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
	"daybook/app/when"
	"daybook/app/work"
)

// LoopConfig is what a Loop is made of.
type LoopConfig struct {
	Service *Service
	Server  *smtp.Server // for the workspaces that have none of their own; nil for none
	Logger  *slog.Logger
	Trust   *tls.Config // nil is the machine's
}

// Loop writes the mails of changes and sends what is due. Several servers of a database may each run one.
type Loop struct {
	*work.Loop[catalog.WorkspaceID, job, Outcome]
	queue *queue
}

const (
	mailTime  = time.Minute // the longest that a mail may take
	leaseTime = 5 * time.Minute
	claimMore = 4 // mails ahead of the one under way: all of them, each as slow as can be, end within the lease
)

// NewLoop makes a Loop. Give its Wake to Service.OnCommit. When ctx ends, Run gives the mail under way a moment to
// finish.
func NewLoop(c LoopConfig) *Loop {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	q := &queue{Service: c.Service, LoopConfig: c, lanes: map[catalog.WorkspaceID]*lane{}}
	return &Loop{queue: q, Loop: work.New(q, work.Options{Name: "mail", Timeout: mailTime, Slack: leaseTime - mailTime,
		Ahead: claimMore, Fill: c.Service.WriteMails, Logger: c.Logger})}
}

// Run works until ctx ends.
func (l *Loop) Run(ctx context.Context) error {
	defer l.queue.close()
	return l.Loop.Run(ctx)
}

// queue is the queue of mails. A lane is the way through one mail server, by the workspace whose server it is; 0 is the
// one of all who have none.
type queue struct {
	*Service
	LoopConfig
	mu    sync.Mutex
	lanes map[catalog.WorkspaceID]*lane
}

// job is a claimed mail, and the server that it goes to.
type job struct {
	Mail
	to  *smtp.Server
	err error // set when there is none
}

func (q *queue) Waiting(ctx context.Context) (all []work.Waiting[catalog.WorkspaceID], err error) {
	due, err := q.DueMailServers(ctx)
	if err != nil {
		return nil, err
	}
	if q.Server != nil {
		any, err := q.HasDueMails(ctx)
		if err != nil {
			return nil, err
		}
		if any {
			due = append(due, 0)
		}
	}
	for _, ws := range due {
		all = append(all, work.Waiting[catalog.WorkspaceID]{Lane: ws})
	}
	return all, nil
}

func (q *queue) Claim(ctx context.Context, claims []work.Claim[catalog.WorkspaceID], lease time.Duration) (
	all []work.Batch[catalog.WorkspaceID, job], err error) {
	for _, c := range claims {
		claimer := q.Share().Server
		mails, err := q.ClaimMails(ctx, c.Lane, lease, c.Limit)
		if err != nil && len(all) == 0 {
			return nil, err
		}
		if len(mails) == 0 { // an error comes again
			continue
		}
		b := work.Batch[catalog.WorkspaceID, job]{Lane: c.Lane, Server: claimer, Lease: mails[0].Lease}
		to, err := q.server(ctx, c.Lane)
		for i := range mails {
			b.Jobs = append(b.Jobs, job{mails[i], to, err})
		}
		all = append(all, b)
	}
	return all, nil
}

func (q *queue) server(ctx context.Context, ws catalog.WorkspaceID) (*smtp.Server, error) {
	if ws == 0 {
		return q.Server, nil
	}
	s, err := q.OwnServer(ctx, ws)
	if err == nil && s == nil {
		err = errors.New("the mail server was taken away")
	}
	if err != nil && ctx.Err() == nil {
		q.Logger.Error("a workspace's mail server can't be read", "workspace", ws.String(), "error", err)
	}
	return s, err
}

func (q *queue) Do(ctx context.Context, ws catalog.WorkspaceID, j *job) (o Outcome, down bool) {
	if j.err != nil || ctx.Err() != nil {
		return q.Release(j, ctx.Err() == nil), true
	}
	o, down, err := q.deliver(ctx, q.lane(ws), j.to, &j.Mail)
	if err != nil {
		q.Logger.Error("mail can't be read", "mail", j.ID.String(), "error", err)
		return q.Release(j, true), false
	}
	return o, down
}

func (q *queue) Order(*job) int64 { return 0 }

// Release gives back a mail that was not tried. It waits as long as after a first failure if its server is down.
func (q *queue) Release(j *job, down bool) Outcome {
	o := Outcome{ID: j.ID, Lease: j.Lease, Released: true, Next: when.At(q.Now())}
	if down {
		o.Next = o.Next.Add(pause(0))
	}
	return o
}

func (q *queue) Settle(ctx context.Context, outcomes []Outcome) error {
	return q.settle(ctx, outcomes)
}

// Send sends one mail of the log right now, whatever its state, as a new message. It is for the command, which may run
// beside a server. Errors: those of the Service, and those of the mail server in its own words.
func (l *Loop) Send(ctx context.Context, ref string) (Mail, error) {
	q := l.queue
	m, err := q.Service.Mail(ctx, app.Operator(0), ref)
	if err != nil {
		return m, err
	}
	to, err := q.OwnServer(ctx, m.WorkspaceID)
	if err != nil {
		return m, err
	}
	if to == nil {
		to = q.Server
	}
	if to == nil {
		return m, ErrNoServer
	}
	if m, err = q.ClaimMail(ctx, ref, leaseTime); err != nil {
		return m, err
	}
	n := &lane{}
	defer n.close()
	o, _, err := q.deliver(ctx, n, to, &m)
	if err == nil {
		err = q.SettleMail(context.WithoutCancel(ctx), o)
	}
	if err != nil {
		return m, err
	}
	return q.Service.Mail(ctx, app.Operator(0), ref)
}

// ErrNoServer is returned if there is no mail server for a mail.
var ErrNoServer = errors.New("no mail server is set up: mails wait in the log; give serve --smtp-url, " +
	"or set one in the workspace's settings")
