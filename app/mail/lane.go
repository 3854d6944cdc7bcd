package mail

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/mail/smtp"
	"daybook/app/when"
)

// pauses are how long a mail waits after its first, second, … failure; the last holds until it is given up.
var pauses = []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 2 * time.Hour, 4 * time.Hour}

// pause returns the wait after a failure, ±10 %.
func pause(tries int) time.Duration {
	p := pauses[min(tries, len(pauses)-1)]
	return p + time.Duration((rand.Float64()-.5)*.2*float64(p))
}

// idleTime is how long a session stays open without a mail.
const idleTime = time.Second

// lane is the way through one mail server: one session, one mail after the other.
type lane struct {
	mu   sync.Mutex
	conn *smtp.Connection
	idle *time.Timer // ends the session
}

func (q *queue) lane(ws catalog.WorkspaceID) *lane {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := q.lanes[ws]
	if n == nil {
		n = &lane{}
		q.lanes[ws] = n
	}
	return n
}

// close ends the sessions of all lanes.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, n := range q.lanes {
		n.close()
	}
}

// deliver sends one claimed mail. down tells that the mail server can't be used now. The error is the database's. When
// ctx ends, the mail that is under way still gets a moment to be sent.
func (q *queue) deliver(ctx context.Context, n *lane, to *smtp.Server, m *Mail) (o Outcome, down bool, err error) {
	o = Outcome{ID: m.ID, Lease: m.Lease, State: Sent}
	about, err := q.MailSubject(context.WithoutCancel(ctx), m)
	switch {
	case errors.Is(err, fault.ErrNotFound): // the workspace was deleted meanwhile, and its mails are about to be
		return q.Release(&job{Mail: *m}, true), false, nil
	case err != nil:
		return o, false, err
	case about.Later != 0:
		o.Released, o.Next = true, about.Later
	case about.Dropped != "":
		o.State, o.Answer = Dropped, about.Dropped
	default:
		o.asked, o.gave = m.asked(&about, when.At(q.Now())), about.gave
		down = q.attempt(ctx, n, to, m, &about, &o)
		if o.State != Waiting { // until then it is decided again
			o.Told = about.Told
		}
	}
	if o.State != Sent && !o.Released {
		level := slog.LevelWarn
		if o.State == Dropped { // nothing is wrong: it is no longer true
			level = slog.LevelInfo
		}
		q.Logger.Log(context.WithoutCancel(ctx), level, "mail not sent", "mail", m.ID.String(), "kind", string(m.Kind), "state", string(o.State),
			"answer", o.Answer)
	}
	return o, down, nil
}

// attempt tries to send the mail and puts what came of it into o. It reports whether the server can't be used now.
func (q *queue) attempt(ctx context.Context, n *lane, to *smtp.Server, m *Mail, about *Subject, o *Outcome) (down bool) {
	about.Sends = true
	message, err := ComposeAbout(context.WithoutCancel(ctx), q.Service, m, about, to.From)
	if err != nil {
		q.Logger.Error("mail can't be written", "mail", m.ID.String(), "error", err)
		o.State, o.Answer = Failed, "this mail can't be written"
		return false
	}
	err = n.hand(ctx, to, q.Trust, message)
	if err == nil {
		o.Answer = "accepted by " + to.Address()
		return false
	}
	f := err.(*smtp.Failure)
	o.Answer = f.Text
	now := when.At(q.Now())
	if o.Next = now.Add(pause(m.Tries)); f.Final || o.Next >= m.Until {
		o.State = Failed
	} else {
		o.State = Waiting
	}
	return f.Down
}

// hand gives the message to the server, over the session that is open, or a new one when that has ended meanwhile.
func (n *lane) hand(ctx context.Context, to *smtp.Server, trust *tls.Config, m *smtp.Message) error {
	body, err := smtp.Written(m)
	if err != nil {
		return err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.conn != nil && !n.conn.Reset() {
		n.quit()
	}
	if n.conn == nil {
		c, err := smtp.Connect(ctx, to, trust)
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
	if n.idle != nil {
		n.idle.Stop()
	}
	n.idle = time.AfterFunc(idleTime, n.close)
	return err
}

func (n *lane) close() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.quit()
}

func (n *lane) quit() {
	if n.conn != nil {
		n.conn.Quit()
		n.conn = nil
	}
}
