package store

import "daybook/app"

func (q queries) EventsAfter(ws app.WorkspaceID, after app.EventID, limit int) (all []app.Event, err error) {
	const query = `SELECT id, workspace_id, kind, booking_id, created_ms, body FROM events WHERE workspace_id = ? AND id > ? ORDER BY id LIMIT ?`
	err = q.each(query, []any{ws, after, limit}, func(scan func(...any) error) error {
		var e app.Event
		err := scan(&e.ID, &e.WorkspaceID, &e.Kind, &e.BookingID, &e.CreatedAt, &e.Body)
		all = append(all, e)
		return err
	})
	return all, err
}

func (t tx) insertEvent(e app.Event) error {
	_, err := t.exec(`INSERT INTO events (id, workspace_id, kind, booking_id, created_ms, body) VALUES (?, ?, ?, ?, ?, ?)`,
		e.ID, e.WorkspaceID, e.Kind, e.BookingID, e.CreatedAt, e.Body)
	return err
}
