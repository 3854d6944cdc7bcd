// The SQL of holds. That they take a host's time is in the one query for that, see package store.

package store

import (
	"time"

	"daybook/app"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/slot"
	"daybook/app/when"
	"daybook/store/engine"
)

const holdColumns = `id, workspace_id, event_type_id, host_id, seats, start_ms, end_ms, busy_start_ms, busy_end_ms, place,
	host_named, maker, person, expires_ms, visit_hold_id, waits`

// The few holds of a workspace that are live are found by their end; what else is asked for is looked at row by row.
const (
	holdByID  = `SELECT ` + holdColumns + ` FROM holds WHERE id = ? AND workspace_id = ? AND expires_ms > ?`
	alikeHold = `SELECT ` + holdColumns + ` FROM holds WHERE workspace_id = ? AND expires_ms > ? AND maker = ? AND person = ?
		AND event_type_id = ? AND start_ms = ? AND COALESCE(visit_hold_id, id) = id LIMIT 1`
	holdsOfVisit = `SELECT ` + holdColumns + ` FROM holds WHERE workspace_id = ? AND expires_ms > ? AND visit_hold_id = ?
		ORDER BY start_ms, id`
	holdsByMaker   = `SELECT COUNT(*) FROM holds WHERE workspace_id = ? AND expires_ms > ? AND maker = ? AND COALESCE(visit_hold_id, id) = id`
	holdsByPerson  = `SELECT COUNT(*) FROM holds WHERE workspace_id = ? AND expires_ms > ? AND person = ? AND COALESCE(visit_hold_id, id) = id`
	holdsOfVisitor = `SELECT CAST(COALESCE(SUM(busy_end_ms - busy_start_ms), 0) AS BIGINT),
		CAST(COALESCE(SUM(CASE WHEN COALESCE(visit_hold_id, -1) <> ? THEN busy_end_ms - busy_start_ms END), 0) AS BIGINT) FROM holds
		WHERE host_id = ? AND start_ms >= ? AND start_ms < ? AND expires_ms > ?
		AND maker LIKE '` + app.HoldVisitorPrefix + `%'`
	spansOfVisitor = `SELECT CAST(COALESCE(SUM(s.busy_end_ms - s.busy_start_ms), 0) AS BIGINT),
		CAST(COALESCE(SUM(CASE WHEN COALESCE(h.visit_hold_id, -1) <> ? THEN s.busy_end_ms - s.busy_start_ms END), 0) AS BIGINT)
		FROM hold_spans s
		JOIN holds h ON h.id = s.hold_id WHERE s.kind = ? AND s.subject_id = ? AND s.start_ms >= ? AND s.start_ms < ?
		AND s.expires_ms > ? AND h.maker LIKE '` + app.HoldVisitorPrefix + `%'`
	heldStarts = `SELECT host_id, start_ms FROM holds WHERE workspace_id = ? AND expires_ms > ? AND event_type_id = ?
		AND start_ms >= ? AND start_ms < ? ORDER BY start_ms`
	pruneHolds   = `DELETE FROM holds WHERE id IN (SELECT id FROM holds WHERE expires_ms <= ? ORDER BY expires_ms LIMIT ?)`
	holdsTooLong = `DELETE FROM holds WHERE expires_ms > ?`
)

func scanHold(scan func(...any) error) (h app.Hold, err error) {
	err = scan(&h.ID, &h.WorkspaceID, &h.EventTypeID, &h.Host.ID, &h.Seats, &h.Start, &h.End, &h.BusyStart, &h.BusyEnd,
		engine.OrZero(&h.Place), &h.HostNamed, &h.Maker, &h.Person, &h.ExpiresAt,
		engine.OrZero(&h.Visit), engine.OrZero(&h.For))
	return h, engine.Found(err)
}

func (q queries) Hold(ws catalog.WorkspaceID, id booking.HoldID, now when.Instant) (app.Hold, error) {
	return scanHold(q.One(holdByID, id, ws, now))
}

func (q queries) SameHold(ws catalog.WorkspaceID, maker, person string, e catalog.EventTypeID,
	start, now when.Instant) (app.Hold, error) {
	return scanHold(q.One(alikeHold, ws, now, maker, person, e, start))
}

func (q queries) HoldsOfVisit(ws catalog.WorkspaceID, id booking.HoldID, now when.Instant) ([]app.Hold, error) {
	return engine.List(q, scanHold, holdsOfVisit, ws, now, id)
}

func (q queries) CountHolds(ws catalog.WorkspaceID, maker, person string, now when.Instant) (n int, err error) {
	query, who := holdsByMaker, maker
	if maker == "" {
		query, who = holdsByPerson, person
	}
	err = q.Scan(query, []any{ws, now, who}, &n)
	return n, err
}

func (q queries) VisitorHolds(subjects []catalog.Subject, visit booking.HoldID, from, to,
	now when.Instant) (time.Duration, error) {
	var most, all, others int64
	var err error
	add := func(query string, args ...any) {
		if err == nil {
			var held, more int64
			err = q.Scan(query, append(append([]any{visit}, args...), from, to, now), &held, &more)
			all, others = all+held, others+more
		}
	}
	end := func() {
		if others > 0 {
			most = max(most, all)
		}
		all, others = 0, 0
	}
	for _, of := range subjects {
		if of.Kind == catalog.SubjectHost {
			add(holdsOfVisitor, of.ID)
		}
		add(spansOfVisitor, of.Kind, of.ID)
		end()
	}
	return time.Duration(most) * time.Millisecond, err
}

// HeldStarts implements availability.Reader.
func (q queries) HeldStarts(ws catalog.WorkspaceID, e catalog.EventTypeID,
	from, to, held when.Instant) ([]availability.Counted, error) {
	return engine.List(q, func(scan func(...any) error) (c availability.Counted, err error) {
		err = scan(&c.Host, &c.Start)
		return c, err
	}, heldStarts, ws, held, e, from, to)
}

func (t tx) MarkHolds(ws catalog.WorkspaceID) error {
	_, err := t.Exec(`UPDATE workspaces SET holds = 1, revision = revision + 1 WHERE id = ? AND holds = 0`, ws)
	return err
}

func (t tx) InsertHold(h *app.Hold) error {
	busyStart, busyEnd := ownBusy(&h.Taken)
	_, err := t.Exec(`INSERT INTO holds (`+holdColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		h.ID, h.WorkspaceID, h.EventTypeID, h.Host.ID, h.Seats, h.Start, h.End, busyStart, busyEnd,
		engine.OrNull(int64(h.Place)), engine.Bit(h.HostNamed), h.Maker, h.Person, h.ExpiresAt,
		engine.OrNull(int64(h.Visit)), engine.OrNull(int(h.For)))
	if err != nil {
		return err
	}
	return eachSpan(h.Host.ID, &h.Taken, func(of catalog.Subject, w slot.Work) error {
		return t.Later(insertHoldSpan, h.WorkspaceID, h.ID, of.Kind, of.ID, h.Host.ID, h.EventTypeID, w.Own.Start, w.Own.End,
			w.Occupied.Start, w.Occupied.End, h.ExpiresAt, engine.OrNull(int(h.For)))
	})
}

func (t tx) EndHold(ws catalog.WorkspaceID, id booking.HoldID, now when.Instant) (bool, error) {
	n, err := t.Exec(`DELETE FROM holds WHERE id = ? AND workspace_id = ? AND expires_ms > ?`, id, ws, now)
	return n == 1, err
}

func (t tx) EndVisitHolds(ws catalog.WorkspaceID, id booking.HoldID, now when.Instant) error {
	_, err := t.Exec(`DELETE FROM holds WHERE workspace_id = ? AND expires_ms > ? AND visit_hold_id = ?`, ws, now, id)
	return err
}

func (t tx) PruneHolds(now when.Instant, limit int) (int, error) {
	n, err := t.Exec(pruneHolds, now, limit)
	return int(n), err
}

func (t tx) EndLongHolds(after when.Instant) error {
	_, err := t.Exec(holdsTooLong, after)
	return err
}
