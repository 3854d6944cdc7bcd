// The SQL of what other programs said of imported bookings.

package store

import (
	"daybook/app/catalog"
	"daybook/app/movein"
	"daybook/store/engine"
)

var (
	_ movein.Reader = queries{}
	_ movein.Tx     = tx{}
)

const (
	importedBooking = `SELECT booking_id, host_id, event_type_id, start_ms, end_ms FROM imported_bookings
		WHERE workspace_id = ? AND source = ? AND foreign_id = ?`
	saveImportedBooking = `INSERT INTO imported_bookings (workspace_id, source, foreign_id, booking_id, host_id,
		event_type_id, start_ms, end_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (workspace_id, source, foreign_id) DO UPDATE SET booking_id = excluded.booking_id,
		host_id = excluded.host_id, event_type_id = excluded.event_type_id, start_ms = excluded.start_ms,
		end_ms = excluded.end_ms`
)

// ImportedBooking implements movein.Reader.
func (q queries) ImportedBooking(ws catalog.WorkspaceID, source, foreign string) (movein.Known, error) {
	k := movein.Known{Workspace: ws, Source: source, Foreign: foreign}
	err := q.Scan(importedBooking, []any{ws, source, foreign}, &k.Booking, &k.Host, &k.EventType, &k.Start, &k.End)
	return k, engine.Found(err)
}

// SaveImportedBooking implements movein.Tx.
func (t tx) SaveImportedBooking(k *movein.Known) error {
	_, err := t.Exec(saveImportedBooking, k.Workspace, k.Source, k.Foreign, k.Booking, k.Host, k.EventType, k.Start, k.End)
	return err
}
