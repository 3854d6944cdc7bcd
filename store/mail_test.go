package store

import (
	"context"
	"strings"
	"testing"

	"daybook/app/mail"
)

// Every list and claim of mails reads an index in its order: the log grows without end.
func TestMailsAreReadByIndex(t *testing.T) {
	db, err := Open(t.Context(), Options{Path: t.TempDir() + "/t.db", Create: true, Migrations: Schema()})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Migrate(context.Background()); err != nil {
		t.Fatal(err)
	}
	plan := func(query string, args ...any) string {
		var lines []string
		rows, err := db.side.Query("EXPLAIN QUERY PLAN "+query, args...)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var a, b, c int
			var text string
			if err := rows.Scan(&a, &b, &c, &text); err != nil {
				t.Fatal(err)
			}
			lines = append(lines, text)
		}
		return strings.Join(lines, "; ")
	}
	list := func(f mail.MailFilter) string {
		query, args := listMails(1, f)
		return plan(query, args...)
	}
	for index, got := range map[string]string{
		"mails_of":               list(mail.MailFilter{Limit: 5}),
		"mails_of (":             list(mail.MailFilter{State: mail.MailSent, After: 9, Limit: 5}),
		"mails_failed":           list(mail.MailFilter{State: mail.MailFailed, After: 9, Limit: 5}),
		"mails_by_booking":       list(mail.MailFilter{Booking: 3, Limit: 5}),
		"mails_due":              plan(`SELECT id FROM mails WHERE state = 0 AND due_ms <= 5 AND +workspace_id = 1 ORDER BY due_ms, id LIMIT 5`),
		"mails_due (":            plan(stuckMails, 9, 1, 5, 5),
		"booking_history_untold": plan(`SELECT seq FROM booking_history h WHERE h.told = 0 ORDER BY h.at_ms, h.booking_id, h.seq LIMIT 5`),
	} {
		index, _, _ = strings.Cut(index, " ")
		if !strings.Contains(got, index) || strings.Contains(got, "TEMP B-TREE") || strings.Contains(got, "SCAN mails;") {
			t.Errorf("%s: %s", index, got)
		}
	}
}
