package push

import (
	"context"
	"errors"
	"net/netip"

	"github.com/SherClockHolmes/webpush-go"

	"daybook/app"
	"daybook/app/address"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
	"daybook/app/work"
)

// Reader is what the Service reads from the store.
type Reader interface {
	app.Reader
	Reads
}

// Tx is what the Service uses of a transaction.
type Tx interface {
	app.Tx
	Reads
	Writes
}

// Config says how push services are reached.
type Config struct {
	Allow []netip.Prefix // networks that they may be in besides the public internet
}

// Service holds the rules of the subject: which members are notified of which bookings, on which devices.
type Service struct {
	app.Subject[Reader, Tx]
	config Config
}

// NewService returns the Service over a core.
func NewService(core *app.Service, c Config) *Service {
	s := &Service{app.Subject[Reader, Tx]{Core: core}, c}
	core.AddDuties(app.Duties{Secrets: s.eachKey})
	return s
}

// In returns the Service within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service {
	return &Service{app.Subject[Reader, Tx]{Core: s.Core.In(tx)}, s.config}
}

func (s *Service) law() *address.Law {
	return &address.Law{Allow: s.config.Allow, Option: "--webhook-allow"}
}

// PublicKey returns the key by which push services know the workspace's messages (VAPID's applicationServerKey), in
// base64url. It is made at the first call. Errors: forbidden.
func (s *Service) PublicKey(ctx context.Context, a app.Actor) (public string, err error) {
	if err := a.May(app.MaySeeSessions); err != nil {
		return "", err
	}
	if k, err := s.Reader(ctx).PushKey(a.Workspace); !errors.Is(err, fault.ErrNotFound) {
		return k.Public, err
	}
	private, public, err := webpush.GenerateVAPIDKeys()
	if err != nil {
		return "", err
	}
	made := Key{Public: public, Private: s.Core.Vault().Seal([]byte(private))}
	err = s.Write(ctx, func(tx Tx) error {
		if err := tx.LockWorkspace(a.Workspace); err != nil {
			return err
		}
		k, err := tx.PushKey(a.Workspace)
		if !errors.Is(err, fault.ErrNotFound) { // another request was faster
			public = k.Public
			return err
		}
		return tx.SetPushKey(a.Workspace, made)
	})
	return public, err
}

func (s *Service) eachKey(reader app.Reader, change app.Tx, look app.LookAtSecret) error {
	r := reader.(Reader)
	tx, _ := change.(Tx) // nil when nothing is to be changed
	workspaces, err := r.Workspaces(app.Every)
	if err != nil {
		return err
	}
	for _, w := range workspaces {
		k, err := r.PushKey(w.ID)
		if errors.Is(err, fault.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		if changed, err := look(&k.Private); err != nil {
			return err
		} else if changed {
			if err := tx.SetPushKey(w.ID, k); err != nil {
				return err
			}
		}
	}
	return nil
}

// Key identifies a workspace to push services.
type Key struct {
	Public  string
	Private string // sealed
}

// Reads finds subscriptions and messages.
type Reads interface {
	// PushKey returns the workspace's key. Errors: ErrNotFound.
	PushKey(ws catalog.WorkspaceID) (Key, error)
	// HasPushSubscriptions reports whether anybody in the database has subscribed.
	HasPushSubscriptions() (bool, error)
	// PushSubscriptions lists the subscriptions of a workspace's members, the newest first.
	PushSubscriptions(ws catalog.WorkspaceID, limit int) ([]Subscription, error)
	// PushSubscriptionsOf lists the subscriptions of a member, the newest first.
	PushSubscriptionsOf(ws catalog.WorkspaceID, u app.UserID, limit int) ([]Subscription, error)
	// HasDuePushMessages reports whether any message of workspaces in those buckets is due.
	HasDuePushMessages(of work.Buckets, now when.Instant) (bool, error)
}

// Writes writes subscriptions, and the queue of messages.
type Writes interface {
	SetPushKey(ws catalog.WorkspaceID, k Key) error
	// SavePushSubscription adds a subscription, or replaces the one with the same endpoint in the workspace.
	SavePushSubscription(sub *Subscription) error
	SetPushWishes(id SubscriptionID, w Wishes) error
	// SetPushFailed notes why the push service refused a message; "" clears it.
	SetPushFailed(id SubscriptionID, why string) error
	// DeletePushSubscription deletes it with its messages.
	DeletePushSubscription(id SubscriptionID) error
	// FollowFromNow makes the follower begin after the newest entry of the history.
	FollowFromNow(follower string) error
	Queue
}
