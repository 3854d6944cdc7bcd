// The SQL of the audit log. It has no statement that changes an entry.

package store

import (
	"strings"
	"time"

	"daybook/app/audit"
	"daybook/app/catalog"
	"daybook/app/id"
	"daybook/app/when"
	"daybook/store/engine"
)

// What package audit reads and writes is here.
var (
	_ audit.Reader = queries{}
	_ audit.Reader = tx{}
	_ audit.Tx     = tx{}
)

func (t tx) InsertAuditEntry(e *audit.Entry) error {
	_, err := t.Exec(`INSERT INTO audit_log (workspace_id, id, at_ms, actor_kind, door, actor, topic, action, subject,
		fields, was, now_is, n, device) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, e.Workspace, e.ID, e.At, e.By,
		e.Door, engine.OrNull(e.Actor), e.Action.Topic(), e.Action, engine.OrNull(e.Subject),
		engine.OrNull(strings.Join(e.Fields, " ")), engine.OrNull(e.From), engine.OrNull(e.To), engine.OrNull(e.Count),
		engine.OrNull(e.Device))
	return err
}

// prune reads the ids, which begin with the time.
const prune = `DELETE FROM audit_log WHERE id IN (SELECT id FROM audit_log WHERE id < ? ORDER BY id LIMIT ?)`

func (t tx) PruneAudit(before when.Instant, limit int) (int, error) {
	n, err := t.Exec(prune, id.First[audit.EntryIDKind](before.Time()), limit)
	return int(n), err
}

const auditColumns = `workspace_id, id, at_ms, actor_kind, door, actor, action, subject, fields, was, now_is, n, device`

func scanAudit(read func(...any) error) (e audit.Entry, err error) {
	var fields string
	err = read(&e.Workspace, &e.ID, &e.At, &e.By, &e.Door, engine.OrZero(&e.Actor), &e.Action, engine.OrZero(&e.Subject),
		engine.OrZero(&fields), engine.OrZero(&e.From), engine.OrZero(&e.To), engine.OrZero(&e.Count), engine.OrZero(&e.Device))
	e.Fields = strings.Fields(fields)
	return e, err
}

func (q queries) AuditEntries(ws catalog.WorkspaceID, f audit.Filter) ([]audit.Entry, error) {
	query, args := listAudit(ws, f)
	return engine.List(q, scanAudit, query, args...)
}

// listAudit asks for what a member did and for what was done to them apart, as each has its index.
func listAudit(ws catalog.WorkspaceID, f audit.Filter) (string, []any) {
	where, args := `workspace_id = ?`, []any{ws}
	if f.Before != 0 {
		where, args = where+` AND id < ?`, append(args, f.Before)
	}
	if f.Topic != "" {
		where, args = where+` AND topic = ?`, append(args, f.Topic)
	}
	const newest = ` ORDER BY id DESC LIMIT ?`
	if f.Member == "" {
		return `SELECT ` + auditColumns + ` FROM audit_log WHERE ` + where + newest, append(args, f.Limit)
	}
	did, done := append([]any{}, args...), append(args, f.Member, f.Member, f.Limit, f.Limit)
	return `SELECT * FROM (SELECT * FROM (SELECT ` + auditColumns + ` FROM audit_log WHERE ` + where + ` AND actor = ?` +
			newest + `) did UNION ALL SELECT * FROM (SELECT ` + auditColumns + ` FROM audit_log WHERE ` + where +
			` AND subject = ? AND (actor IS NULL OR actor <> ?)` + newest + `) done) entries` + newest,
		append(append(did, f.Member, f.Limit), done...)
}

func (q queries) AuditedSince(ws catalog.WorkspaceID, subject string, what audit.Action,
	since time.Time) (some bool, err error) {
	err = q.Scan(`SELECT EXISTS (SELECT 1 FROM audit_log WHERE workspace_id = ? AND subject = ? AND id >= ?
		AND at_ms >= ? AND action = ?)`,
		[]any{ws, subject, id.First[audit.EntryIDKind](since), when.At(since), what}, &some)
	return some, err
}
