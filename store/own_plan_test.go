package store

import (
	"strings"
	"testing"

	"daybook/store/enginetest"
)

// What opens a page of one's own, and what ends it, is found by an index, however many links and devices there are.
func TestOwnPagesReadIndexes(t *testing.T) {
	db, hash := enginetest.Open(t), []byte{1}
	for name, x := range map[string]struct {
		query string
		args  []any
		index string
	}{
		"a link":                {ownLink, []any{1, hash}, "PRIMARY KEY (workspace_id=? AND hash=?)"},
		"links of an hour":      {ownLinksSince, []any{1, 2, 3}, "own_links_of (contact_id=? AND made_ms>?)"},
		"a device":              {ownDevice, []any{1, hash}, "PRIMARY KEY (workspace_id=? AND hash=?)"},
		"how many devices":      {ownDevices, []any{1, 2}, "own_devices_of (contact_id=?)"},
		"links that end":        {endOwnLinks, []any{1, 2}, "own_links_of (contact_id=?)"},
		"devices that end":      {endOwnDevices, []any{1, 2}, "own_devices_of (contact_id=?)"},
		"devices beyond ten":    {trimOwnDevices, []any{1, 2, 100, 9}, "own_devices_of (contact_id=?)"},
		"old links":             {pruneOwnLinks, []any{9, 50, 9}, "own_links_old (made_ms<?)"},
		"links to nobody":       {pruneNobodysLinks, []any{9, 50, 9}, "own_links_of (contact_id=? AND made_ms<?)"},
		"old devices":           {pruneOwnDevices, []any{9, 50, 9}, "own_devices_old (opened_ms<?)"},
		"mails of a contact":    {dropOwnMails, []any{1, 2}, "own_links_of (contact_id=?)"},
		"receipts of bookings":  {receiptsOf + `(?, ?)`, []any{1, 2}, "receipts_of (booking_id=?)"},
		"links that move along": {moveOwnLinks, []any{1, 2, 3}, "own_links_of (contact_id=?)"},
	} {
		if enginetest.OnPostgres() {
			if got := enginetest.PlanOnPostgres(t, db, x.query, x.args...); !strings.Contains(got, "Index") {
				t.Errorf("%s:\n%s", name, got)
			}
			continue
		}
		if got := enginetest.Plan(t, db, x.query, x.args...); !strings.Contains(got, x.index) || strings.Contains(got, "SCAN own_") {
			t.Errorf("%s, want %s:\n%s", name, x.index, got)
		}
	}
}
