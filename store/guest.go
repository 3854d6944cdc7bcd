// The SQL of what people's assistants ask for.

package store

import (
	"encoding/json"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/guest"
	"daybook/app/when"
	"daybook/store/engine"
)

// What package guest reads and writes is here.
var (
	_ guest.Reader = queries{}
	_ guest.Reader = tx{}
	_ guest.Tx     = tx{}
)

const (
	requestColumns = `id, workspace_id, hold, address, email_key, event_type_id, host_id, start_ms, end_ms, input, attempts,
	made_ms, expires_ms, booking_id`
	requestByID     = `SELECT ` + requestColumns + ` FROM guest_requests WHERE id = ?`
	waitingRequests = `SELECT ` + requestColumns + ` FROM guest_requests WHERE workspace_id = ? AND email_key = ? AND expires_ms > ?
		AND booking_id IS NULL ORDER BY id DESC LIMIT 1`
	// At most as many as are kept of a day are counted.
	ofPerson = `SELECT made_ms FROM guest_requests WHERE email_key = ? AND made_ms >= ?
		ORDER BY made_ms LIMIT 100`
	ofAddress = `SELECT COUNT(*) FROM (SELECT id FROM guest_requests WHERE address = ? AND made_ms >= ?
		LIMIT 1000) lately`
	requestsOfWorkspace = `SELECT COUNT(*) FROM (SELECT id FROM guest_requests WHERE workspace_id = ? AND made_ms >= ?
		LIMIT 1000) lately`
	over = `UPDATE guest_requests SET input = NULL WHERE id IN (SELECT id FROM guest_requests WHERE input IS NOT NULL
		AND expires_ms <= ? ORDER BY expires_ms LIMIT ?) AND input IS NOT NULL`
	old = `DELETE FROM guest_requests WHERE id IN (SELECT id FROM guest_requests WHERE made_ms < ?
		ORDER BY made_ms LIMIT ?) AND made_ms < ?`
)

func scanRequest(scan func(...any) error) (r guest.Request, err error) {
	var input []byte
	err = scan(&r.ID, &r.WorkspaceID, &r.Hold, &r.Address, &r.Email, &r.EventType, &r.Host, &r.Start, &r.End, &input,
		&r.Attempts, &r.MadeAt, &r.ExpiresAt, engine.OrZero(&r.Booking))
	if err != nil || len(input) == 0 {
		return r, engine.Found(err)
	}
	var read requestInput
	err = json.Unmarshal(input, &read)
	r.Input, r.Texts = read.BookInput, read.Texts
	return r, err
}

// requestInput is what a guest has filled in, as it is stored.
type requestInput struct {
	booking.BookInput
	Texts string `json:"texts,omitempty"`
}

// GuestRequest implements guest.Reads.
func (q queries) GuestRequest(ws catalog.WorkspaceID, id booking.GuestID) (guest.Request, error) {
	if ws == 0 {
		return scanRequest(q.One(requestByID, id))
	}
	return scanRequest(q.One(requestByID+` AND workspace_id = ?`, id, ws))
}

// GuestWaits implements guest.Reads.
func (q queries) GuestWaits(ws catalog.WorkspaceID, email string, now when.Instant) (guest.Request, error) {
	return scanRequest(q.One(waitingRequests, ws, email, now))
}

// CountGuestRequests implements guest.Reads.
func (q queries) CountGuestRequests(ws catalog.WorkspaceID, email, address string,
	day, hour when.Instant) (n guest.Counted, err error) {
	err = q.Each(ofPerson, []any{email, day}, func(scan func(...any) error) error {
		if err := scan(&n.Last); err != nil {
			return err
		}
		if n.Person == 0 {
			n.Oldest = n.Last
		}
		n.Person++
		return nil
	})
	if err != nil {
		return n, err
	}
	if err = q.Scan(ofAddress, []any{address, day}, &n.Address); err != nil {
		return n, err
	}
	return n, q.Scan(requestsOfWorkspace, []any{ws, hour}, &n.Workspace)
}

// InsertGuestRequest implements guest.Tx.
func (t tx) InsertGuestRequest(r *guest.Request) error {
	input, err := json.Marshal(requestInput{r.Input, r.Texts})
	if err != nil {
		return err
	}
	_, err = t.Exec(`INSERT INTO guest_requests (id, workspace_id, hold, address, email_key, event_type_id, host_id,
		start_ms, end_ms, input, made_ms, expires_ms)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, r.ID, r.WorkspaceID, r.Hold,
		r.Address, r.Email, r.EventType, r.Host, r.Start, r.End, string(input), r.MadeAt, r.ExpiresAt)
	return err
}

// TryGuestRequest implements guest.Tx.
func (t tx) TryGuestRequest(ws catalog.WorkspaceID, id booking.GuestID, most int, now when.Instant) (bool, error) {
	n, err := t.Exec(`UPDATE guest_requests SET attempts = attempts + 1 WHERE id = ? AND workspace_id = ? AND attempts < ?
		AND booking_id IS NULL AND expires_ms > ?`, id, ws, most, now)
	return n == 1, err
}

// TakeGuestRequest implements guest.Tx.
func (t tx) TakeGuestRequest(ws catalog.WorkspaceID, id booking.GuestID, now when.Instant) (bool, error) {
	n, err := t.Exec(`UPDATE guest_requests SET hold = hold WHERE id = ? AND workspace_id = ? AND booking_id IS NULL
		AND expires_ms > ?`, id, ws, now)
	return n == 1, err
}

// SetGuestBooking implements guest.Tx.
func (t tx) SetGuestBooking(ws catalog.WorkspaceID, id booking.GuestID, b booking.BookingID) error {
	n, err := t.Exec(`UPDATE guest_requests SET booking_id = ?, input = NULL WHERE id = ? AND workspace_id = ?`, b, id, ws)
	if err == nil && n == 0 {
		err = fault.ErrNotFound
	}
	return err
}

// ForgetGuestRequests implements guest.Tx.
func (t tx) ForgetGuestRequests(now, before when.Instant, limit int) (int, error) {
	n, err := t.Exec(over, now, limit)
	if err != nil {
		return 0, err
	}
	m, err := t.Exec(old, before, limit, before)
	return int(max(n, m)), err
}
