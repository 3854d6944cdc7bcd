package store

import (
	"daybook/app"
	"daybook/app/when"
	"daybook/store/row"
)

func (q queries) Answer(key app.KeyID, idempotencyKey string, since when.Instant) (a app.Answer, err error) {
	const query = `SELECT fingerprint, status, location, body, created_ms FROM answers WHERE key_id = ?
		AND idempotency_key = ? AND created_ms > ?`
	err = q.Scan(query, []any{key, idempotencyKey, since}, &a.Fingerprint, &a.Status, &a.Location, &a.Body, &a.CreatedAt)
	return a, row.Found(err)
}

func (t tx) ClaimAnswer(key app.KeyID, idempotencyKey string, fingerprint []byte, now,
	since when.Instant) (bool, error) {
	n, err := t.Exec(`INSERT INTO answers (key_id, idempotency_key, fingerprint, status, location, body, created_ms)
		VALUES (?, ?, ?, 0, '', ?, ?)
		ON CONFLICT (key_id, idempotency_key) DO UPDATE SET fingerprint = excluded.fingerprint, status = excluded.status,
		location = excluded.location, body = excluded.body, created_ms = excluded.created_ms WHERE answers.created_ms <= ?`,
		key, idempotencyKey, fingerprint, []byte{}, now, since)
	return n == 1, err
}

func (t tx) DropAnswer(key app.KeyID, idempotencyKey string) error {
	_, err := t.Exec(`DELETE FROM answers WHERE key_id = ? AND idempotency_key = ?`, key, idempotencyKey)
	return err
}

func (t tx) SaveAnswer(key app.KeyID, idempotencyKey string, a app.Answer) error {
	_, err := t.Exec(`INSERT INTO answers (key_id, idempotency_key, fingerprint, status, location, body, created_ms)
		VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (key_id, idempotency_key) DO UPDATE SET fingerprint = excluded.fingerprint, status = excluded.status,
		location = excluded.location, body = excluded.body, created_ms = excluded.created_ms`,
		key, idempotencyKey, a.Fingerprint, a.Status, a.Location, a.Body, a.CreatedAt)
	return err
}

func (t tx) PruneAnswers(before when.Instant, limit int) (int, error) {
	n, err := t.Exec(`DELETE FROM answers WHERE (key_id, idempotency_key) IN (SELECT key_id, idempotency_key FROM answers
		WHERE created_ms < ? ORDER BY created_ms LIMIT ?)
		AND created_ms < ?`, before, limit, before)
	return int(n), err
}
