// The SQL of what is known of contacts' health.

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
	// contactHealth finds nothing of a consent that was withdrawn, whatever is left of it.
	contactHealth = `SELECT h.id, h.kind, h.sealed, h.noted, h.reaction, h.consent_id, c.ends, h.actor, h.actor_id
		FROM contact_health h JOIN contact_consents c ON c.workspace_id = h.workspace_id AND c.id = h.consent_id
		WHERE h.workspace_id = ? AND h.contact_id = ? AND h.id < ? AND c.withdrawn_ms IS NULL ORDER BY h.id DESC LIMIT ?`
	healthTotal = `SELECT COUNT(*) FROM contact_health WHERE workspace_id = ? AND contact_id = ?`
)

func scanHealth(scan func(...any) error) (h contact.HealthEntry, err error) {
	err = scan(&h.ID, &h.Kind, &h.Sealed, &h.Date, &h.Reaction, &h.Consent, &h.End, &h.Author.Actor, &h.Author.By)
	h.CreatedAt = when.At(h.ID.MadeAt())
	return h, engine.Found(err)
}

// HealthEntries implements contact.ConsentReads, as HealthTotal does.
func (q queries) HealthEntries(ws catalog.WorkspaceID, c booking.ContactID, before contact.HealthID,
	limit int) ([]contact.HealthEntry, error) {
	if before == 0 {
		before = math.MaxInt64
	}
	return engine.List(q, scanHealth, contactHealth, ws, c, before, limit)
}

func (q queries) HealthTotal(ws catalog.WorkspaceID, c booking.ContactID) (n int, err error) {
	err = q.Scan(healthTotal, []any{ws, c}, &n)
	return n, err
}

// InsertHealth implements contact.ConsentWrites, as DeleteHealth does.
func (t tx) InsertHealth(ws catalog.WorkspaceID, c booking.ContactID, h *contact.HealthEntry) error {
	_, err := t.Exec(`INSERT INTO contact_health (id, workspace_id, contact_id, consent_id, kind, sealed, noted, reaction, actor,
		actor_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, h.ID, ws, c, h.Consent, h.Kind, h.Sealed, h.Date,
		engine.Bit(h.Reaction), h.Author.Actor, h.Author.By)
	return err
}

func (t tx) DeleteHealth(ws catalog.WorkspaceID, c booking.ContactID, id contact.HealthID) error {
	n, err := t.Exec(`DELETE FROM contact_health WHERE workspace_id = ? AND contact_id = ? AND id = ?`, ws, c, id)
	if err == nil && n == 0 {
		err = fault.ErrNotFound
	}
	return err
}
