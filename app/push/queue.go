package push

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
	"daybook/app/work"
)

// follower is this subject's name among those who follow the history of all bookings.
const follower = "push"

// life is how long a notification is of use: it is given up then, here and at the push service.
const life = 4 * time.Hour

// Message is a notification that waits to be sent to a device.
type Message struct {
	ID           MessageID
	Subscription Subscription
	Booking      booking.BookingID // 0: of a test, or that somebody wrote
	Kind         Kind
	Start        when.Instant // of the booking, when it was written
	DueAt        when.Instant // of a claim: when its lease ends
	Until        when.Instant // when it is given up
	Tries        int
}

// MessageID identifies a message.
type MessageID = id.ID[MessageIDKind]

// MessageIDKind gives ids of messages their prefix.
type MessageIDKind struct{ id.Many }

func (MessageIDKind) Prefix() string { return "pm_" }

// Queue fills the queue of messages, claims and settles them.
type Queue interface {
	QueuePushMessage(m *Message) error
	// ClaimPushMessages claims at most limit due messages for a server until lease.
	ClaimPushMessages(by work.Share, now, lease when.Instant, limit int) ([]Message, error)
	// DropPushMessage deletes a claimed message: it was sent, or given up.
	DropPushMessage(m *Message) error
	// DelayPushMessage makes a claimed message wait until next, and counts the attempt.
	DelayPushMessage(m *Message, next when.Instant) error
	// ReleasePushMessage gives back a claimed message that was not tried, due now.
	ReleasePushMessage(m *Message, now when.Instant) error
}

// WriteMessages queues the messages for at most limit changes of bookings, and returns how many changes it looked at.
// While nobody has subscribed, it reads nothing.
func (s *Service) WriteMessages(ctx context.Context, limit int) (int, error) {
	if some, err := s.Reader(ctx).HasPushSubscriptions(); err != nil || !some {
		return 0, err
	}
	f := app.Follower{Name: follower, Batch: limit, Plan: s.plan}
	return f.Step(ctx, s.Core)
}

func (s *Service) plan(ctx context.Context, changes []app.Followed) (func(app.Tx) error, error) {
	all, err := s.Foretell(ctx, changes)
	return func(tx app.Tx) error {
		for i := range all {
			if err := tx.(Tx).QueuePushMessage(&all[i]); err != nil {
				return err
			}
		}
		return nil
	}, err
}

// Foretell returns the messages that the changes would cause, without queueing them.
func (s *Service) Foretell(ctx context.Context, changes []app.Followed) (all []Message, err error) {
	now, known := s.Core.Now(), app.Memo{}
	for i := range changes {
		c := &changes[i]
		if when.At(now) >= c.At.Add(life) {
			continue
		}
		told, err := s.toldOf(ctx, c, known, now)
		if errors.Is(err, fault.ErrNotFound) { // deleted meanwhile
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, told...)
	}
	return all, nil
}

// toldOf returns the messages that one change carries.
func (s *Service) toldOf(ctx context.Context, c *app.Followed, known app.Memo, now time.Time) (all []Message, err error) {
	r := s.Reader(ctx)
	if kinds[c.News()] == "" {
		return nil, nil
	}
	subs, err := r.PushSubscriptions(c.Workspace, app.Every)
	if err != nil || len(subs) == 0 {
		return nil, err
	}
	b, err := r.BookingByID(c.Booking)
	if err != nil {
		return nil, err
	}
	notice, err := s.notice(ctx, c, &b, known)
	if err != nil {
		return nil, err
	}
	for _, sub := range subs {
		news := notice.Of(sub.concerns)
		if len(news) == 0 {
			continue
		}
		all = append(all, Message{ID: id.New[MessageIDKind](now), Subscription: sub, Booking: c.Booking,
			Kind: kinds[news[0].News], Start: news[0].Change.Start, DueAt: when.At(now), Until: c.At.Add(life)})
	}
	return all, nil
}

// TellOfMessage queues, in the transaction in which a customer's text is saved, the notifications of the members who read
// such texts.
func TellOfMessage(in app.Tx, ws catalog.WorkspaceID, now when.Instant) error {
	tx := in.(Tx)
	subs, err := tx.PushSubscriptions(ws, app.Every)
	for i := range subs {
		if err != nil {
			return err
		}
		if !subs[i].Wants(Wrote) || subs[i].User.Actor().May(app.MaySeeContacts) != nil {
			continue
		}
		err = tx.QueuePushMessage(&Message{ID: id.New[MessageIDKind](now.Time()), Subscription: subs[i], Kind: Wrote, DueAt: now,
			Until: now.Add(life)})
	}
	return err
}

// notice returns what the team is told of a change of the booking.
func (s *Service) notice(ctx context.Context, c *app.Followed, b *booking.Booking, known app.Memo) (n app.TeamNotice, err error) {
	var v *app.VisitHistory
	switch {
	case c.WithSeries && b.Series != nil:
		v, err = app.AskOnce(known, b.Series.ID, func() (*app.VisitHistory, error) { return s.Core.SeriesHistory(ctx, b) })
		if err != nil {
			return n, err
		}
	case b.InVisit():
		v, err = app.AskOnce(known, b.Visit.ID, func() (*app.VisitHistory, error) { return s.Core.VisitHistory(ctx, b) })
		if err != nil {
			return n, err
		}
	}
	return c.TeamNotice(s.Reader(ctx), b, v)
}

// concerns reports whether the member hears of it on this device.
func (s *Subscription) concerns(n *app.TeamNews) bool {
	kind := kinds[n.News]
	return kind != "" && s.Wants(kind) && n.Tells(&s.User)
}

// kinds are what members can ask to hear of.
var kinds = map[app.News]Kind{app.NewsBooked: New, app.NewsAsked: New, app.NewsMoved: Moved, app.NewsCancelled: Cancelled,
	app.NewsNotComing: NotComing}

// LoopConfig is what a Loop is made of.
type LoopConfig struct {
	Service *Service
	Logger  *slog.Logger
	Trust   *tls.Config // nil is the machine's
}

// Loop writes the notifications of changes and sends what is due. Several servers of a database may each run one.
type Loop = work.Single[Message, Outcome]

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
	s := &sender{c.Service, c.Logger, newClient(c.Service.law(), &http.Transport{TLSClientConfig: c.Trust})}
	return work.NewSingle(s, work.Options{Name: "push", Timeout: attemptTime, Slack: leaseTime - attemptTime,
		Grace: attemptTime, PerLane: atOnce, Fill: c.Service.WriteMessages, Logger: c.Logger})
}

// sender is the queue of messages as the loop works it.
type sender struct {
	*Service
	log    *slog.Logger
	client *http.Client
}

func (s *sender) HasDue(ctx context.Context, of work.Buckets, now when.Instant) (bool, error) {
	return s.Reader(ctx).HasDuePushMessages(of, now)
}

func (s *sender) Claim(ctx context.Context, by work.Share, now, lease when.Instant, limit int) (all []Message, err error) {
	err = s.Quietly(ctx, func(tx Tx) (err error) {
		all, err = tx.ClaimPushMessages(by, now, lease, limit)
		return err
	})
	return all, err
}

func (s *sender) Do(ctx context.Context, m *Message) Outcome {
	o, err := s.send(ctx, m)
	if err != nil {
		s.log.Error("notification can't be written", "message", m.ID.String(), "error", err)
		return Outcome{Again: true}
	}
	return o
}

func (s *sender) Settle(ctx context.Context, all []work.Settled[Message, Outcome]) error {
	return s.Quietly(ctx, func(tx Tx) error {
		for _, one := range all {
			if err := s.settle(tx, one.Job, one.Outcome); err != nil {
				return err
			}
		}
		return nil
	})
}

// pauses are how long a message waits after its first, second, … failure; the last one holds until it is given up.
var pauses = []time.Duration{10 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour}

// settle saves what became of a claim. A lease that was lost to another is left alone.
func (s *Service) settle(tx Tx, m *Message, o *Outcome) error {
	now := when.At(s.Core.Now())
	if o == nil {
		return tx.ReleasePushMessage(m, now)
	}
	next := now.Add(max(o.After, pauses[min(m.Tries, len(pauses)-1)]))
	switch {
	case o.Gone:
		return tx.DeletePushSubscription(m.Subscription.ID)
	case o.Sent, !o.Again, next >= m.Until:
		if o.Why != m.Subscription.Failed {
			if err := tx.SetPushFailed(m.Subscription.ID, o.Why); err != nil {
				return err
			}
		}
		return tx.DropPushMessage(m)
	}
	return tx.DelayPushMessage(m, next)
}

// Outcome is what a push service did with a message.
type Outcome struct {
	Sent  bool
	Gone  bool          // the device is forgotten there
	Again bool          // worth another try
	After time.Duration // before which the push service wants no other try
	Why   string        // it was refused, in words for the member
}

// Note is what a device shows.
type Note struct {
	Title string `json:"title"`
	Body  string `json:"body"`
	URL   string `json:"url"` // where a tap leads, a path
	Tag   string `json:"tag"` // a later notification with it takes this one's place
	Lang  string `json:"lang"`
}
