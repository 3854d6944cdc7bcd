// The SQL of the waitlist.

package store

import (
	"encoding/json"
	"strings"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/waitlist"
	"daybook/app/when"
	"daybook/store/engine"
)

// What package waitlist reads and writes is here.
var (
	_ waitlist.Reader = queries{}
	_ waitlist.Reader = tx{}
	_ waitlist.Tx     = tx{}
)

const (
	waitColumns = `id, workspace_id, contact_id, email_key, state, details, until_ms, silences, confirmed_ms, offer_ms, ended_ms`
	waitByID    = `SELECT ` + waitColumns + ` FROM waitlist_entries WHERE id = ?`
	waitsOf     = `SELECT COUNT(*) FROM waitlist_entries WHERE workspace_id = ? AND email_key = ?
		AND (state > 0 OR until_ms > CAST(? AS BIGINT))`
	liveWaits = `SELECT COUNT(*) FROM (SELECT id FROM waitlist_entries WHERE workspace_id = ? AND state > 0 AND state < 3 LIMIT ?) live`
	// That the state is less than 3 tells SQLite which index it is.
	overWaits = `SELECT ` + waitColumns + ` FROM waitlist_entries WHERE until_ms <= ? AND state < 2 AND state < 3 AND ` + NoneGone + `
		ORDER BY until_ms LIMIT ?`
	pruneWaits = `DELETE FROM waitlist_entries WHERE id IN (SELECT id FROM waitlist_entries WHERE ended_ms < ? AND state >= 3
		ORDER BY ended_ms LIMIT ?) AND ended_ms < ?`
	dropWaits   = `DELETE FROM waitlist_entries WHERE workspace_id = ? AND contact_id = ?`
	dropWaitsOf = `DELETE FROM waitlist_entries WHERE workspace_id = ? AND email_key = ?`
	moveWaits   = `UPDATE waitlist_entries SET contact_id = ? WHERE contact_id = ? AND +workspace_id = ?`
	moveWaitsOf = `UPDATE waitlist_entries SET contact_id = ? WHERE workspace_id = ? AND email_key = ?`
	keepWaits   = `UPDATE workspaces SET waits = 1 - waits, holds = 1, revision = revision + 1 WHERE id = ? AND waits <>
		CASE WHEN EXISTS (SELECT 1 FROM waitlist_entries e WHERE e.workspace_id = workspaces.id AND e.state > 0 AND e.state < 3) THEN 1 ELSE 0 END`
)

// storedWait is what the column details has.
type storedWait struct {
	EndedBy waitlist.EndedBy   `json:"endedBy,omitempty"`
	Items   []waitlist.Item    `json:"items"`
	Order   booking.VisitOrder `json:"order,omitempty"`
	Wishes  []waitlist.Wish    `json:"wishes"`
	Seats   int                `json:"seats,omitempty"`
	Until   string             `json:"until"`
	Ends    when.Instant       `json:"ends"`
	Invitee booking.Invitee    `json:"invitee"`
	Made    when.Instant       `json:"made"`
	Booking booking.BookingID  `json:"booking,omitzero"`
	Visit   booking.VisitID    `json:"visit,omitzero"`
}

func scanWait(scan func(...any) error) (e waitlist.Entry, err error) {
	var details []byte
	var key string
	var until, offer when.Instant
	err = scan(&e.ID, &e.WorkspaceID, engine.OrZero(&e.Contact), &key, &e.Status, &details, &until, &e.Silences,
		engine.OrZero(&e.ConfirmedAt), engine.OrZero(&offer), engine.OrZero(&e.EndedAt))
	if err != nil {
		return e, engine.Found(err)
	}
	var s storedWait
	err = json.Unmarshal(details, &s)
	e.EndedBy, e.Items, e.Order, e.Wishes, e.Seats, e.Until, e.EndsAt = s.EndedBy, s.Items, s.Order, s.Wishes, s.Seats, s.Until, s.Ends
	e.Invitee, e.BookingID, e.VisitID = s.Invitee, s.Booking, s.Visit
	e.CreatedAt = s.Made
	return e, err
}

func storedWaitOf(e *waitlist.Entry) (string, error) {
	text, err := json.Marshal(storedWait{e.EndedBy, e.Items, e.Order, e.Wishes, e.Seats, e.Until, e.EndsAt, e.Invitee, e.CreatedAt, e.BookingID, e.VisitID})
	return string(text), err
}

// WaitEntry implements waitlist.Reads, as the methods below do.
func (q queries) WaitEntry(ws catalog.WorkspaceID, id booking.WaitID) (waitlist.Entry, error) {
	if ws == 0 {
		return scanWait(q.One(waitByID, id))
	}
	return scanWait(q.One(waitByID+` AND workspace_id = ?`, id, ws))
}

func (q queries) WaitEntries(ws catalog.WorkspaceID, f waitlist.Filter) ([]waitlist.Entry, error) {
	query, args := listWaits(ws, f)
	return engine.List(q, scanWait, query, args...)
}

func listWaits(ws catalog.WorkspaceID, f waitlist.Filter) (query string, args []any) {
	query, args = `SELECT `+waitColumns+` FROM waitlist_entries WHERE workspace_id = ?`, []any{ws}
	if len(f.States) > 0 {
		query += ` AND state IN ` + engine.Placeholders(len(f.States))
		for _, s := range f.States {
			args = append(args, int(s))
		}
	}
	var whose []string
	if f.Contact != 0 {
		whose, args = append(whose, `contact_id = ?`), append(args, f.Contact)
	}
	if len(f.Emails) > 0 {
		whose = append(whose, `email_key IN `+engine.Placeholders(len(f.Emails)))
		for _, email := range f.Emails {
			args = append(args, email)
		}
	}
	if len(whose) > 0 {
		query += ` AND (` + strings.Join(whose, ` OR `) + `)`
	}
	if f.Before != 0 {
		query, args = query+` AND id < ?`, append(args, f.Before)
	}
	return query + ` ORDER BY id DESC LIMIT ?`, append(args, f.Limit)
}

func (q queries) WaitsOf(ws catalog.WorkspaceID, email string, now when.Instant, of ...waitlist.State) (n int, err error) {
	args := []any{ws, email, now}
	for _, s := range of {
		args = append(args, int(s))
	}
	err = q.Scan(waitsOf+` AND state IN `+engine.Placeholders(len(of)), args, &n)
	return n, err
}

func (q queries) LiveWaits(ws catalog.WorkspaceID, most int) (n int, err error) {
	err = q.Scan(liveWaits, []any{ws, most}, &n)
	return n, err
}

func (q queries) OverWaits(now when.Instant, limit int) ([]waitlist.Entry, error) {
	return engine.List(q, scanWait, overWaits, now, limit)
}

// InsertWaitEntry implements waitlist.Tx, as the methods below do.
func (t tx) InsertWaitEntry(e *waitlist.Entry) error {
	details, err := storedWaitOf(e)
	if err != nil {
		return err
	}
	_, err = t.Exec(`INSERT INTO waitlist_entries (id, workspace_id, contact_id, email_key, state, details, until_ms, silences, confirmed_ms)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`, e.ID, e.WorkspaceID, engine.OrNull(e.Contact), fault.EmailKey(e.Invitee.Email), int(e.Status), details,
		e.OverAt(), e.Silences, engine.OrNull(e.ConfirmedAt))
	if err != nil {
		return err
	}
	return t.keepWaits(e.WorkspaceID)
}

func (t tx) UpdateWaitEntry(e *waitlist.Entry) error {
	details, err := storedWaitOf(e)
	if err != nil {
		return err
	}
	_, err = t.Exec(`UPDATE waitlist_entries SET state = ?, details = ?, until_ms = ?, silences = ?, confirmed_ms = ?,
		ended_ms = ? WHERE id = ? AND workspace_id = ?`, int(e.Status), details, e.OverAt(), e.Silences,
		engine.OrNull(e.ConfirmedAt), engine.OrNull(e.EndedAt), e.ID, e.WorkspaceID)
	if err != nil {
		return err
	}
	return t.keepWaits(e.WorkspaceID)
}

// keepWaits sets catalog.Workspace.Waits by who waits now. The workspace is locked.
func (t tx) keepWaits(ws catalog.WorkspaceID) error {
	_, err := t.Exec(keepWaits, ws)
	return err
}

func (t tx) DeleteWaitEntry(ws catalog.WorkspaceID, id booking.WaitID) error {
	_, err := t.Exec(`DELETE FROM waitlist_entries WHERE id = ? AND workspace_id = ? AND state = 0`, id, ws)
	return err
}

func (t tx) PruneWaits(before when.Instant, limit int) (int, error) {
	n, err := t.Exec(pruneWaits, before, limit, before)
	return int(n), err
}

func (t tx) SetWaitContact(ws catalog.WorkspaceID, id booking.WaitID, c booking.ContactID) error {
	_, err := t.Exec(`UPDATE waitlist_entries SET contact_id = ? WHERE id = ? AND workspace_id = ?`, engine.OrNull(c), id, ws)
	return err
}

// MergeWaits implements contact.Tx.
func (t tx) MergeWaits(from *booking.Contact, into booking.ContactID) error {
	if _, err := t.Exec(moveWaits, into, from.ID, from.WorkspaceID); err != nil || from.Email == "" {
		return err
	}
	_, err := t.Exec(moveWaitsOf, into, from.WorkspaceID, fault.EmailKey(from.Email))
	return err
}

// eraseWaits deletes the entries of a contact, and those of an address; of neither where it is "".
func (t tx) eraseWaits(ws catalog.WorkspaceID, c booking.ContactID, email string) error {
	if _, err := t.Exec(dropWaits, ws, c); err != nil {
		return err
	}
	if email == "" {
		return nil
	}
	_, err := t.Exec(dropWaitsOf, ws, email)
	return err
}
