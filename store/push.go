// The SQL of notifications: keys, subscriptions, and the queue of messages.

package store

import (
	"crypto/sha256"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/push"
	"daybook/app/when"
	"daybook/app/work"
	"daybook/store/engine"
)

// What package push reads and writes is here.
var (
	_ push.Reader = queries{}
	_ push.Reader = tx{}
	_ push.Tx     = tx{}
)

func (q queries) PushKey(ws catalog.WorkspaceID) (k push.Key, err error) {
	err = q.Scan(`SELECT public, private FROM push_keys WHERE workspace_id = ?`, []any{ws}, &k.Public, &k.Private)
	return k, engine.Found(err)
}

func (t tx) SetPushKey(ws catalog.WorkspaceID, k push.Key) error {
	_, err := t.Exec(`INSERT INTO push_keys (workspace_id, public, private) VALUES (?, ?, ?)
		ON CONFLICT (workspace_id) DO UPDATE SET public = excluded.public, private = excluded.private`, ws, k.Public,
		k.Private)
	return err
}

func (q queries) HasPushSubscriptions() (some bool, err error) {
	err = q.Scan(`SELECT EXISTS (SELECT 1 FROM push_subscriptions)`, nil, &some)
	return some, err
}

const pushColumns = `p.id, p.workspace_id, p.session, s.agent, u.id, u.email, u.role, u.host_id, p.endpoint, p.p256dh,
	p.auth, p.locale, p.kinds, p.names, p.failed`

const joinedPush = ` JOIN sessions s ON s.hash = p.session JOIN users u ON u.id = s.user_id`

func fields(s *push.Subscription, kinds, names *int64) []any {
	return []any{&s.ID, &s.WorkspaceID, &s.Session, &s.Agent, &s.User.ID, &s.User.Email, &s.User.Role,
		engine.OrZero(&s.User.HostID), &s.Endpoint, &s.P256dh, &s.Auth, &s.Locale, kinds, names, engine.OrZero(&s.Failed)}
}

func finish(s *push.Subscription, kinds, names int64) {
	s.User.WorkspaceID = s.WorkspaceID
	s.Kinds, s.Names = push.KindsOf(kinds), names != 0
}

func (q queries) list(where string, args ...any) (all []push.Subscription, err error) {
	const from = `SELECT ` + pushColumns + ` FROM push_subscriptions p` + joinedPush
	err = q.Each(from+` WHERE `+where+` ORDER BY p.id DESC LIMIT ?`, args,
		func(scan func(...any) error) error {
			var s push.Subscription
			var kinds, names int64
			err := scan(fields(&s, &kinds, &names)...)
			finish(&s, kinds, names)
			all = append(all, s)
			return err
		})
	return all, err
}

func (q queries) PushSubscriptions(ws catalog.WorkspaceID, limit int) ([]push.Subscription, error) {
	return q.list(`p.workspace_id = ?`, ws, limit)
}

func (q queries) PushSubscriptionsOf(ws catalog.WorkspaceID, u app.UserID, limit int) ([]push.Subscription, error) {
	return q.list(`p.workspace_id = ? AND s.user_id = ?`, ws, u, limit)
}

func (t tx) SavePushSubscription(s *push.Subscription) error {
	hash := sha256.Sum256([]byte(s.Endpoint))
	_, err := t.Exec(`INSERT INTO push_subscriptions
			(id, workspace_id, session, endpoint_hash, endpoint, p256dh, auth, locale, kinds, names)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (workspace_id, endpoint_hash) DO UPDATE SET session = excluded.session, p256dh = excluded.p256dh,
			auth = excluded.auth, locale = excluded.locale, kinds = excluded.kinds, names = excluded.names, failed = NULL`,
		s.ID, s.WorkspaceID, s.Session, hash[:], s.Endpoint, s.P256dh, s.Auth, s.Locale, s.Bits(), engine.Bit(s.Names))
	return err
}

func (t tx) SetPushWishes(id push.SubscriptionID, w push.Wishes) error {
	_, err := t.Exec(`UPDATE push_subscriptions SET kinds = ?, names = ? WHERE id = ?`, w.Bits(), engine.Bit(w.Names), id)
	return err
}

func (t tx) SetPushFailed(id push.SubscriptionID, why string) error {
	_, err := t.Exec(`UPDATE push_subscriptions SET failed = ? WHERE id = ?`, engine.OrNull(why), id)
	return err
}

func (t tx) DeletePushSubscription(id push.SubscriptionID) error {
	_, err := t.Exec(`DELETE FROM push_subscriptions WHERE id = ?`, id)
	return err
}

func (t tx) FollowFromNow(follower string) error {
	_, err := t.Exec(`UPDATE followers SET last_number = (SELECT COALESCE(MAX(number), 0) FROM booking_history)
		WHERE name = ?`, follower)
	return err
}

func (t tx) QueuePushMessage(m *push.Message) error {
	t.Show(*m)
	_, err := t.Exec(`INSERT INTO push_queue
			(id, workspace_id, subscription_id, booking_id, kind, start_ms, due_ms, until_ms)
		SELECT ?, workspace_id, id, ?, ?, ?, ?, ? FROM push_subscriptions s WHERE id = ? AND (? <> ? OR NOT EXISTS
			(SELECT 1 FROM push_queue q WHERE q.subscription_id = s.id AND q.kind = ?))`, m.ID, engine.OrNull(m.Booking),
		m.Kind, m.Start, m.DueAt, m.Until, m.Subscription.ID, m.Kind, push.Test, push.Test)
	return err
}

func (q queries) HasDuePushMessages(of work.Buckets, now when.Instant) (bool, error) {
	return pushQueue.anyDue(q, of, now, "")
}

func (t tx) ClaimPushMessages(by work.Share, now, lease when.Instant, limit int) (all []push.Message, err error) {
	ids, err := pushQueue.claim(t, by, now, lease, limit)
	for _, id := range ids {
		if err != nil {
			return nil, err
		}
		var m push.Message
		var kinds, names int64
		err = t.Querier().Scan(`SELECT q.id, q.booking_id, q.kind, q.start_ms, q.due_ms, q.until_ms, q.tries, `+pushColumns+`
			FROM push_queue q JOIN push_subscriptions p ON p.id = q.subscription_id`+joinedPush+` WHERE q.id = ?`, []any{id},
			append([]any{&m.ID, engine.OrZero(&m.Booking), &m.Kind, &m.Start, &m.DueAt, &m.Until, &m.Tries},
				fields(&m.Subscription, &kinds, &names)...)...)
		finish(&m.Subscription, kinds, names)
		all = append(all, m)
	}
	return all, err
}

func (t tx) DropPushMessage(m *push.Message) error { return pushQueue.drop(t, m.ID, m.DueAt) }

func (t tx) DelayPushMessage(m *push.Message, next when.Instant) error {
	return pushQueue.delay(t, m.ID, m.DueAt, next)
}

func (t tx) ReleasePushMessage(m *push.Message, now when.Instant) error {
	_, err := pushQueue.release(t, m.ID, m.DueAt, now)
	return err
}
