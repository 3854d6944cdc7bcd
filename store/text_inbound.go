// The SQL of texts that came in.

package store

import (
	"daybook/app/catalog"
	"daybook/app/text"
	"daybook/app/when"
	"daybook/store/engine"
)

const (
	messageColumns = `id, workspace_id, contact_id, phone, message, media, sender_id, seen_ms`
	messageKnown   = `SELECT EXISTS (SELECT 1 FROM text_messages WHERE workspace_id = ? AND sender_id = ?)`
	messagesSince  = `SELECT COUNT(*) FROM text_messages WHERE workspace_id = ? AND phone = ? AND id >= ?`
)

func scanMessage(scan func(...any) error) (m text.Message, err error) {
	err = scan(&m.ID, &m.WorkspaceID, engine.OrZero(&m.ContactID), &m.Phone, &m.Text, &m.Media, engine.OrZero(&m.SenderID), engine.OrZero(&m.SeenAt))
	m.CreatedAt = when.At(m.ID.MadeAt())
	return m, engine.Found(err)
}

// TextMessage implements text.InboundReads, as the methods below do.
func (q queries) TextMessage(ws catalog.WorkspaceID, id text.MessageID) (text.Message, error) {
	return scanMessage(q.One(`SELECT `+messageColumns+` FROM text_messages WHERE id = ? AND workspace_id = ?`, id, ws))
}

func (q queries) TextMessages(ws catalog.WorkspaceID, f text.MessageFilter) ([]text.Message, error) {
	query, args := listMessages(ws, f)
	return engine.List(q, scanMessage, query, args...)
}

func listMessages(ws catalog.WorkspaceID, f text.MessageFilter) (string, []any) {
	where, args := `workspace_id = ?`, []any{ws}
	if f.Contact != 0 {
		where, args = `contact_id = ? AND +workspace_id = ?`, []any{f.Contact, ws}
	}
	if f.New {
		where += ` AND seen_ms IS NULL`
	}
	return `SELECT ` + messageColumns + ` FROM text_messages WHERE ` + where + ` ORDER BY id DESC LIMIT ?`, append(args, f.Limit)
}

func (q queries) TextMessageKnown(ws catalog.WorkspaceID, senderID string) (known bool, err error) {
	err = q.Scan(messageKnown, []any{ws, senderID}, &known)
	return known, err
}

func (q queries) CountTextMessages(ws catalog.WorkspaceID, phone string, from text.MessageID) (n int, err error) {
	err = q.Scan(messagesSince, []any{ws, phone, from}, &n)
	return n, err
}

// InsertTextMessage implements text.InboundWrites, as the methods below do.
func (t tx) InsertTextMessage(m *text.Message) (bool, error) {
	n, err := t.Exec(`INSERT INTO text_messages (id, workspace_id, contact_id, phone, message, media, sender_id, seen_ms)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`, m.ID, m.WorkspaceID, engine.OrNull(m.ContactID), m.Phone, m.Text, m.Media,
		engine.OrNull(m.SenderID), engine.OrNull(m.SeenAt))
	return n == 1, err
}

func (t tx) SeeTextMessages(ws catalog.WorkspaceID, phone string, now when.Instant) error {
	_, err := t.Exec(`UPDATE text_messages SET seen_ms = ? WHERE workspace_id = ? AND phone = ? AND seen_ms IS NULL`, now, ws, phone)
	return err
}

func (t tx) PruneTextMessages(before text.MessageID, limit int) (int, error) {
	n, err := t.Exec(`DELETE FROM text_messages WHERE id IN (SELECT id FROM text_messages WHERE id < ? ORDER BY id LIMIT ?)`, before, limit)
	return int(n), err
}
