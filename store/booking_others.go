package store

import "daybook/app/booking"

const (
	insertOther  = `INSERT INTO booking_others (workspace_id, booking_id, host_id, start_ms) VALUES (?, ?, ?, ?)`
	forgetOthers = `DELETE FROM booking_others WHERE workspace_id = ? AND booking_id = ?`
	markOthers   = `UPDATE workspaces SET others = 1 WHERE id = ? AND others = 0`
)

// saveOthers keeps who does the booking beside its host, whatever its state.
func (t tx) saveOthers(b *booking.Booking, insert bool) error {
	if !insert && b.KeepsOthers {
		if err := t.Later(forgetOthers, b.WorkspaceID, b.ID); err != nil {
			return err
		}
	}
	others := b.Others()
	b.KeepsOthers = len(others) > 0
	for _, h := range others {
		if err := t.Later(insertOther, b.WorkspaceID, b.ID, h.ID, b.Start); err != nil {
			return err
		}
	}
	return nil
}
