// The SQL of who agreed to texts, by contacts and their numbers, and of which numbers have stopped them.

package store

import (
	"slices"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/when"
	"daybook/store/engine"
)

// textsColumns are those of the row x of contact_texts and the row n of text_numbers, either of which may lack.
const textsColumns = `COALESCE(x.state, 0), COALESCE(x.at_ms, 0), COALESCE(x.actor, ''), COALESCE(x.actor_id, ''),
	COALESCE(x.wording, ''), COALESCE(n.stopped_ms, 0)`

// textsRow is what textsColumns select.
type textsRow struct {
	state   int
	texts   booking.Texts
	stopped when.Instant
}

// into returns where to scan textsColumns.
func (r *textsRow) into() []any {
	return []any{&r.state, &r.texts.At, &r.texts.By, &r.texts.ByID, &r.texts.Wording, &r.stopped}
}

// read returns what counts: that the number has stopped texts, else what is noted of the contact.
func (r *textsRow) read() booking.Texts {
	if r.stopped != 0 {
		return booking.Texts{State: booking.TextsStopped, At: r.stopped, By: booking.ByInvitee}
	}
	r.texts.State = booking.TextsStates[r.state]
	return r.texts
}

const textsOf = `SELECT ` + textsColumns + ` FROM (SELECT 1 AS one) o
	LEFT JOIN contact_texts x ON x.workspace_id = ? AND x.contact_id = ? AND x.phone = ?
	LEFT JOIN text_numbers n ON n.workspace_id = ? AND n.phone = ?`

// TextsOf implements booking.TextsReader.
func (q queries) TextsOf(ws catalog.WorkspaceID, c booking.ContactID, phone string) (booking.Texts, error) {
	var r textsRow
	err := q.Scan(textsOf, []any{ws, c, phone, ws, phone}, r.into()...)
	return r.read(), err
}

// LockTextNumber implements booking.TextsWriter, as SetTexts does.
func (t tx) LockTextNumber(ws catalog.WorkspaceID, phone string) (stopped when.Instant, err error) {
	_, err = t.Exec(`INSERT INTO text_numbers (workspace_id, phone, claims) VALUES (?, ?, 1)
		ON CONFLICT (workspace_id, phone) DO UPDATE SET claims = text_numbers.claims + 1`, ws, phone)
	if err != nil {
		return 0, err
	}
	err = t.Scan(`SELECT COALESCE(stopped_ms, 0) FROM text_numbers WHERE workspace_id = ? AND phone = ?`, []any{ws, phone}, &stopped)
	return stopped, err
}

func (t tx) SetTexts(ws catalog.WorkspaceID, c booking.ContactID, phone string, x booking.Texts) error {
	_, err := t.Exec(`INSERT INTO contact_texts (workspace_id, contact_id, phone, state, at_ms, actor, actor_id, wording)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (workspace_id, contact_id, phone) DO UPDATE SET state = excluded.state,
		at_ms = excluded.at_ms, actor = excluded.actor, actor_id = excluded.actor_id, wording = excluded.wording`, ws, c, phone,
		slices.Index(booking.TextsStates, x.State), x.At, x.By, x.ByID, x.Wording)
	return err
}

// SetTextStop implements text.ConsentWrites, as the methods below do.
func (t tx) SetTextStop(ws catalog.WorkspaceID, phone string, at when.Instant) error {
	_, err := t.Exec(`INSERT INTO text_numbers (workspace_id, phone, stopped_ms) VALUES (?, ?, ?)
		ON CONFLICT (workspace_id, phone) DO UPDATE SET stopped_ms = excluded.stopped_ms`, ws, phone, engine.OrNull(at))
	return err
}

func (t tx) NumberWrote(ws catalog.WorkspaceID, phone string, at when.Instant) error {
	_, err := t.Exec(`INSERT INTO text_numbers (workspace_id, phone, wrote_ms) VALUES (?, ?, ?)
		ON CONFLICT (workspace_id, phone) DO UPDATE SET wrote_ms = excluded.wrote_ms`, ws, phone, at)
	return err
}

func (q queries) WroteAt(ws catalog.WorkspaceID, phone string) (at when.Instant, err error) {
	err = q.Scan(`SELECT COALESCE(MAX(wrote_ms), 0) FROM text_numbers WHERE workspace_id = ? AND phone = ?`, []any{ws, phone}, &at)
	return at, err
}

const numberContacts = `SELECT contact_id FROM contact_texts WHERE workspace_id = ? AND phone = ? ORDER BY contact_id LIMIT ?`

func (q queries) ContactsNoted(ws catalog.WorkspaceID, phone string, limit int) ([]booking.ContactID, error) {
	return engine.List(q, func(scan func(...any) error) (c booking.ContactID, err error) {
		err = scan(&c)
		return c, err
	}, numberContacts, ws, phone, limit)
}

// MergeTexts implements contact.CardWrites. Only yes and no have rows: of one number no counts before yes, and nothing
// known before yes.
func (t tx) MergeTexts(ws catalog.WorkspaceID, from, into booking.ContactID, shared string) error {
	yes, no := slices.Index(booking.TextsStates, booking.TextsYes), slices.Index(booking.TextsStates, booking.TextsNo)
	for _, step := range []struct {
		sql  string
		args []any
	}{
		{`DELETE FROM contact_texts WHERE workspace_id = ? AND contact_id IN (?, ?) AND phone = ? AND state = ? AND 1 = (SELECT COUNT(*)
			FROM contact_texts o WHERE o.workspace_id = ? AND o.contact_id IN (?, ?) AND o.phone = ?)`,
			[]any{ws, from, into, shared, yes, ws, from, into, shared}},
		{`DELETE FROM contact_texts WHERE workspace_id = ? AND contact_id = ? AND state = ? AND phone IN (SELECT o.phone
			FROM contact_texts o WHERE o.workspace_id = ? AND o.contact_id = ? AND o.state = ?)`,
			[]any{ws, into, yes, ws, from, no}},
		{`DELETE FROM contact_texts WHERE workspace_id = ? AND contact_id = ? AND phone IN (SELECT o.phone
			FROM contact_texts o WHERE o.workspace_id = ? AND o.contact_id = ?)`, []any{ws, from, ws, into}},
		{`UPDATE contact_texts SET contact_id = ? WHERE workspace_id = ? AND contact_id = ?`, []any{into, ws, from}},
	} {
		if _, err := t.Exec(step.sql, step.args...); err != nil {
			return err
		}
	}
	return nil
}
