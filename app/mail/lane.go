package mail

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/mail/smtp"
	"daybook/app/sandbox"
	"daybook/app/when"
)

const (
	leaseTime  = 5 * time.Minute
	claimAtOne = 5 // mails: all of them, each as slow as can be, end within the lease
)

// pauses are how long a mail waits after its first, second, … failure; the last holds until it is given up.
var pauses = []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 2 * time.Hour, 4 * time.Hour}

// pause is the wait after a failure, ±10 %.
func pause(tries int) time.Duration {
	p := pauses[min(tries, len(pauses)-1)]
	return p + time.Duration((rand.Float64()-.5)*.2*float64(p))
}

// lane is the way through one mail server: one session, one mail after the other.
type lane struct {
	l         *Loop
	workspace catalog.WorkspaceID // whose server it is; 0: the one of all who have none
	conn      *smtp.Connection
}

// run sends what is due until nothing is, or the server fails.
func (n *lane) run(ctx context.Context) error {
	defer n.close()
	for ctx.Err() == nil {
		claimer := n.l.service.Share().Server
		mails, err := n.l.service.ClaimMails(ctx, n.workspace, leaseTime, claimAtOne)
		if err != nil || len(mails) == 0 {
			return err
		}
		server, err := n.server(ctx)
		for i := range mails {
			if err == nil && ctx.Err() == nil && n.l.service.Share().Server == claimer {
				err = n.deliver(ctx, server, &mails[i])
				if err == nil {
					continue
				}
				i++
			}
			return errors.Join(n.release(ctx, mails[i:]), fatal(err))
		}
	}
	return nil
}

// fatal is err unless that is the mail server's, which is no fault of the loop.
func fatal(err error) error {
	var f *smtp.Failure
	if errors.As(err, &f) {
		return nil
	}
	return err
}

func (n *lane) server(ctx context.Context) (*smtp.Server, error) {
	if n.workspace == 0 {
		return n.l.server, nil
	}
	s, err := n.l.service.OwnServer(ctx, n.workspace)
	switch {
	case ctx.Err() != nil:
		return nil, &smtp.Failure{Text: "Daybook is stopping", Down: true}
	case err != nil:
		n.l.log.Error("a workspace's mail server can't be read", "workspace", n.workspace.String(), "error", err)
		return nil, &smtp.Failure{Text: err.Error(), Down: true}
	case s == nil:
		return nil, &smtp.Failure{Text: "the mail server was taken away", Down: true}
	}
	return s, nil
}

// release gives back claims that were not tried: they wait as long as after a first failure.
func (n *lane) release(ctx context.Context, mails []Mail) error {
	next := when.At(n.l.service.Core.Now())
	if ctx.Err() == nil {
		next = next.Add(pause(0))
	}
	for i := range mails {
		o := Outcome{ID: mails[i].ID, Lease: mails[i].Lease, Released: true, Next: next}
		if err := n.l.service.SettleMail(context.WithoutCancel(ctx), o); err != nil {
			return err
		}
	}
	return nil
}

// deliver sends one claimed mail and settles it. Its error ends the lane: the mail server's, or the database's. When
// ctx ends, the mail that is under way still gets a moment to be sent.
func (n *lane) deliver(ctx context.Context, server *smtp.Server, m *Mail) error {
	o := Outcome{ID: m.ID, Lease: m.Lease, State: Sent}
	var down error
	about, err := n.l.service.MailSubject(context.WithoutCancel(ctx), m)
	switch {
	case err == fault.ErrNotFound: // the workspace was deleted meanwhile, and its mails are about to be
		return nil
	case err != nil:
		return err
	case about.Later != 0:
		o.Released, o.Next = true, about.Later
	case about.Dropped != "":
		o.State, o.Answer = Dropped, about.Dropped
	default:
		down = n.attempt(ctx, server, m, &about, &o)
	}
	if err := n.l.service.SettleMail(context.WithoutCancel(ctx), o); err != nil {
		return err
	}
	if o.State != Sent && !o.Released {
		n.l.log.Warn("mail not sent", "mail", m.ID.String(), "kind", string(m.Kind), "state", string(o.State),
			"answer", o.Answer)
	}
	return down
}

// attempt tries to send the mail and puts what came of it into o. Its error means that the server can't be used now.
func (n *lane) attempt(
	ctx context.Context, server *smtp.Server, m *Mail, about *Subject, o *Outcome,
) error {
	about.Sends = true
	message, err := ComposeAbout(context.WithoutCancel(ctx), n.l.service, m, about, server.From)
	if err != nil {
		n.l.log.Error("mail can't be written", "mail", m.ID.String(), "error", err)
		o.State, o.Answer = Failed, "this mail can't be written"
		return nil
	}
	if sandbox.Is(m.WorkspaceID) {
		o.Answer = "not sent: a test of the server"
		return nil
	}
	err = n.hand(ctx, server, message)
	if err == nil {
		o.Answer = "accepted by " + server.Address()
		return nil
	}
	f := err.(*smtp.Failure)
	o.Answer = f.Text
	now := when.At(n.l.service.Core.Now())
	if o.Next = now.Add(pause(m.Tries)); f.Final || o.Next >= m.Until {
		o.State = Failed
	} else {
		o.State = Waiting
	}
	if f.Down {
		return f
	}
	return nil
}

// hand gives the message to the server, over the session that is open, or a new one when that has ended meanwhile.
func (n *lane) hand(ctx context.Context, server *smtp.Server, m *smtp.Message) error {
	body, err := smtp.Written(m)
	if err != nil {
		return err
	}
	if n.conn != nil && !n.conn.Reset() {
		n.close()
	}
	if n.conn == nil {
		c, err := smtp.Connect(ctx, server, n.l.trust)
		if err != nil {
			return err
		}
		n.conn = c
	}
	err = n.conn.Send(ctx, m, body)
	if f := (*smtp.Failure)(nil); errors.As(err, &f) && f.Down {
		n.conn.Drop()
		n.conn = nil
	}
	return err
}

func (n *lane) close() {
	if n.conn != nil {
		n.conn.Quit()
		n.conn = nil
	}
}
