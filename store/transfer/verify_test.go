package transfer_test

import (
	"errors"
	"strings"
	"testing"

	"daybook/store/engine"
	"daybook/store/enginetest"
	"daybook/store/transfer"
)

// What was changed on either side while it was copied is found, and the table is named.
func TestChangesAreFound(t *testing.T) {
	changes := map[string]string{
		"hosts has other values": `UPDATE hosts SET name = name || '!'`,
		"contacts has ": `INSERT INTO contacts (id, workspace_id, email_key, email, name, phone, time_zone, notes, created_ms)
			SELECT 1, MIN(workspace_id), 'x', 'x', 'x', '', 'UTC', '', 1 FROM hosts`,
	}
	for says, change := range changes {
		for side := range 2 {
			places := []string{enginetest.Place(t), other(t)}
			newSalon(t, places[0])
			changed, reached := false, map[string]bool{}
			var err error
			with(t, places[side], func(db engine.Engine) {
				_, err = copied(t, places[0], places[1], transfer.Options{Progress: func(table string, _, _ int64) error {
					reached[table] = true
					if reached["hosts"] && reached["contacts"] && table != "hosts" && table != "contacts" && !changed {
						changed = true
						execute(t, db, change)
					}
					return nil
				}})
			})
			if !errors.Is(err, transfer.ErrDiffers) || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "bookings") {
				t.Errorf("%s on side %d: %v", change, side, err)
			}
		}
	}
}
