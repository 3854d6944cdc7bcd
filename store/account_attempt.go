package store

import "daybook/app/when"

func (t tx) CountAttempt(of []byte, most int, now, from, to when.Instant) (bool, error) {
	n, err := t.Exec(`INSERT INTO attempts (hash, n, since_ms) VALUES (?, 1, ?) ON CONFLICT (hash) DO UPDATE SET
		n = CASE WHEN attempts.since_ms > ? AND attempts.since_ms < ? THEN attempts.n + 1 ELSE 1 END,
		since_ms = CASE WHEN attempts.since_ms > ? AND attempts.since_ms < ? THEN attempts.since_ms ELSE excluded.since_ms END
		WHERE attempts.n < ? OR attempts.since_ms <= ?
		OR attempts.since_ms >= ?`, of, now, from, to, from, to, most, from, to)
	return n == 1, err
}

func (t tx) ReleaseAttempt(of []byte) error {
	_, err := t.Exec(`UPDATE attempts SET n = n - 1 WHERE hash = ? AND n > 0`, of)
	return err
}

func (t tx) ForgiveAttempts(of []byte) error {
	_, err := t.Exec(`DELETE FROM attempts WHERE hash = ?`, of)
	return err
}

func (t tx) PruneAttempts(from, to when.Instant, limit int) (int, error) {
	n, err := t.Exec(`DELETE FROM attempts WHERE (since_ms <= ? OR since_ms >= ?)
		AND hash IN (SELECT hash FROM attempts WHERE since_ms <= ? OR since_ms >= ? LIMIT ?)`, from, to, from, to, limit)
	return int(n), err
}
