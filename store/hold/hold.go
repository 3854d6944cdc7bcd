// package hold has the SQL of holds. That they take a host's time is in the one query for that, see package store.
package hold

import (
	"time"

	"daybook/app/availability"
	"daybook/app/catalog"
	"daybook/app/hold"
	"daybook/app/record"
	"daybook/app/when"
	"daybook/store/engine"
	"daybook/store/row"
)

// Queries read, on the readers' pool or within a transaction.
type Queries struct{ *engine.Querier }

// Tx writes.
type Tx struct{ *engine.Transaction }

const columns = `id, workspace_id, event_type_id, host_id, seats, start_ms, end_ms, busy_start_ms, busy_end_ms, place,
	host_named, maker, person, expires_ms`

// The few holds of a workspace that are live are found by their end; what else is asked for is looked at row by row.
const (
	byID  = `SELECT ` + columns + ` FROM holds WHERE id = ? AND workspace_id = ? AND expires_ms > ?`
	alike = `SELECT ` + columns + ` FROM holds WHERE workspace_id = ? AND expires_ms > ? AND maker = ? AND person = ?
		AND event_type_id = ? AND start_ms = ? LIMIT 1`
	byMaker   = `SELECT COUNT(*) FROM holds WHERE workspace_id = ? AND expires_ms > ? AND maker = ?`
	byPerson  = `SELECT COUNT(*) FROM holds WHERE workspace_id = ? AND expires_ms > ? AND person = ?`
	ofVisitor = `SELECT CAST(COALESCE(SUM(busy_end_ms - busy_start_ms), 0) AS BIGINT) FROM holds
		WHERE host_id = ? AND start_ms >= ? AND start_ms < ? AND expires_ms > ?
		AND maker LIKE '` + hold.VisitorPrefix + `%'`
	starts = `SELECT host_id, start_ms FROM holds WHERE workspace_id = ? AND expires_ms > ? AND event_type_id = ?
		AND start_ms >= ? AND start_ms < ? ORDER BY start_ms`
	pruned  = `DELETE FROM holds WHERE id IN (SELECT id FROM holds WHERE expires_ms <= ? ORDER BY expires_ms LIMIT ?)`
	tooLong = `DELETE FROM holds WHERE expires_ms > ?`
)

func scan(scan func(...any) error) (h hold.Hold, err error) {
	err = scan(&h.ID, &h.WorkspaceID, &h.EventTypeID, &h.Host.ID, &h.Seats, &h.Start, &h.End, &h.BusyStart, &h.BusyEnd,
		row.OrZero(&h.Place), &h.HostNamed, &h.Maker, &h.Person, &h.ExpiresAt)
	return h, row.Found(err)
}

func (q Queries) Hold(ws catalog.WorkspaceID, id record.HoldID, now when.Instant) (hold.Hold, error) {
	return scan(q.One(byID, id, ws, now))
}

func (q Queries) SameHold(ws catalog.WorkspaceID, maker, person string, e catalog.EventTypeID,
	start, now when.Instant) (hold.Hold, error) {
	return scan(q.One(alike, ws, now, maker, person, e, start))
}

func (q Queries) CountHolds(ws catalog.WorkspaceID, maker, person string, now when.Instant) (n int, err error) {
	query, who := byMaker, maker
	if maker == "" {
		query, who = byPerson, person
	}
	err = q.Scan(query, []any{ws, now, who}, &n)
	return n, err
}

func (q Queries) VisitorHolds(host catalog.HostID, from, to, now when.Instant) (time.Duration, error) {
	var ms int64
	err := q.Scan(ofVisitor, []any{host, from, to, now}, &ms)
	return time.Duration(ms) * time.Millisecond, err
}

// HeldStarts implements availability.Reader.
func (q Queries) HeldStarts(ws catalog.WorkspaceID, e catalog.EventTypeID,
	from, to, held when.Instant) ([]availability.Counted, error) {
	return row.List(q, func(scan func(...any) error) (c availability.Counted, err error) {
		err = scan(&c.Host, &c.Start)
		return c, err
	}, starts, ws, held, e, from, to)
}

func (t Tx) MarkHolds(ws catalog.WorkspaceID) error {
	_, err := t.Exec(`UPDATE workspaces SET holds = 1, revision = revision + 1 WHERE id = ? AND holds = 0`, ws)
	return err
}

func (t Tx) InsertHold(h *hold.Hold) error {
	_, err := t.Exec(`INSERT INTO holds (`+columns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		h.ID, h.WorkspaceID, h.EventTypeID, h.Host.ID, h.Seats, h.Start, h.End, h.BusyStart, h.BusyEnd,
		row.OrNull(h.Place), row.Bit(h.HostNamed), h.Maker, h.Person, h.ExpiresAt)
	return err
}

func (t Tx) EndHold(ws catalog.WorkspaceID, id record.HoldID, now when.Instant) (bool, error) {
	n, err := t.Exec(`DELETE FROM holds WHERE id = ? AND workspace_id = ? AND expires_ms > ?`, id, ws, now)
	return n == 1, err
}

func (t Tx) PruneHolds(now when.Instant, limit int) (int, error) {
	n, err := t.Exec(pruned, now, limit)
	return int(n), err
}

func (t Tx) EndLongHolds(after when.Instant) error {
	_, err := t.Exec(tooLong, after)
	return err
}
