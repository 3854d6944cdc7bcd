package store

import (
	"fmt"
	"strings"
	"testing"

	"daybook/app/contact"
	"daybook/store/enginetest"
)

// What is asked while somebody types reads the terms by their index, and contacts and bookings by theirs, however many
// there are: no table is scanned on either engine.
func TestContactsAreFoundByTheirTerms(t *testing.T) {
	s := open(t)
	queries := map[string]struct {
		some []string
		all  [][]string
	}{
		"two letters": {contact.Beginnings("an"), nil}, "a number": {[]string{"4930901", "030901", "30901", contact.EndOf("4930901")}, nil},
		"a name": {contact.Beginnings("kellermann"), [][]string{contact.Beginnings("an"), contact.Beginnings("maria")}},
	}
	if enginetest.OnPostgres() {
		raw := enginetest.Raw(t, s.Engine)
		// The rules that tie rows to others are not asked: only the plans matter.
		for _, query := range []string{
			`SET session_replication_role = replica`,
			`INSERT INTO contacts (id, workspace_id, email_key, email, name, phone, time_zone, notes, created_ms)
				SELECT n, 1, 'p' || n || '@mail.example', 'p' || n || '@mail.example', 'Ann ' || n, '', '', '', 0 FROM generate_series(1, 30000) n`,
			`INSERT INTO contact_terms (workspace_id, term, contact_id) SELECT 1, x || n, n FROM generate_series(1, 30000) n,
				(VALUES ('ann'), ('p'), ('k'), ('4930')) terms(x)`,
			`ANALYZE contacts`, `ANALYZE contact_terms`,
		} {
			if _, err := raw.Exec(query); err != nil {
				t.Fatal(err)
			}
		}
		for name, q := range queries {
			query, args := beginning(1, q.some, q.all, 8)
			for _, arg := range args {
				value := fmt.Sprintf("%d", arg)
				if text, is := arg.(string); is {
					value = "'" + text + "'"
				}
				query = strings.Replace(query, "?", value, 1)
			}
			rows, err := raw.Query("EXPLAIN " + query)
			if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, query)
			}
			var plan strings.Builder
			for rows.Next() {
				var line string
				if err := rows.Scan(&line); err != nil {
					t.Fatal(err)
				}
				plan.WriteString(line + "\n")
			}
			if got := plan.String(); rows.Err() != nil || !strings.Contains(got, "contact_terms_pkey") || strings.Contains(got, "Seq Scan on contact") {
				t.Errorf("%s: %v\n%s", name, rows.Err(), got)
			}
			rows.Close()
		}
		return
	}
	for name, q := range queries {
		query, args := beginning(1, q.some, q.all, 8)
		got := plan(t, s, query, args)
		for _, line := range strings.Split(got, "\n") {
			if table, scan := strings.CutPrefix(line, "SCAN "); scan && table != "t" && table != "found" && table != "best" {
				t.Errorf("%s scans %s:\n%s", name, table, got)
			}
		}
		if !strings.Contains(got, "SEARCH contact_terms USING PRIMARY KEY (workspace_id=? AND term>? AND term<?)") {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}
