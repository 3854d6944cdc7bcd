package enginetest

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"daybook/store/engine"
)

// PlanOnPostgres is PostgreSQL's plan of a query where a scan of a whole table is the last choice, as it is when tables
// are large. The test fails when no index serves: a plan without one still scans.
func PlanOnPostgres(t testing.TB, db engine.Engine, query string, args ...any) string {
	t.Helper()
	for _, arg := range args {
		query = strings.Replace(query, "?", sqlValue(arg), 1)
	}
	tx, err := Raw(t, db).Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	if _, err := tx.Exec("SET LOCAL enable_seqscan = off"); err != nil {
		t.Fatal(err)
	}
	rows, err := tx.Query("EXPLAIN " + query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			t.Fatal(err)
		}
		all = append(all, line)
	}
	got := strings.Join(all, "\n")
	if rows.Err() != nil || strings.Contains(got, "Seq Scan") {
		t.Errorf("%s: %v\n%s", query, rows.Err(), got)
	}
	return got
}

// sqlValue returns a value as SQL writes it.
func sqlValue(arg any) string {
	v := reflect.ValueOf(arg)
	switch v.Kind() {
	case reflect.String:
		return "'" + v.String() + "'"
	case reflect.Slice:
		return fmt.Sprintf(`'\x%x'::bytea`, arg)
	case reflect.Invalid:
		return "NULL"
	}
	return fmt.Sprintf("%d", arg)
}
