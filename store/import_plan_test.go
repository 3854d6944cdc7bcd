package store

import (
	"strings"
	"testing"

	"daybook/store/enginetest"
)

// What is asked about imports is read by an index on either engine, however many there are.
func TestImportsAreReadByTheirIndexes(t *testing.T) {
	db := enginetest.Open(t)
	for _, c := range []struct {
		name, query string
		args        []any
		indexes     [2]string // of SQLite, and of PostgreSQL
	}{
		{"those of a workspace", importsOf, []any{1, 2}, [2]string{"imports_of (workspace_id=?)", "imports_"}},
		{"the latest", latestImport, []any{1}, [2]string{"imports_of (workspace_id=?)", "imports_"}},
		{"the one that runs", busyImport, []any{1}, [2]string{"imports_busy (workspace_id=?)", "imports_"}},
		{"those that are undone", undoingImports + undoingOrder, []any{1}, [2]string{"imports_busy", "imports_busy"}},
		{"the old ones", oldImports, []any{1, 2}, [2]string{"imports_old (until_ms<?)", "imports_old"}},
		{"newer ones", newerImport, []any{1, 2}, [2]string{"import_contacts_open (contact_id=? AND import_id>?)", "import_contacts"}},
		{"what is to be undone", openImported, []any{1, 2, 3, 4}, [2]string{"PRIMARY KEY (workspace_id=? AND import_id=? AND contact_id>?)", "import_contacts_"}},
		{"of a contact that goes", forgetImported, []any{1, 2}, [2]string{"import_contacts_open (contact_id=?)", "import_contacts"}},
		{"by a number elsewhere", `SELECT c.id` + contactsForeign, []any{1, "17", 10}, [2]string{"contacts_foreign (workspace_id=? AND foreign_id=?)", "contacts_foreign"}},
		{"bookings to be undone", openBookings, []any{1, 2, 3, 4}, [2]string{"PRIMARY KEY (workspace_id=? AND import_id=? AND booking_id>?)", "import_bookings_"}},
		{"those before a moved one", rebaseBookings, []any{1, 2, 3, 4}, [2]string{"import_bookings_open (booking_id=?)", "import_bookings_"}},
		{"services to be undone", openServices, []any{1, 2}, [2]string{"PRIMARY KEY (workspace_id=? AND import_id=?)", "import_services_"}},
		{"who and what came from a program", importedParts, []any{1, "calcom"}, [2]string{"PRIMARY KEY (workspace_id=? AND source=?)", "imported_parts_"}},
		{"what hangs on a booking", hangsOn, []any{1, 2, 3, 4, 5}, [2]string{"mails_by_booking (booking_id=?)", "mails_by_booking"}},
		{"who was told", toldOf, []any{1, 2, 3, 4, 5}, [2]string{"deliveries_log (endpoint_id=? AND id>? AND id<?)", "deliveries_"}},
		{"who was written to", writtenTo, []any{1, 2, 3, 4}, [2]string{"mails", "mails"}},
		{"who has asked", hasAsked, []any{1, "a", 2, "a", 3, 4}, [2]string{"guest_requests_by_person (email_key=? AND made_ms>?)", "guest_requests"}},
	} {
		if enginetest.OnPostgres() {
			if got := enginetest.PlanOnPostgres(t, db, c.query, c.args...); !strings.Contains(got, c.indexes[1]) {
				t.Errorf("%s: want %s\n%s", c.name, c.indexes[1], got)
			}
			continue
		}
		got := enginetest.Plan(t, db, c.query, c.args...)
		if !strings.Contains(got, c.indexes[0]) || strings.Contains(got, "SCAN m") || strings.Contains(got, "SCAN import_") || strings.Contains(got, "SCAN guest") {
			t.Errorf("%s: want %s\n%s", c.name, c.indexes[0], got)
		}
	}
}
