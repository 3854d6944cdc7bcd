package migrations_test

import (
	"database/sql"
	"testing"
)

// On PostgreSQL, transactions that write the history don't wait for one another. Their entries have numbers below zero,
// going down, until they are committed and someone numbers them.
func TestHistoryIsNumberedAfterCommits(t *testing.T) {
	_, pg := both(t)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	const insert = `INSERT INTO booking_history (workspace_id, booking_id, seq, at_ms, actor, actor_id, action, to_status, start_ms, reason)
		VALUES (1, $1, 1, 1, 'api', '', 'created', 1, 1, '') RETURNING number`
	add := func(booking int) (tx *sql.Tx, number int64) {
		t.Helper()
		tx, err := pg.DB.Begin()
		must(err)
		t.Cleanup(func() { tx.Rollback() })
		_, err = tx.Exec(`SET LOCAL lock_timeout = '100ms'`)
		must(err)
		must(tx.QueryRow(insert, booking).Scan(&number))
		return tx, number
	}
	first, one := add(1)
	second, two := add(2)
	if one >= 0 || two >= one {
		t.Errorf("numbers %d, then %d", one, two)
	}
	must(second.Commit())
	must(first.Commit())
}
