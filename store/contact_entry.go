// The SQL of what a team wrote down about contacts.

package store

import (
	"math"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/app/when"
	"daybook/store/engine"
)

const (
	contactEntry = `SELECT id, kind, text, booking_id, corrects, corrected, pinned, actor, actor_id FROM contact_entries
		WHERE workspace_id = ? AND contact_id = ?`
	contactEntries = contactEntry + ` AND (pinned, id) < (?, ?) ORDER BY pinned DESC, id DESC LIMIT ?`
	lastFormula    = contactEntry + ` AND kind = 'formula' AND corrected = 0 ORDER BY id DESC LIMIT 1`
	entriesTotal   = `SELECT COUNT(*) FROM contact_entries WHERE workspace_id = ? AND contact_id = ?`
)

func scanContactEntry(scan func(...any) error) (e contact.Entry, err error) {
	err = scan(&e.ID, &e.Kind, &e.Text, engine.OrZero(&e.Booking), engine.OrZero(&e.Corrects), &e.Corrected, &e.Pinned,
		&e.Author.Actor, &e.Author.By)
	e.CreatedAt = when.At(e.ID.MadeAt())
	return e, engine.Found(err)
}

// Entries implements contact.CardReads, as the methods below do.
func (q queries) Entries(ws catalog.WorkspaceID, c booking.ContactID, after contact.EntryPosition,
	limit int) ([]contact.Entry, error) {
	if after.ID == 0 {
		after = contact.EntryPosition{Pinned: true, ID: math.MaxInt64}
	}
	return engine.List(q, scanContactEntry, contactEntries, ws, c, engine.Bit(after.Pinned), after.ID, limit)
}

func (q queries) Entry(ws catalog.WorkspaceID, c booking.ContactID, id contact.EntryID) (contact.Entry, error) {
	return scanContactEntry(q.One(contactEntry+` AND id = ?`, ws, c, id))
}

func (q queries) LastFormula(ws catalog.WorkspaceID, c booking.ContactID) (contact.Entry, error) {
	return scanContactEntry(q.One(lastFormula, ws, c))
}

func (q queries) EntriesTotal(ws catalog.WorkspaceID, c booking.ContactID) (n int, err error) {
	err = q.Scan(entriesTotal, []any{ws, c}, &n)
	return n, err
}

// InsertEntry implements contact.CardWrites, as the methods below do.
func (t tx) InsertEntry(ws catalog.WorkspaceID, c booking.ContactID, e *contact.Entry) error {
	_, err := t.Exec(`INSERT INTO contact_entries (id, workspace_id, contact_id, kind, text, booking_id, corrects, corrected,
		pinned, actor, actor_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, e.ID, ws, c, e.Kind, e.Text,
		engine.OrNull(e.Booking), engine.OrNull(e.Corrects), engine.Bit(e.Corrected), engine.Bit(e.Pinned), e.Author.Actor,
		e.Author.By)
	return err
}

func (t tx) PinEntry(ws catalog.WorkspaceID, id contact.EntryID, pinned bool) error {
	n, err := t.Exec(`UPDATE contact_entries SET pinned = ? WHERE workspace_id = ? AND id = ?`, engine.Bit(pinned), ws, id)
	if err == nil && n == 0 {
		err = fault.ErrNotFound
	}
	return err
}

func (t tx) CorrectedEntry(ws catalog.WorkspaceID, id contact.EntryID) error {
	_, err := t.Exec(`UPDATE contact_entries SET corrected = 1, pinned = 0 WHERE workspace_id = ? AND id = ?`, ws, id)
	return err
}

func (t tx) DeleteEntry(ws catalog.WorkspaceID, id contact.EntryID) error {
	_, err := t.Exec(`UPDATE contact_entries SET corrects = NULL WHERE workspace_id = ? AND corrects = ?`, ws, id)
	if err != nil {
		return err
	}
	_, err = t.Exec(`DELETE FROM contact_entries WHERE workspace_id = ? AND id = ?`, ws, id)
	return err
}
