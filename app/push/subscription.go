package push

import (
	"context"
	"crypto/ecdh"
	"encoding/base64"
	"net/url"
	"strings"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// Kind is a kind of change of a booking of which a member can be notified.
type Kind string

const (
	New       Kind = "new" // booked, or asked for
	Moved     Kind = "moved"
	Cancelled Kind = "cancelled"
	NotComing Kind = "not_coming" // the customer says so; chosen with Cancelled
	Wrote     Kind = "message"    // a customer wrote a text, of no booking; chosen with New
	Call      Kind = "call"       // nothing told a customer of a change, so that somebody calls; chosen with Cancelled
	Test      Kind = "test"       // asked for by the member, of no booking
)

// Kinds lists the kinds that a member can choose, in the order of their bits in the database.
var Kinds = []Kind{New, Moved, Cancelled}

// Wishes says of which bookings and changes a member is notified on a device.
type Wishes struct {
	Kinds []Kind
	Names bool // the customer's name stands in the notification, which others can read on a locked phone
}

// Wants reports whether the kind was chosen. A test always is.
func (w Wishes) Wants(k Kind) bool {
	for _, chosen := range w.Kinds {
		if chosen == k || chosen == Cancelled && (k == NotComing || k == Call) || chosen == New && k == Wrote {
			return true
		}
	}
	return k == Test
}

// Subscription is a device on which a member gets notifications.
type Subscription struct {
	ID          SubscriptionID
	WorkspaceID catalog.WorkspaceID
	Session     []byte   // hash of the sign-in that it ends with
	User        app.User // whose sign-in that is
	Agent       string   // the browser, as it names itself
	Endpoint    string   // where its push service takes messages
	P256dh      string   // the device's public key, base64url
	Auth        string   // a secret shared with the device, base64url
	Locale      string   // of the notifications
	Wishes
	Failed string // why the push service refused the last message; ""
}

// SubscriptionID identifies a subscription.
type SubscriptionID = id.ID[SubscriptionIDKind]

// SubscriptionIDKind gives ids of subscriptions their prefix.
type SubscriptionIDKind struct{ id.Few }

func (SubscriptionIDKind) Prefix() string { return "ps_" }

// Input is the PushSubscription of a browser, and what the member wants to be notified of.
type Input struct {
	Endpoint, P256dh, Auth string
	Locale                 string
	Wishes
}

// maxDevices is how many subscriptions a member may have.
const maxDevices = 20

// Subscribe adds the browser that is signed in by session, or changes its subscription. It asks DNS. Errors: forbidden,
// bad_request, conflict too_many_devices.
func (s *Service) Subscribe(ctx context.Context, a app.Actor, session []byte, in Input) error {
	if err := a.May(app.MaySeeSessions); err != nil {
		return err
	}
	if err := s.check(ctx, &in); err != nil {
		return err
	}
	now := s.Core.Now()
	sub := Subscription{ID: id.New[SubscriptionIDKind](now), WorkspaceID: a.Workspace, Session: session,
		Endpoint: in.Endpoint, P256dh: in.P256dh, Auth: in.Auth, Locale: in.Locale, Wishes: in.Wishes}
	return s.Write(ctx, func(tx Tx) error {
		if err := tx.LockWorkspace(a.Workspace); err != nil {
			return err
		}
		some, err := tx.HasPushSubscriptions()
		if err != nil {
			return err
		}
		mine, err := tx.PushSubscriptionsOf(a.Workspace, a.User, maxDevices)
		if err != nil {
			return err
		}
		known := false
		for i := range mine {
			known = known || mine[i].Endpoint == in.Endpoint
		}
		if len(mine) == maxDevices && !known {
			return fault.Conflictf("too_many_devices", "You have %d devices with notifications. Remove one first.", maxDevices)
		}
		if err := tx.SavePushSubscription(&sub); err != nil || some {
			return err
		}
		return tx.FollowFromNow(follower)
	})
}

// check refuses what no push service can have given.
func (s *Service) check(ctx context.Context, in *Input) error {
	u, err := url.Parse(in.Endpoint)
	if err != nil || u.Host == "" || u.User != nil || len(in.Endpoint) > 2000 {
		return fault.Invalid("endpoint", "must be the address that the browser gave, of at most 2000 characters")
	}
	if u.Scheme != "https" {
		return fault.Invalid("endpoint", "must begin with https://")
	}
	law := s.law()
	if _, err := law.CheckHost(ctx, u.Hostname(), true); err != nil {
		return fault.Invalid("endpoint", "%v", err)
	}
	key, err := decode(in.P256dh)
	if err == nil {
		_, err = ecdh.P256().NewPublicKey(key)
	}
	if err != nil {
		return fault.Invalid("p256dh", "must be a point of the curve P-256 in base64url")
	}
	if secret, err := decode(in.Auth); err != nil || len(secret) != 16 {
		return fault.Invalid("auth", "must be 16 bytes in base64url")
	}
	if in.Locale, err = fault.CheckLocale("locale", in.Locale); err != nil {
		return err
	}
	return in.Wishes.check()
}

func (w Wishes) check() error {
	for _, k := range w.Kinds {
		if k == Test || bit(k) == 0 {
			return fault.Invalid("kinds", "must be of new, moved, cancelled")
		}
	}
	return nil
}

func decode(text string) ([]byte, error) {
	return base64.RawURLEncoding.DecodeString(strings.TrimRight(text, "="))
}

// Bits returns the chosen kinds as they are stored.
func (w Wishes) Bits() (bits int64) {
	for _, k := range w.Kinds {
		bits |= bit(k)
	}
	return bits
}

func bit(k Kind) int64 {
	for i, known := range Kinds {
		if known == k {
			return 1 << i
		}
	}
	return 0
}

// KindsOf returns the kinds of stored bits.
func KindsOf(bits int64) (all []Kind) {
	for i, k := range Kinds {
		if bits>>i&1 == 1 {
			all = append(all, k)
		}
	}
	return all
}

// Subscriptions lists the actor's own devices, the newest first. Errors: forbidden.
func (s *Service) Subscriptions(ctx context.Context, a app.Actor) ([]Subscription, error) {
	if err := a.May(app.MaySeeSessions); err != nil {
		return nil, err
	}
	return s.Reader(ctx).PushSubscriptionsOf(a.Workspace, a.User, maxDevices)
}

// Choose saves of what the actor wants to be notified on one of their devices. Errors: forbidden, not_found,
// bad_request.
func (s *Service) Choose(ctx context.Context, a app.Actor, ref string, w Wishes) error {
	if err := w.check(); err != nil {
		return err
	}
	return s.own(ctx, a, ref, func(tx Tx, sub *Subscription) error { return tx.SetPushWishes(sub.ID, w) })
}

// Unsubscribe removes one of the actor's devices. Errors: forbidden, not_found.
func (s *Service) Unsubscribe(ctx context.Context, a app.Actor, ref string) error {
	return s.own(ctx, a, ref, func(tx Tx, sub *Subscription) error { return tx.DeletePushSubscription(sub.ID) })
}

// Try sends a test notification to one of the actor's devices, unless one is waiting already. Errors:
// forbidden, not_found.
func (s *Service) Try(ctx context.Context, a app.Actor, ref string) error {
	return s.own(ctx, a, ref, func(tx Tx, sub *Subscription) error {
		now := s.Core.Now()
		return tx.QueuePushMessage(&Message{ID: id.New[MessageIDKind](now), Subscription: *sub, Kind: Test,
			DueAt: when.At(now), Until: when.At(now).Add(life)})
	})
}

// own calls do with a device of the actor's.
func (s *Service) own(ctx context.Context, a app.Actor, ref string, do func(Tx, *Subscription) error) error {
	if err := a.May(app.MaySeeSessions); err != nil {
		return err
	}
	missing := fault.Missing("device", ref)
	wanted, err := id.Parse[SubscriptionIDKind](ref)
	if err != nil {
		return missing
	}
	return s.Write(ctx, func(tx Tx) error {
		mine, err := tx.PushSubscriptionsOf(a.Workspace, a.User, maxDevices)
		for i := range mine {
			if mine[i].ID == wanted {
				return do(tx, &mine[i])
			}
		}
		if err != nil {
			return err
		}
		return missing
	})
}
