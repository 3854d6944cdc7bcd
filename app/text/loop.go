package text

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/mail"
	"daybook/app/text/sms"
	"daybook/app/when"
	"daybook/app/work"
)

// LoopConfig is what a Loop is made of.
type LoopConfig struct {
	Service *Service
	Logger  *slog.Logger
}

// Loop sends what is due. Several servers of a database may each run one.
type Loop = work.Loop[catalog.WorkspaceID, job, Outcome]

const (
	attemptTime = 30 * time.Second // the longest that a text may take: reading, asking and sending
	leaseTime   = time.Minute
	atOnce      = 4 // texts of a workspace that are sent at a time
)

// NewLoop makes a Loop. Give its Wake to Service.OnCommit. When it ends, requests under way may take until their timeout.
func NewLoop(c LoopConfig) *Loop {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return work.New(&queue{c.Service, c.Logger}, work.Options{Name: "text", Timeout: attemptTime, Slack: leaseTime - attemptTime,
		Grace: attemptTime, PerLane: atOnce, Logger: c.Logger})
}

// queue is the queue of texts. A lane is the sender of a workspace, so that a slow one delays no other's texts.
type queue struct {
	*Service
	log *slog.Logger
}

// job is a claimed text, and the sender that it goes to.
type job struct {
	Text
	sender *sms.Sender // nil where there is none any more
	err    error       // set where it can't be read
}

// Outcome is the result of one claim.
type Outcome struct {
	Text     *Text
	State    State
	Next     when.Instant // waiting: when to try again
	Until    when.Instant // waiting in quiet time: when it is given up then; 0 is as before
	Answer   string
	SenderID string
	Stopped  bool        // the sender says that the number wants no more texts
	Released bool        // there was no attempt: only Next and Until count
	Back     bool        // the sender doesn't have it: its segments don't count, and it may be sent again
	Told     *mail.Facts // as it was told, where dates were left out; nil is as it was queued
	asked    *mail.Mail  // what says the same, where it asks whether the person comes
}

// Waiting lists the workspaces with due texts.
func (q *queue) Waiting(ctx context.Context) (all []work.Waiting[catalog.WorkspaceID], err error) {
	due, err := q.Reader(ctx).DueTexts(q.Share().Buckets, when.At(q.Now()))
	for _, ws := range due {
		all = append(all, work.Waiting[catalog.WorkspaceID]{Lane: ws})
	}
	return all, err
}

// Claim claims due texts.
func (q *queue) Claim(ctx context.Context, claims []work.Claim[catalog.WorkspaceID], lease time.Duration) (
	all []work.Batch[catalog.WorkspaceID, job], err error) {
	mine := q.Share()
	if mine.Server == 0 {
		return nil, nil
	}
	for _, c := range claims {
		var texts []Text
		err := q.Quietly(ctx, func(tx Tx) (err error) {
			now := when.At(q.Now())
			texts, err = tx.ClaimTexts(mine, c.Lane, now, now.Add(lease), c.Limit)
			return err
		})
		if err != nil && len(all) == 0 {
			return nil, err
		}
		if len(texts) == 0 { // an error comes again
			continue
		}
		b := work.Batch[catalog.WorkspaceID, job]{Lane: c.Lane, Server: mine.Server, Lease: texts[0].Lease}
		sender, err := q.sender(ctx, c.Lane)
		if err != nil && ctx.Err() == nil {
			q.log.Error("a workspace's sender of texts can't be read", "workspace", c.Lane.String(), "error", err)
		}
		for i := range texts {
			b.Jobs = append(b.Jobs, job{texts[i], sender, err})
		}
		all = append(all, b)
	}
	return all, nil
}

// Order has the texts to a number go one after the other.
func (q *queue) Order(j *job) int64 {
	sum := sha256.Sum256([]byte(j.To))
	return int64(binary.BigEndian.Uint64(sum[:])>>1) | 1
}

// Release gives back a text that was not tried.
func (q *queue) Release(j *job, down bool) Outcome {
	o := Outcome{Text: &j.Text, State: Waiting, Released: true, Next: when.At(q.Now())}
	if down {
		o.Next = o.Next.Add(pauses[0])
	}
	return o
}

// pauses are how long a text waits after its first, second, … failure; the last one holds until it is given up.
var pauses = []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour}

// Do sends a text, or, where the sender may have it since before a crash, asks for it.
func (q *queue) Do(ctx context.Context, _ catalog.WorkspaceID, j *job) (o Outcome, down bool) {
	if j.err != nil || ctx.Err() != nil {
		return q.Release(j, ctx.Err() == nil), j.err != nil
	}
	if j.Begun != 0 {
		return q.ask(ctx, j), false
	}
	o, err := q.send(ctx, j)
	if err != nil {
		q.log.Error("text can't be read", "text", j.ID.String(), "error", err)
		return q.Release(j, true), false
	}
	if o.State != Sent && !o.Released {
		level := slog.LevelWarn
		if o.State == Dropped { // nothing is wrong
			level = slog.LevelInfo
		}
		q.log.Log(context.WithoutCancel(ctx), level, "text not sent", "text", j.ID.String(), "kind", string(j.Kind), "state",
			string(o.State), "answer", o.Answer)
	}
	return o, false
}

// send writes the text as it is true now, begins it and hands it to the sender. The error is the database's.
func (q *queue) send(ctx context.Context, j *job) (o Outcome, err error) {
	t := &j.Text
	o = Outcome{Text: t}
	drop := func(why string) (Outcome, error) {
		o.State, o.Answer = Dropped, why
		return o, nil
	}
	about, err := q.about(context.WithoutCancel(ctx), t)
	switch {
	case errors.Is(err, fault.ErrNotFound): // the workspace was deleted meanwhile
		return q.Release(j, true), nil
	case err != nil:
		return o, err
	case about.Later != 0:
		o = q.Release(j, false)
		o.Next = about.Later
		return o, nil
	case about.Dropped != "":
		return drop(about.Dropped)
	case j.sender == nil:
		return drop(whySender)
	}
	why, err := q.latest(ctx, t, about)
	if err != nil {
		return o, err
	}
	if why != "" {
		return drop(why)
	}
	t.Facts.Asks = t.Facts.Mail == catalog.MailReminder && about.mail.Asks(&about.Subject, when.At(q.Now()))
	words, err := q.words(context.WithoutCancel(ctx), t, about, j.sender)
	if err != nil {
		return o, err
	}
	v, err := q.begin(context.WithoutCancel(ctx), t, about, words)
	switch {
	case err != nil:
		return o, err
	case v.lost:
		return q.Release(j, false), nil
	case v.why != "":
		return drop(v.why)
	case v.waits != 0:
		o = q.Release(j, false)
		o.Next, o.Until = v.waits, v.waits.Add(life)
		if t.Kind == catalog.TextReminder {
			o.Until = halfway(v.waits, about.start())
		}
		return o, nil
	}
	o.Told = about.Told
	if t.Facts.Asks {
		o.asked = &about.mail
	}
	q.read(&o, j, q.client.Send(context.WithoutCancel(ctx), j.sender, q.message(t, words, j.sender)))
	return o, nil
}

// message is what the sender gets. It is told no callback where that has a secret, of which the hash alone is kept.
func (q *queue) message(t *Text, words string, x *sms.Sender) sms.Message {
	m := sms.Message{To: t.To, Text: words, Reference: t.ID.String()}
	if !x.ByRoute() {
		m.Callback = q.Core.BaseURL() + InboundPath(t.WorkspaceID)
	}
	return m
}

// read writes what the sender said into the outcome.
func (q *queue) read(o *Outcome, j *job, r sms.Result) {
	now := when.At(q.Now())
	o.SenderID, o.Answer, o.Stopped = r.ID, r.Answer, r.Stopped
	o.Next = now.Add(max(r.After, pauses[min(j.Tries, len(pauses)-1)]))
	switch r.State {
	case sms.Taken:
		o.State = Sent
	case sms.Delivered:
		o.State = Delivered
	case sms.Refused:
		o.State, o.Back = Failed, true
	case sms.Failed:
		o.State = Failed
	case sms.Again, sms.Missing:
		o.State, o.Back = Waiting, true
		if o.Next >= j.Until {
			o.State = Failed
		}
	default:
		if o.State = Perhaps; j.sender.Asks() {
			o.State = Waiting // it stays begun, so that the sender is asked
		}
	}
}

// ask finds out what became of a text that the sender may have.
func (q *queue) ask(ctx context.Context, j *job) Outcome {
	o := Outcome{Text: &j.Text, State: Perhaps, Answer: "it was being sent when the server stopped, and the sender can't be asked"}
	if j.sender == nil || !j.sender.Asks() && j.SenderID == "" {
		return o
	}
	r := q.client.Ask(context.WithoutCancel(ctx), j.sender, q.message(&j.Text, "", j.sender), j.SenderID)
	q.read(&o, j, r)
	switch r.State {
	case sms.Again: // it may have it still
		o.Back, o.State = false, Waiting
		if o.Next >= j.Until {
			o.State = Perhaps
		}
	case sms.Missing:
		o.Next = when.At(q.Now())
	case sms.Unknown:
		o.State = Perhaps
	}
	return o
}

// Settle saves what became of texts.
func (q *queue) Settle(ctx context.Context, all []Outcome) error {
	saved := make([]bool, len(all))
	err := q.Quietly(ctx, func(tx Tx) (err error) {
		for i := 0; i < len(all) && err == nil; i++ {
			saved[i], err = q.settle(tx, &all[i])
		}
		return err
	})
	for i := 0; i < len(all) && err == nil; i++ {
		if o := &all[i]; saved[i] {
			q.counted.add(o)
			if o.asked != nil && (o.State == Sent || o.State == Delivered) {
				q.mail.NoteAsked(ctx, o.asked)
			}
		}
	}
	return err
}

// settle saves an outcome unless its claim was lost, and queues the mail in the place of a text that doesn't go.
func (s *Service) settle(tx Tx, o *Outcome) (saved bool, err error) {
	now, t := when.At(s.Core.Now()), o.Text
	if o.Stopped {
		if _, err := tx.LockTextNumber(t.WorkspaceID, t.To); err != nil {
			return false, err
		}
		if err := tx.SetTextStop(t.WorkspaceID, t.To, now); err != nil {
			return false, err
		}
	}
	if saved, err = tx.SettleText(o, now); err != nil || !saved || o.Released {
		return saved, err
	}
	if o.Back {
		begun, err := s.begunMonth(t)
		if err != nil {
			return saved, err
		}
		if err := tx.ReturnSegments(t, begun); err != nil {
			return saved, err
		}
	}
	if o.State == Failed || o.State == Dropped && fallsBack(o.Answer) {
		err = s.fallBack(tx, t, o.Answer, now)
	}
	return saved, err
}

// begunMonth returns the month in which a text was begun, on the clock of its workspace.
func (s *Service) begunMonth(t *Text) (string, error) {
	setup, err := s.Core.Setup(t.WorkspaceID)
	if err != nil {
		return "", err
	}
	return month(t.Begun, setup), nil
}

func month(at when.Instant, setup *catalog.Setup) string {
	return at.Time().In(setup.Zone).Format("2006-01")
}

// fallsBack reports whether a text that was dropped for that reason is replaced by the mail of the same thing. What is no
// longer true isn't.
func fallsBack(why string) bool {
	switch why {
	case whyCap, whyStopped, whyNo, whyCountry, whyNumber, whyOften, whyNight, whySender:
		return true
	}
	return false
}

// fallBack queues the mail of the same thing, or notes that the person is to be called.
func (s *Service) fallBack(tx Tx, t *Text, why string, now when.Instant) error {
	if t.Facts.Email != "" {
		return s.mail.Instead(tx, t.WorkspaceID, t.BookingID, t.Facts.Mail, t.Facts.Email, t.Facts.Told)
	}
	if !mustKnow(t.Facts.Mail) || t.Facts.Own || t.Facts.Mailed {
		return nil
	}
	return s.callInstead(tx, t, why, now)
}

// Counts are how many texts this server has settled since it started. One that fails and is tried again is among Failed each
// time, and in the end among Sent or GivenUp.
type Counts struct {
	Sent, Failed, GivenUp, Dropped, Perhaps atomic.Int64
}

// Counts returns those of this server, which grow.
func (s *Service) Counts() *Counts { return &s.counted }

func (c *Counts) add(o *Outcome) {
	switch {
	case o.Released:
	case o.State == Sent || o.State == Delivered:
		c.Sent.Add(1)
	case o.State == Perhaps:
		c.Perhaps.Add(1)
	case o.State == Failed:
		c.GivenUp.Add(1)
	case o.State == Dropped:
		c.Dropped.Add(1)
	default:
		c.Failed.Add(1)
	}
}
