// The SQL of who booked by the booking form, proofs of work, forms that were sent.

package store

import (
	"errors"
	"math"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/gate"
	"daybook/app/id"
	"daybook/app/when"
	"daybook/store/engine"
)

// What package gate reads and writes is here.
var (
	_ gate.Reader = queries{}
	_ gate.Reader = tx{}
	_ gate.Tx     = tx{}
)

// Bookings made since then start later than that, and ids grow with the time, so that both are read from the index of the
// workspace's bookings. The + keeps SQLite from reading the ids of all workspaces instead.
const visitorsBooked = `SELECT COUNT(*) FROM bookings b
	JOIN booking_history h ON h.booking_id = b.id AND h.seq = 1
	WHERE b.workspace_id = ? AND b.start_ms >= ? AND +b.id >= ? AND +b.id < ? AND h.actor = ?`

// VisitorsBooked implements gate.Reader.
func (q queries) VisitorsBooked(ws catalog.WorkspaceID, from, until when.Instant) (n int, err error) {
	before := booking.BookingID(math.MaxInt64)
	if until != 0 {
		before = id.First[booking.BookingIDKind](until.Time())
	}
	err = q.Scan(visitorsBooked, []any{ws, from, id.First[booking.BookingIDKind](from.Time()), before, booking.ByInvitee}, &n)
	return n, err
}

// TimesOf implements gate.Reader.
func (q queries) TimesOf(address gate.Hash) (times []byte, err error) {
	err = engine.Found(q.Scan(`SELECT times FROM form_addresses WHERE hash = ?`, []any{[]byte(address)}, &times))
	if errors.Is(err, fault.ErrNotFound) {
		return nil, nil
	}
	return times, err
}

func (t tx) AddressTimes(address gate.Hash) (times []byte, err error) {
	_, err = t.Exec(`INSERT INTO form_addresses (hash, times, last_ms) VALUES (?, ?, 0)
		ON CONFLICT (hash) DO UPDATE SET last_ms = form_addresses.last_ms`, []byte(address), []byte{})
	if err != nil {
		return nil, err
	}
	err = t.Scan(`SELECT times FROM form_addresses WHERE hash = ?`, []any{[]byte(address)}, &times)
	return times, err
}

func (t tx) SetAddressTimes(address gate.Hash, times []byte, last when.Instant) error {
	_, err := t.Exec(`UPDATE form_addresses SET times = ?, last_ms = ? WHERE hash = ?`, times, last, []byte(address))
	return err
}

func (t tx) UseProof(key, purpose gate.Hash, at when.Instant) (used gate.Hash, err error) {
	_, err = t.Exec(`INSERT INTO form_proofs (hash, purpose, at_ms) VALUES (?, ?, ?) ON CONFLICT (hash) DO NOTHING`,
		[]byte(key), []byte(purpose), at)
	if err != nil {
		return nil, err
	}
	err = t.Scan(`SELECT purpose FROM form_proofs WHERE hash = ?`, []any{[]byte(key)}, (*[]byte)(&used))
	return used, err
}

func (t tx) LockForm(hash gate.Hash, at when.Instant) (b booking.BookingID, err error) {
	_, err = t.Exec(`INSERT INTO forms_sent (hash, booking_id, at_ms) VALUES (?, 0, ?)
		ON CONFLICT (hash) DO UPDATE SET at_ms = forms_sent.at_ms`, []byte(hash), at)
	if err != nil {
		return 0, err
	}
	err = t.Scan(`SELECT booking_id FROM forms_sent WHERE hash = ?`, []any{[]byte(hash)}, &b)
	return b, err
}

func (t tx) SetFormBooking(hash gate.Hash, b booking.BookingID) error {
	_, err := t.Exec(`UPDATE forms_sent SET booking_id = ? WHERE hash = ?`, b, []byte(hash))
	return err
}

func (t tx) ForgetForm(hash gate.Hash) error {
	_, err := t.Exec(`DELETE FROM forms_sent WHERE hash = ?`, []byte(hash))
	return err
}

func (t tx) PruneForms(addresses, proofs, forms when.Instant, limit int) (most int, err error) {
	for _, p := range []struct {
		delete string
		before when.Instant
	}{
		{`DELETE FROM form_addresses WHERE last_ms < ? AND hash IN (SELECT hash FROM form_addresses WHERE last_ms < ?
			LIMIT ?)`, addresses},
		{`DELETE FROM form_proofs WHERE at_ms < ? AND hash IN (SELECT hash FROM form_proofs WHERE at_ms < ? LIMIT ?)`,
			proofs},
		{`DELETE FROM forms_sent WHERE at_ms < ? AND hash IN (SELECT hash FROM forms_sent WHERE at_ms < ? LIMIT ?)`, forms},
	} {
		n, err := t.Exec(p.delete, p.before, p.before, limit)
		if err != nil {
			return 0, err
		}
		most = max(most, int(n))
	}
	return most, nil
}
