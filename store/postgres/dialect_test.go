package postgres

import "testing"

// What is only about the columns of this engine is a comment to SQLite, and part of the statement here.
func TestText(t *testing.T) {
	for query, want := range map[string]string{
		`SELECT 1 FROM a WHERE +a.x = ? AND /* apart a.workspace_id = */ ? > 0 AND y > ?`: `SELECT 1 FROM a WHERE a.x = $1 AND a.workspace_id = $2 AND y > $3`,
		`ON e.id = d.id /* apart AND e.w = d.w */ WHERE x = ? /* claim d */`:              `ON e.id = d.id AND e.w = d.w WHERE x = $1 FOR UPDATE OF d SKIP LOCKED`,
	} {
		if got := text(query); got != want {
			t.Errorf("%s\nis %s\nnot %s", query, got, want)
		}
	}
}
