// The SQL of what contacts consent to, and of the keys of what is sealed on their cards.

package store

import (
	"math"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/when"
	"daybook/store/engine"
)

const (
	contactConsent = `SELECT id, kind, wording, given, ends, sealed, signed, actor, actor_id, withdrawn_ms, withdrawn_actor,
		withdrawn_actor_id FROM contact_consents WHERE workspace_id = ? AND contact_id = ?`
	contactConsents = contactConsent + ` AND id < ? ORDER BY id DESC LIMIT ?`
	consentsTotal   = `SELECT COUNT(*) FROM contact_consents WHERE workspace_id = ? AND contact_id = ?`
	latestConsent   = `SELECT id, given, ends FROM contact_consents WHERE workspace_id = ? AND contact_id = ? AND kind = ?
		AND withdrawn_ms IS NULL ORDER BY given DESC, id DESC LIMIT 1`
)

func scanConsent(scan func(...any) error) (c contact.Consent, err error) {
	var by contact.Author
	err = scan(&c.ID, &c.Kind, &c.Wording, &c.Date, &c.End, &c.Sealed, &c.Signed, &c.Author.Actor, &c.Author.By,
		engine.OrZero(&c.WithdrawnAt), &by.Actor, &by.By)
	if c.CreatedAt = when.At(c.ID.MadeAt()); c.WithdrawnAt != 0 {
		c.WithdrawnBy = &by
	}
	return c, engine.Found(err)
}

// Consents implements contact.ConsentReads, as the methods below do.
func (q queries) Consents(ws catalog.WorkspaceID, c booking.ContactID, before contact.ConsentID, limit int) ([]contact.Consent, error) {
	if before == 0 {
		before = math.MaxInt64
	}
	return engine.List(q, scanConsent, contactConsents, ws, c, before, limit)
}

func (q queries) Consent(ws catalog.WorkspaceID, c booking.ContactID, id contact.ConsentID) (contact.Consent, error) {
	return scanConsent(q.One(contactConsent+` AND id = ?`, ws, c, id))
}

func (q queries) ConsentsTotal(ws catalog.WorkspaceID, c booking.ContactID) (n int, err error) {
	err = q.Scan(consentsTotal, []any{ws, c}, &n)
	return n, err
}

// LatestConsent implements booking.ConsentReader.
func (q queries) LatestConsent(ws catalog.WorkspaceID, c booking.ContactID, kind string) (g booking.Given, err error) {
	err = q.Scan(latestConsent, []any{ws, c, kind}, &g.ID, &g.Date, &g.End)
	return g, engine.Found(err)
}

// CardKey implements contact.ConsentReads.
func (q queries) CardKey(ws catalog.WorkspaceID) (sealed string, err error) {
	err = q.Scan(`SELECT sealed FROM card_keys WHERE workspace_id = ?`, []any{ws}, &sealed)
	return sealed, engine.Found(err)
}

// InsertConsent implements contact.ConsentWrites, as the methods below do.
func (t tx) InsertConsent(ws catalog.WorkspaceID, c booking.ContactID, x *contact.Consent) error {
	_, err := t.Exec(`INSERT INTO contact_consents (id, workspace_id, contact_id, kind, wording, given, ends, sealed, signed, actor,
		actor_id, withdrawn_actor, withdrawn_actor_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', '')`, x.ID, ws, c, x.Kind,
		x.Wording, x.Date, x.End, x.Sealed, engine.Bit(x.Signed), x.Author.Actor, x.Author.By)
	return err
}

func (t tx) WithdrawConsent(ws catalog.WorkspaceID, x *contact.Consent) error {
	if _, err := t.Exec(`DELETE FROM contact_health WHERE workspace_id = ? AND consent_id = ?`, ws, x.ID); err != nil {
		return err
	}
	_, err := t.Exec(`UPDATE contact_consents SET withdrawn_ms = ?, withdrawn_actor = ?, withdrawn_actor_id = ?
		WHERE workspace_id = ? AND id = ?`, x.WithdrawnAt, x.WithdrawnBy.Actor, x.WithdrawnBy.By, ws, x.ID)
	return err
}

func (t tx) GatherHealth(ws catalog.WorkspaceID, c booking.ContactID, kind string, to contact.ConsentID) error {
	_, err := t.Exec(`UPDATE contact_health SET consent_id = ? WHERE workspace_id = ? AND contact_id = ? AND consent_id <> ?
		AND consent_id IN (SELECT id FROM contact_consents WHERE workspace_id = ? AND contact_id = ? AND kind = ?
			AND withdrawn_ms IS NULL)`, to, ws, c, to, ws, c, kind)
	return err
}

func (t tx) AddCardKey(ws catalog.WorkspaceID, sealed string) error {
	_, err := t.Exec(`INSERT INTO card_keys (workspace_id, sealed) VALUES (?, ?) ON CONFLICT DO NOTHING`, ws, sealed)
	return err
}

func (t tx) SaveCardKey(ws catalog.WorkspaceID, sealed string) error {
	_, err := t.Exec(`UPDATE card_keys SET sealed = ? WHERE workspace_id = ?`, sealed, ws)
	return err
}
