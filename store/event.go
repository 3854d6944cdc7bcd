package store

import (
	"errors"
	"strings"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/webhook"
	"daybook/store/engine"
)

// listEvents writes the SELECT of a list behind a number, see numbering, or against the order up to it. The few events
// of one booking, which may be gone, are found by it, and sorted.
func listEvents(ws catalog.WorkspaceID, f webhook.EventFilter, number int64) (query string, args []any) {
	kinds := f.Kinds
	if kinds == nil {
		kinds = catalog.CommonKinds
	}
	query = `SELECT id, workspace_id, kind, COALESCE(booking_id, gone_booking), created_ms, body FROM events WHERE `
	if args = []any{ws, number}; f.Booking != 0 {
		query += `(booking_id = ? OR gone_booking = ?) AND +workspace_id = ? AND +number`
		args = []any{f.Booking, f.Booking, ws, number}
	} else {
		query += `COALESCE(booking_id, gone_booking) IS NOT NULL AND workspace_id = ? AND number`
	}
	behind, order := ` > ?`, ``
	if f.Descending {
		behind, order = ` <= ?`, ` DESC`
	}
	for _, k := range kinds {
		args = append(args, k)
	}
	query += behind + ` AND kind IN (?` + strings.Repeat(`, ?`, len(kinds)-1) + `) ORDER BY number` + order + ` LIMIT ?`
	return query, append(args, f.Limit)
}

const nextEvent = `SELECT number - 1 FROM events WHERE workspace_id = ? AND number > 0 AND id > ? ORDER BY number
	LIMIT 1`

// EventsAfter is Events of all kinds and bookings, in their order.
func (q queries) EventsAfter(ws catalog.WorkspaceID, after booking.EventID, limit int) ([]booking.Event, error) {
	return q.Events(ws, webhook.EventFilter{After: after, Limit: limit})
}

// Events implements webhook.Reads.
func (q queries) Events(ws catalog.WorkspaceID, f webhook.EventFilter) (all []booking.Event, err error) {
	if err := q.numbered(); err != nil {
		return nil, err
	}
	number, known, err := q.eventNumber(ws, f.After)
	switch {
	case f.Descending && (f.After == 0 || errors.Is(err, fault.ErrNotFound)):
		number, err = 1<<63-1, nil
	case errors.Is(err, fault.ErrNotFound):
		return nil, nil
	case err != nil:
		return nil, err
	case f.Descending && known:
		number--
	}
	query, args := listEvents(ws, f, number)
	err = q.Each(query, args, func(scan func(...any) error) error {
		var e booking.Event
		err := scan(&e.ID, &e.WorkspaceID, &e.Kind, &e.BookingID, &e.CreatedAt, &e.Body)
		all = append(all, e)
		return err
	})
	return all, err
}

// eventNumber returns the number to read on behind after an event, and whether the event is there, or fault.ErrNotFound while nothing comes after it.
//
// An event that is forgotten, or never was one of the workspace, stands for those with greater ids. The first of them
// by number may have some with smaller ids behind it, which were committed later. They are listed too: a list that
// begins there holds every event with a greater id, and at worst some that the caller has seen. Nor does the caller of
// a forgotten one miss those that came late: events are forgotten in the order of their ids, a month after, so that one
// with a smaller id has gone before it.
func (q queries) eventNumber(ws catalog.WorkspaceID, after booking.EventID) (number int64, known bool, err error) {
	if after == 0 {
		return 0, false, nil
	}
	const query = `SELECT number FROM events WHERE id = ? AND workspace_id = ? AND number IS NOT NULL`
	if err = engine.Found(q.Scan(query, []any{after, ws}, &number)); !errors.Is(err, fault.ErrNotFound) {
		return number, true, err
	}
	return number, false, engine.Found(q.Scan(nextEvent, []any{ws, after}, &number))
}

func (q queries) EventByID(id booking.EventID) (e booking.Event, err error) {
	err = q.Scan(`SELECT id, workspace_id, kind, COALESCE(booking_id, gone_booking, 0), created_ms, body FROM events WHERE id = ?`,
		[]any{id},
		&e.ID, &e.WorkspaceID, &e.Kind, &e.BookingID, &e.CreatedAt, &e.Body)
	return e, engine.Found(err)
}

func (t tx) LastEvent(ws catalog.WorkspaceID) (id booking.EventID, err error) {
	query, args := `SELECT COALESCE(MAX(id), 0) FROM events`, []any(nil) // found by the key
	if !t.Serial() {
		query, args = query+` WHERE workspace_id = ?`, []any{ws}
	}
	err = t.Scan(query, args, &id)
	return id, err
}

const (
	insertEvent = `INSERT INTO events (id, workspace_id, kind, booking_id, created_ms, body)
		VALUES (?, ?, ?, ?, ?, ?)`
	insertEventNumber = `INSERT INTO events (id, workspace_id, kind, booking_id, created_ms, body, number)
		VALUES (?, ?, ?, ?, ?, ?, COALESCE((SELECT MAX(number) FROM events WHERE workspace_id = ?), 0) + 1)`
)

const (
	insertDelivery      = `INSERT INTO deliveries (id, event_id, endpoint_id, due_ms, created_ms) VALUES (?, ?, ?, ?, ?)`
	insertDeliveryApart = `INSERT INTO deliveries (id, event_id, endpoint_id, due_ms, created_ms, workspace_id)
		VALUES (?, ?, ?, ?, ?, ?)`
)

func (t tx) InsertEvent(e *booking.Event) error {
	t.Show(*e)
	query, args := insertEvent, []any{e.ID, e.WorkspaceID, e.Kind, engine.OrNull(e.BookingID), e.CreatedAt, e.Body}
	if t.Serial() {
		query, args = insertEventNumber, append(args, e.WorkspaceID)
	}
	if err := t.Later(query, args...); err != nil {
		return err
	}
	for _, to := range e.To {
		query, args := insertDelivery, []any{to.Delivery, e.ID, to.Endpoint, e.CreatedAt, e.CreatedAt}
		if !t.Serial() {
			query, args = insertDeliveryApart, append(args, e.WorkspaceID)
		}
		if err := t.Later(query, args...); err != nil {
			return err
		}
	}
	return nil
}

const pruneEventsQuery = `DELETE FROM events WHERE id IN (SELECT id FROM events
	WHERE id < ? AND id NOT IN (SELECT event_id FROM deliveries WHERE state = 0)
	ORDER BY id LIMIT ?)`

func (t tx) PruneEvents(before booking.EventID, limit int) (int, error) {
	n, err := t.Exec(pruneEventsQuery, before, limit)
	return int(n), err
}
