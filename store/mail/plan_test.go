package mail

import (
	"strings"
	"testing"

	"daybook/app/mail"
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
	for index, got := range map[string]string{
		"mails_of":         list(mail.Filter{Limit: 5}),
		"mails_of (":       list(mail.Filter{State: mail.Sent, After: 9, Limit: 5}),
		"mails_failed":     list(mail.Filter{State: mail.Failed, After: 9, Limit: 5}),
		"mails_by_booking": list(mail.Filter{Booking: 3, Limit: 5}),
		"mails_due":        planOf(`SELECT id FROM mails WHERE state = 0 AND due_ms <= 5 AND +workspace_id = 1 ORDER BY due_ms, id LIMIT 5`),
		"mails_due (":      planOf(stuckMails, 9, 1, 5, 5),
	} {
		index, _, _ = strings.Cut(index, " ")
		if !strings.Contains(got, index) || strings.Contains(got, "TEMP B-TREE") || strings.Contains(got, "SCAN mails\n") {
			t.Errorf("%s: %s", index, got)
		}
	}
}
