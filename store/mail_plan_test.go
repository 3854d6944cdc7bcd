package store

import (
	"slices"
	"strings"
	"testing"

	"daybook/app/catalog"
	"daybook/app/mail"
	"daybook/app/work"
	"daybook/store/engine"
	"daybook/store/enginetest"
)

// Every list and claim of mails reads an index in its order: the log grows without end.
func TestMailsAreReadByIndex(t *testing.T) {
	db := enginetest.Open(t)
	planOf := func(query string, args ...any) string { return enginetest.Plan(t, db, query, args...) }
	list := func(f mail.Filter) string {
		query, args := listMails(1, f)
		return planOf(query, args...)
	}
	stuck := func(ws catalog.WorkspaceID) string {
		query, args := listStuck(ws, 5, 9, 5)
		return planOf(query, args...)
	}
	claim := func(of work.Buckets) string {
		query, args := claimMails(of, 0)
		if (of == work.AllBuckets) != (args == nil) {
			t.Errorf("%x: %s", uint64(of), query)
		}
		return planOf(query, slices.Concat([]any{1, 2, 3}, args, []any{5})...)
	}
	for index, got := range map[string]string{
		"mails_of":         list(mail.Filter{Limit: 5}),
		"mails_of (":       list(mail.Filter{State: mail.Sent, After: 9, Limit: 5}),
		"mails_failed":     list(mail.Filter{State: mail.Failed, After: 9, Limit: 5}),
		"mails_by_booking": list(mail.Filter{Booking: 3, Limit: 5}),
		"mails_of (typed":  planOf(typedSince, 1, 9, 5),
		"mails_of (member": planOf(invitedSince, 1, 9, 5),
		"mails_due":        planOf(`SELECT id FROM mails WHERE state = 0 AND due_ms <= 5 AND +workspace_id = 1 ORDER BY due_ms, id LIMIT 5`),
		"mails_due (":      stuck(1),
		"mails_due (stuck": stuck(0),
		"mails_due (all":   claim(work.AllBuckets),
		"mails_due (some":  claim(work.FairBuckets(1, 3)),
	} {
		index, _, _ = strings.Cut(index, " ")
		if !strings.Contains(got, index) || strings.Contains(got, "TEMP B-TREE") || strings.Contains(got, "SCAN mails\n") {
			t.Errorf("%s: %s", index, got)
		}
	}
}

// The mails about a series are few, and are found by its bookings.
func TestMailsOfASeriesAreReadByIndex(t *testing.T) {
	query, args := listMails(1, mail.Filter{Series: 3, Limit: 5})
	got := enginetest.Plan(t, enginetest.Open(t), query, args...)
	if !strings.Contains(got, "mails_by_booking") || !strings.Contains(got, "series_bookings") || strings.Contains(got, "SCAN mails") {
		t.Error(got)
	}
}

// Recipients of many workspaces are asked about by the key of their refusals, and so are bookings by theirs.
func TestManyAreFoundByTheirKeys(t *testing.T) {
	db := enginetest.Open(t)
	args := slices.Repeat([]any{1, "a@mail.example", "team"}, 8)
	got := enginetest.Plan(t, db, refusedMails(8), args...)
	if !strings.Contains(got, "SEARCH r USING PRIMARY KEY (workspace_id=? AND email_key=? AND topic=?)") ||
		strings.Contains(got, "SCAN r") {
		t.Error(got)
	}
	got = enginetest.Plan(t, db, inviteeEmails+engine.Placeholders(8), slices.Repeat([]any{1}, 8)...)
	if !strings.Contains(got, "SEARCH bookings USING INTEGER PRIMARY KEY (rowid=?)") {
		t.Error(got)
	}
}
