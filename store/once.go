package store

import (
	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/when"
	"daybook/store/engine"
)

func (q queries) Response(ws catalog.WorkspaceID, key app.KeyID, idempotencyKey string,
	since when.Instant) (a app.Response, err error) {
	const query = `SELECT fingerprint, status, location, body, created_ms FROM answers
		WHERE /* apart workspace_id = */ ? > 0 AND key_id = ? AND idempotency_key = ? AND created_ms > ?`
	err = q.Scan(query, []any{ws, key, idempotencyKey, since}, &a.Fingerprint, &a.Status, &a.Location, &a.Body,
		&a.CreatedAt)
	return a, engine.Found(err)
}

const (
	insertResponse = `INSERT INTO answers (key_id, idempotency_key, fingerprint, status, location, body, created_ms)
		VALUES (?, ?, ?, ?, ?, ?, ?)`
	insertResponseApart = `INSERT INTO answers
		(key_id, idempotency_key, fingerprint, status, location, body, created_ms, workspace_id)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`
	elseUpdateResponse = `
		ON CONFLICT (/* apart workspace_id, */ key_id, idempotency_key) DO UPDATE SET fingerprint = excluded.fingerprint,
		status = excluded.status, location = excluded.location, body = excluded.body, created_ms = excluded.created_ms`
)

// saveResponse keeps an answer, or replaces the one of the same name if then allows that.
func (t tx) saveResponse(ws catalog.WorkspaceID, key app.KeyID, idempotencyKey string, a app.Response, then string,
	more ...any) (int64, error) {
	query, args := insertResponse, []any{key, idempotencyKey, a.Fingerprint, a.Status, a.Location, a.Body, a.CreatedAt}
	if !t.Serial() {
		query, args = insertResponseApart, append(args, ws)
	}
	return t.Exec(query+elseUpdateResponse+then, append(args, more...)...)
}

func (t tx) ClaimResponse(ws catalog.WorkspaceID, key app.KeyID, idempotencyKey string, fingerprint []byte, now,
	since when.Instant) (bool, error) {
	if t.Serial() { // nobody can come between
		var kept bool
		err := t.Scan(`SELECT EXISTS (SELECT 1 FROM answers WHERE key_id = ? AND idempotency_key = ? AND created_ms > ?)`,
			[]any{key, idempotencyKey, since}, &kept)
		return !kept, err
	}
	claim := app.Response{Fingerprint: fingerprint, Body: []byte{}, CreatedAt: now}
	n, err := t.saveResponse(ws, key, idempotencyKey, claim, ` WHERE answers.created_ms <= ?`, since)
	return n == 1, err
}

func (t tx) DropResponse(ws catalog.WorkspaceID, key app.KeyID, idempotencyKey string) error {
	_, err := t.Exec(dropResponse, ws, key, idempotencyKey)
	return err
}

const dropResponse = `DELETE FROM answers WHERE /* apart workspace_id = */ ? > 0 AND key_id = ? AND idempotency_key = ?`

func (t tx) SaveResponse(ws catalog.WorkspaceID, key app.KeyID, idempotencyKey string, a app.Response) error {
	_, err := t.saveResponse(ws, key, idempotencyKey, a, "")
	return err
}

func (t tx) PruneResponses(before when.Instant, limit int) (int, error) {
	n, err := t.Exec(`DELETE FROM answers WHERE (/* apart workspace_id, */ key_id, idempotency_key) IN (
		SELECT /* apart workspace_id, */ key_id, idempotency_key FROM answers
		WHERE created_ms < ? ORDER BY created_ms LIMIT ?)
		AND created_ms < ?`, before, limit, before)
	return int(n), err
}
