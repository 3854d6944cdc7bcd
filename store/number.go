package store

import (
	"context"
	"errors"
	"fmt"

	"daybook/store/engine"
)

// Lists that somebody follows, the events of a workspace and the history of all bookings, are read in the order of
// numbers. Whoever sees a number must see all that are smaller, at once and for ever, or followers would skip some.
//
// Where one transaction writes at a time (Transaction.Serial), each insert takes the next number. Elsewhere the one
// that takes it first may commit last. So an event is committed without a number, and an entry of the history with one
// below zero, and who reads next numbers what is committed, in a short transaction of its own. Of several that number,
// on whichever servers, one holds the row of the numbering; a number that it gives is greater than all that were given
// before. What commits meanwhile is numbered after that, so it comes behind all that anyone has seen.
//
// The row is held by a lease: the database ends the transaction of a server that is silent for a second (Brief), and
// the next reader numbers. Nothing but these lists waits for numbers.
type numbering struct {
	engine engine.Engine
	one    chan struct{} // has room while nobody numbers in this process: each takes a connection that writes
}

const numberedAtOnce = 1000

// newNumbering returns nil for an engine that needs none.
func newNumbering(e engine.Engine) *numbering {
	if e.Readers().Serial() {
		return nil
	}
	return &numbering{e, make(chan struct{}, 1)}
}

// Number numbers all events and entries of the history that are committed.
func (s *Store) Number(ctx context.Context) error { return s.bound(ctx).numbered() }

// numbered numbers what was committed before the call. In a transaction, which reads what others numbered, it does
// nothing.
func (q queries) numbered() error {
	n := q.numbering
	if n == nil {
		return nil
	}
	if some, err := q.unnumbered(); err != nil || !some {
		return err
	}
	ctx := q.Context()
	select {
	case n.one <- struct{}{}:
		defer func() { <-n.one }()
	case <-ctx.Done():
		return ctx.Err()
	}
	for {
		some, err := q.unnumbered() // another goroutine may have done it
		if err != nil || !some {
			return err
		}
		err = n.engine.Write(ctx, func(t *engine.Transaction) error { return newTx(t).number(numberedAtOnce) })
		if errors.Is(err, engine.ErrReadOnly) {
			return nil // what has a number can be read
		}
		if err != nil {
			return fmt.Errorf("store: the numbering of events: %w", err)
		}
	}
}

func (q queries) unnumbered() (some bool, err error) {
	err = q.Scan(`SELECT CASE WHEN EXISTS (SELECT 1 FROM events WHERE number IS NULL)
		OR EXISTS (SELECT 1 FROM booking_history WHERE number < 0) THEN 1 ELSE 0 END`, nil, &some)
	return some, err
}

const (
	lockNumbers = `UPDATE followers SET last_number = last_number WHERE name = 'numbering'`
	// An event's id is greater than those of all earlier events of its booking: it is made behind the lock of its host.
	// The last numbers are found once a workspace: later they would lie behind those that are being given.
	numberEvents = `WITH u AS MATERIALIZED (SELECT id, workspace_id FROM events WHERE number IS NULL ORDER BY id LIMIT ?),
		l AS MATERIALIZED (
			SELECT workspace_id, COALESCE((SELECT MAX(number) FROM events WHERE workspace_id = w.workspace_id), 0) AS number
			FROM (SELECT DISTINCT workspace_id FROM u) w),
		n AS MATERIALIZED (
			SELECT u.id, l.number + row_number() OVER (PARTITION BY u.workspace_id ORDER BY u.id) AS number
			FROM u JOIN l ON l.workspace_id = u.workspace_id)
		UPDATE events SET number = n.number FROM n WHERE events.id = n.id`
	// The numbers below zero go down as entries are written.
	numberHistory = `WITH n AS MATERIALIZED (
			SELECT u.number AS made, nextval('booking_history_numbers') AS number
			FROM (SELECT number FROM booking_history WHERE number < 0 ORDER BY number DESC LIMIT ?) u)
		UPDATE booking_history SET number = n.number FROM n WHERE booking_history.number = n.made`
)

// number numbers at most limit events and as many entries of the history. Its statements must see what the one who
// held the row before has committed, so each has to look anew: READ COMMITTED.
func (t tx) number(limit int) error {
	if err := t.Brief(); err != nil {
		return err
	}
	n, err := t.Exec(lockNumbers)
	if err == nil && n != 1 {
		err = errors.New("the table followers has no row of the name numbering")
	}
	if err == nil {
		_, err = t.Exec(numberEvents, limit)
	}
	if err == nil {
		_, err = t.Exec(numberHistory, limit)
	}
	return err
}
