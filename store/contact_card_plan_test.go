package store

import (
	"strings"
	"testing"

	"daybook/app/contact"
	"daybook/store/engine"
	"daybook/store/enginetest"
)

// What is read of a card is found by an index and comes in the order of one, however many cards and files there are.
func TestCardsReadIndexes(t *testing.T) {
	db := enginetest.Open(t)
	one, oneArgs := listContacts(1, "", []string{"vip"}, contact.Missing{}, 5, 51)
	two, twoArgs := listContacts(1, "", []string{"ol", "vip"}, contact.Missing{}, 5, 51)
	for name, x := range map[string]struct {
		query string
		args  []any
		index string
	}{
		"contacts with a tag": {one, oneArgs, "PRIMARY KEY (workspace_id=? AND tag_key=?)"},
		"with two":            {two, twoArgs, "EXISTS USING COVERING INDEX contact_tags_gone (contact_id=? AND workspace_id=? AND tag_key=?)"},
		"cards of a page": {cards + engine.Placeholders(2) + cardFields + engine.Placeholders(2), []any{1, 2, 3, 1, 2, 3},
			"contact_tags_"},
		"their own fields": {cards + engine.Placeholders(2) + cardFields + engine.Placeholders(2), []any{1, 2, 3, 1, 2, 3},
			"SEARCH f USING INDEX contact_fields_gone (contact_id=? AND workspace_id=?)"},
		"values of a field":   {fieldValues, []any{1, 2}, "COVERING INDEX contact_fields_of (workspace_id=? AND field_id=?)"},
		"values of bookings":  {fieldWritten, []any{1, 2}, "COVERING INDEX booking_fields_of (workspace_id=? AND field_id=?)"},
		"what was written":    {writtenFields + engine.Placeholders(2), []any{1, 2, 3}, "booking_fields_gone (booking_id=? AND workspace_id=?)"},
		"removed fields":      {removedFields, []any{9}, "removed_fields_at"},
		"removed values":      {dropValues[0], []any{1, 2, 9}, "contact_fields_of (workspace_id=? AND field_id=?)"},
		"removed written":     {dropValues[1], []any{1, 2, 9}, "booking_fields_of (workspace_id=? AND field_id=?)"},
		"entries":             {contactEntries, []any{1, 2, 1, 9, 51}, "contact_entries_of (workspace_id=? AND contact_id=? AND pinned<?)"},
		"the last formula":    {lastFormula, []any{1, 2}, "contact_entries_kind (workspace_id=? AND contact_id=? AND kind=? AND corrected=?)"},
		"how many entries":    {entriesTotal, []any{1, 2}, "(workspace_id=? AND contact_id=?)"},
		"files":               {contactFiles, []any{1, 2, 9, 51}, "contact_files_of (workspace_id=? AND contact_id=? AND id<?)"},
		"a file":              {contactFileData, []any{1, 2, 1, 9}, "(workspace_id=? AND file_id=? AND part>? AND part<?)"},
		"how many files":      {filesOfContact, []any{1, 2}, "(workspace_id=? AND contact_id=?)"},
		"their bytes":         {filesOfWorkspace, []any{1}, "COVERING INDEX contact_files_total (workspace_id=?)"},
		"incomplete files":    {incompleteFiles, []any{9, 50}, "contact_files_incomplete (id<?)"},
		"consents":            {contactConsents, []any{1, 2, 9, 51}, "contact_consents_of (workspace_id=? AND contact_id=? AND id<?)"},
		"how many consents":   {consentsTotal, []any{1, 2}, "(workspace_id=? AND contact_id=?)"},
		"the one that counts": {latestConsent, []any{1, 2, "patch-test"}, "contact_consents_latest (workspace_id=? AND contact_id=? AND kind=?)"},
		"health":              {contactHealth, []any{1, 2, 9, 51}, "contact_health_of (workspace_id=? AND contact_id=? AND id<?)"},
		"how much of it":      {healthTotal, []any{1, 2}, "(workspace_id=? AND contact_id=?)"},
		"entries to erase":    {eraseEntries, []any{1, 1, 2, 50}, "contact_id=?"},
	} {
		if enginetest.OnPostgres() {
			if got := enginetest.PlanOnPostgres(t, db, x.query, x.args...); !strings.Contains(got, "Index") {
				t.Errorf("%s:\n%s", name, got)
			}
			continue
		}
		got := enginetest.Plan(t, db, x.query, x.args...)
		if !strings.Contains(got, x.index) || strings.Contains(got, "SCAN") && x.query != removedFields ||
			strings.Contains(got, "TEMP B-TREE") {
			t.Errorf("%s:\n%s\n%s", name, x.query, got)
		}
	}
	// The sums of a contact begin with its bookings.
	if !enginetest.OnPostgres() {
		got := enginetest.Plan(t, db, spent, 1, 2, 1, 2, 1, 2)
		if strings.Count(got, "bookings_by_contact (contact_id=?") != 2 || !strings.Contains(got, "counter_entries_of (") || !strings.Contains(got, "counter_entries_of_sale") {
			t.Errorf("what a contact has paid:\n%s", got)
		}
	}
}
