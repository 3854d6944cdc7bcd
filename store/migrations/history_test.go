package migrations_test

import (
	"database/sql"
	"testing"
)

// On PostgreSQL, who has numbered an entry of the history keeps others from numbering the next until it has committed:
// a follower that sees a number sees all that are smaller.
func TestHistoryIsNumberedInTheOrderOfCommits(t *testing.T) {
	_, pg := both(t)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	_, err := pg.Exec(`ALTER TABLE booking_history DROP CONSTRAINT booking_history_booking_id_fkey`)
	must(err)
	const insert = `INSERT INTO booking_history (booking_id, seq, at_ms, actor, actor_id, action, to_status, start_ms, reason)
		VALUES ($1, 1, 1, 'api', '', 'created', 1, 1, '') RETURNING number`
	add := func(tx *sql.Tx, booking int) (number int64, err error) {
		err = tx.QueryRow(insert, booking).Scan(&number)
		return number, err
	}
	first, err := pg.DB.Begin()
	must(err)
	defer first.Rollback()
	one, err := add(first, 1)
	must(err)
	second, err := pg.DB.Begin()
	must(err)
	defer second.Rollback()
	_, err = second.Exec(`SET LOCAL lock_timeout = '100ms'`)
	must(err)
	if n, err := add(second, 2); err == nil {
		t.Fatalf("number %d was given before %d was committed", n, one)
	}
	must(second.Rollback())
	must(first.Commit())
	third, err := pg.DB.Begin()
	must(err)
	two, err := add(third, 2)
	must(err)
	must(third.Commit())
	if two <= one {
		t.Errorf("numbers %d, then %d", one, two)
	}
}
