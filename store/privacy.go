// The SQL of what is old, and how far its deletion came.

package store

import (
	"encoding/json"
	"strings"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/privacy"
	"daybook/app/when"
	"daybook/app/work"
	"daybook/store/engine"
)

// What package privacy reads and writes is here.
var (
	_ privacy.Reader = queries{}
	_ privacy.Reader = tx{}
	_ privacy.Tx     = tx{}
)

// longest is more than any booking lasts.
const longest = 8 * when.Day

const (
	byWorkspace = `SELECT workspace_id, next_ms, state FROM retentions WHERE workspace_id = ?`
	due         = `SELECT workspace_id, next_ms, state FROM retentions WHERE next_ms <= ?`
	dueOrder    = ` ORDER BY next_ms LIMIT ?`
)

func scanRetention(scan func(...any) error) (r privacy.Retention, err error) {
	var state []byte
	if err := scan(&r.Workspace, &r.Next, &state); err != nil {
		return r, engine.Found(err)
	}
	return r, json.Unmarshal(state, &r.State)
}

// Retention implements privacy.Reads, as the other methods here do.
func (q queries) Retention(ws catalog.WorkspaceID) (privacy.Retention, error) {
	return scanRetention(q.One(byWorkspace, ws))
}

func (q queries) RetentionsDue(of work.Buckets, now when.Instant, limit int) ([]privacy.Retention, error) {
	mine, buckets := In(of, `workspace_id`)
	args := append(append([]any{now}, buckets...), limit)
	return engine.List(q, scanRetention, due+mine+dueOrder, args...)
}

// oldBookings reads one index in its order, and looks into two others for each of the rows. A booking of no contact is
// like one whose contact stays: it is anonymised alone.
const oldBookings = `SELECT b.id, b.start_ms, b.end_ms, b.host_id, b.contact_id,
	b.email = ? OR COALESCE(c.email = '' AND c.phone = '', FALSE), b.contact_id IS NULL OR EXISTS (SELECT 1 FROM bookings r WHERE r.contact_id = b.contact_id
		AND r.start_ms > ? AND r.end_ms >= ?)
	FROM (SELECT id, workspace_id, start_ms, end_ms, host_id, contact_id, email FROM bookings
		WHERE workspace_id = ? AND start_ms < ? AND (start_ms, id) > (?, ?) ORDER BY start_ms, id LIMIT ?) b
	LEFT JOIN contacts c ON c.id = b.contact_id AND c.workspace_id = b.workspace_id ORDER BY b.start_ms, b.id`

func (q queries) OldBookings(ws catalog.WorkspaceID, from privacy.Position, before when.Instant,
	limit int) ([]privacy.OldBooking, error) {
	return engine.List(q, func(scan func(...any) error) (b privacy.OldBooking, err error) {
		err = scan(&b.ID, &b.Start, &b.End, &b.Host, engine.OrZero(&b.Contact), &b.Erased, &b.Recent)
		return b, err
	}, oldBookings, booking.ErasedEmail, before.Add(-longest), before, ws, before, from.At, from.ID, limit)
}

// oldContacts begins at the time of the position, and leaves out what stands before its id.
const oldContacts = `SELECT c.id, COALESCE(c.changed_ms, c.created_ms), c.email = '' AND c.phone = '',
	EXISTS (SELECT 1 FROM bookings b WHERE b.contact_id = c.id) FROM contacts c
	WHERE c.workspace_id = ? AND COALESCE(c.changed_ms, c.created_ms) >= ?
	AND COALESCE(c.changed_ms, c.created_ms) < ? AND (COALESCE(c.changed_ms, c.created_ms) > ? OR +c.id > ?)
	ORDER BY COALESCE(c.changed_ms, c.created_ms), c.id LIMIT ?`

func (q queries) OldContacts(ws catalog.WorkspaceID, from privacy.Position, before when.Instant,
	limit int) ([]privacy.OldContact, error) {
	return engine.List(q, func(scan func(...any) error) (c privacy.OldContact, err error) {
		err = scan(&c.ID, &c.At, &c.Erased, &c.Booked)
		return c, err
	}, oldContacts, ws, from.At, before, from.At, from.ID, limit)
}

const oldPayments = `SELECT p.id, p.booking_id, b.end_ms FROM (SELECT id, workspace_id, booking_id, created_ms
	FROM payments WHERE workspace_id = ? AND id > ? ORDER BY id LIMIT ?) p
	JOIN bookings b ON b.id = p.booking_id AND b.workspace_id = p.workspace_id WHERE p.created_ms < ? ORDER BY p.id`

func (q queries) OldPayments(ws catalog.WorkspaceID, from privacy.Position, before when.Instant,
	limit int) ([]privacy.OldPayment, error) {
	return engine.List(q, func(scan func(...any) error) (p privacy.OldPayment, err error) {
		err = scan(&p.ID, &p.Booking, &p.End)
		return p, err
	}, oldPayments, ws, from.ID, limit, before)
}

// underWay is the term for bookings whose money moves.
const underWay = `EXISTS (SELECT 1 FROM payments p WHERE p.booking_id = b.id AND (p.status = 1 OR p.refunding > 0))
	OR EXISTS (SELECT 1 FROM payment_jobs j WHERE j.booking_id = b.id AND j.state = 0)`

const moneyOf = `SELECT b.id, ` + underWay + ` FROM bookings b WHERE b.workspace_id = ? AND b.id IN `

const withMoney = ` AND (b.counter IS NOT NULL OR EXISTS (SELECT 1 FROM payments p WHERE p.booking_id = b.id))`

func (q queries) MoneyOf(ws catalog.WorkspaceID, ids []booking.BookingID) ([]privacy.Money, error) {
	args := []any{ws}
	for _, id := range ids {
		args = append(args, id)
	}
	if len(ids) == 0 {
		return nil, nil
	}
	return engine.List(q, func(scan func(...any) error) (m privacy.Money, err error) {
		err = scan(&m.Booking, &m.Open)
		return m, err
	}, moneyOf+`(?`+strings.Repeat(`, ?`, len(ids)-1)+`)`+withMoney, args...)
}

func (t tx) SaveRetention(r *privacy.Retention) error {
	state, err := json.Marshal(r.State)
	if err != nil {
		return err
	}
	_, err = t.Exec(`UPDATE retentions SET next_ms = ?, state = ? WHERE workspace_id = ?`, r.Next, string(state),
		r.Workspace)
	return err
}

func (t tx) ForgetRetention(ws catalog.WorkspaceID) error {
	_, err := t.Exec(`DELETE FROM retentions WHERE workspace_id = ?`, ws)
	return err
}

// nobody is the key of that contact: no e-mail address and no telephone number has it.
const nobody = "deleted:"

func (t tx) Nobody(ws catalog.WorkspaceID, id booking.ContactID, now when.Instant) (booking.ContactID, error) {
	if _, err := t.Exec(`INSERT INTO contacts (id, workspace_id, email_key, email, name, phone, time_zone, notes,
		created_ms) VALUES (?, ?, ?, '', '', '', '', '', ?) ON CONFLICT (workspace_id, email_key) DO NOTHING`,
		id, ws, nobody, now); err != nil {
		return 0, err
	}
	err := t.Scan(`SELECT id FROM contacts WHERE workspace_id = ? AND email_key = ?`, []any{ws, nobody}, &id)
	return id, err
}

func (t tx) ForgetPayments(ws catalog.WorkspaceID, id booking.BookingID) error {
	var moves bool
	err := t.Scan(`SELECT `+underWay+` FROM bookings b WHERE b.id = ? AND b.workspace_id = ?`, []any{id, ws}, &moves)
	if err != nil || moves {
		return err
	}
	for _, query := range []string{
		`UPDATE payments SET intent = NULL, dispute = NULL, error = NULL WHERE booking_id = ? AND workspace_id = ?`,
		`UPDATE checkouts SET session = NULL, url = NULL WHERE booking_id = ? AND workspace_id = ?`,
		`UPDATE payment_jobs SET intent = NULL, error = NULL WHERE booking_id = ? AND workspace_id = ?`,
		`UPDATE payment_cards SET customer = NULL, source = NULL, consent_ms = NULL
			WHERE booking_id = ? AND workspace_id = ?`,
	} {
		if _, err := t.Exec(query, id, ws); err != nil {
			return err
		}
	}
	return nil
}
