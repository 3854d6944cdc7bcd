package store

import (
	"daybook/app/catalog"
	"daybook/app/record"
	"daybook/store/row"
)

func (q queries) EventsAfter(ws catalog.WorkspaceID, after record.EventID, limit int) (all []record.Event, err error) {
	const query = `SELECT id, workspace_id, kind, booking_id, created_ms, body FROM events
		WHERE workspace_id = ? AND id > ? AND booking_id IS NOT NULL ORDER BY id LIMIT ?`
	err = q.Each(query, []any{ws, after, limit}, func(scan func(...any) error) error {
		var e record.Event
		err := scan(&e.ID, &e.WorkspaceID, &e.Kind, &e.BookingID, &e.CreatedAt, &e.Body)
		all = append(all, e)
		return err
	})
	return all, err
}

func (q queries) EventByID(id record.EventID) (e record.Event, err error) {
	err = q.Scan(`SELECT id, workspace_id, kind, COALESCE(booking_id, 0), created_ms, body FROM events WHERE id = ?`, []any{id},
		&e.ID, &e.WorkspaceID, &e.Kind, &e.BookingID, &e.CreatedAt, &e.Body)
	return e, row.Found(err)
}

func (t tx) LastEvent() (id record.EventID, err error) {
	err = t.Scan(`SELECT COALESCE(MAX(id), 0) FROM events`, nil, &id)
	return id, err
}

func (t tx) InsertEvent(e *record.Event) error {
	_, err := t.Exec(`INSERT INTO events (id, workspace_id, kind, booking_id, created_ms, body) VALUES (?, ?, ?, ?, ?, ?)`,
		e.ID, e.WorkspaceID, e.Kind, row.OrNull(e.BookingID), e.CreatedAt, e.Body)
	if err != nil {
		return err
	}
	for _, to := range e.To {
		_, err := t.Exec(`INSERT INTO deliveries (id, event_id, endpoint_id, due_ms, created_ms) VALUES (?, ?, ?, ?, ?)`,
			to.Delivery, e.ID, to.Endpoint, e.CreatedAt, e.CreatedAt)
		if err != nil {
			return err
		}
	}
	return nil
}

const pruneEventsQuery = `DELETE FROM events WHERE id IN (SELECT id FROM events
	WHERE id < ? AND id < COALESCE((SELECT MIN(event_id) FROM deliveries WHERE state = 0), 9223372036854775807) ORDER BY id LIMIT ?)`

func (t tx) PruneEvents(before record.EventID, limit int) (int, error) {
	n, err := t.Exec(pruneEventsQuery, before, limit)
	return int(n), err
}
