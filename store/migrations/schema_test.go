package migrations_test

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jmoiron/sqlx"

	"daybook/store/enginetest"
	"daybook/store/migrations"
	"daybook/store/pgtest"
	"daybook/store/postgres"
	"daybook/store/sqlite"

	_ "github.com/jackc/pgx/v5/stdlib"
)

// both are the databases that the two folders make.
func both(t *testing.T) (lite, pg *sqlx.DB) {
	t.Helper()
	url := pgtest.Fresh(t, pgtest.Shared(t), "")
	p, err := postgres.Open(t.Context(), postgres.Options{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if _, err := p.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "s.db")
	s, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	if _, err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	lite = sqlx.MustOpen("sqlite", "file:"+path)
	pg = sqlx.MustOpen("pgx", url)
	t.Cleanup(func() { lite.Close(); pg.Close() })
	return lite, pg
}

// compare fails with the lines that only one of the two has.
func compare(t *testing.T, lite, pg []string) {
	t.Helper()
	if len(lite) < 30 {
		t.Fatalf("only %d lines were read", len(lite))
	}
	for _, line := range lite {
		if !slices.Contains(pg, line) {
			t.Errorf("only on SQLite:     %s", line)
		}
	}
	for _, line := range pg {
		if !slices.Contains(lite, line) {
			t.Errorf("only on PostgreSQL: %s", line)
		}
	}
}

func lines(t *testing.T, db *sqlx.DB, query string) (all []string) {
	t.Helper()
	if err := db.SelectContext(t.Context(), &all, query); err != nil {
		t.Fatal(err)
	}
	return all
}

// Tables and columns with their types, NULLs and defaults are the same on both.
func TestSameColumns(t *testing.T) {
	lite, pg := both(t)
	ofLite := lines(t, lite, `SELECT t.name || '.' || c.name || ' ' ||
			CASE c.type WHEN 'INTEGER' THEN 'bigint' WHEN 'BLOB' THEN 'bytea' ELSE lower(c.type) END ||
			CASE WHEN c."notnull" = 1 OR c.pk > 0 THEN ' not null' ELSE '' END || COALESCE(' default ' || c.dflt_value, '')
		FROM pragma_table_list t JOIN pragma_table_info(t.name) c WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%'`)
	ofPG := lines(t, pg, `SELECT table_name || '.' || column_name || ' ' || data_type ||
			CASE is_nullable WHEN 'NO' THEN ' not null' ELSE '' END ||
			CASE WHEN column_default LIKE '%nextval(%' THEN '' -- SQLite numbers the rows of such a key by itself
			ELSE COALESCE(' default ' || replace(column_default, '::text', ''), '') END
		FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'server_leases'
			AND NOT (table_name = 'schema_migrations' AND column_name = 'allows') -- which SQLite needs not
			AND NOT (table_name IN ('booking_history', 'deliveries', 'answers') AND column_name = 'workspace_id')`)
	compare(t, ofLite, ofPG)
}

// Texts are compared byte by byte in every column.
func TestTextsAreCompared(t *testing.T) {
	_, pg := both(t)
	wrong := lines(t, pg, `SELECT table_name || '.' || column_name FROM information_schema.columns
		WHERE table_schema = 'public' AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C' AND table_name <> 'schema_migrations'`)
	for _, column := range wrong {
		t.Errorf(`%s is not TEXT COLLATE "C"`, column)
	}
}

var (
	condition = regexp.MustCompile(`(?is)\bWHERE\b(.*)$`)
	noise     = regexp.MustCompile(`[\s()]+`)
)

// index is one index as both sides are compared by. SQLite ends each by the rowid, which is the id, so that the id at
// the end is left out on PostgreSQL.
func index(table, definition string, unique bool, columns []string) string {
	if !unique && len(columns) > 1 && columns[len(columns)-1] == "id" {
		columns = columns[:len(columns)-1]
	}
	line := table + " (" + strings.Join(columns, ", ") + ")"
	if unique {
		line += " unique"
	}
	if c := condition.FindStringSubmatch(definition); c != nil {
		line += " where " + strings.ToLower(noise.ReplaceAllString(c[1], ""))
	}
	return line
}

type indexRow struct {
	Table, Name, Definition, Columns string
	Unique                           bool
}

func indexes(t *testing.T, db *sqlx.DB, query string) (all []string) {
	t.Helper()
	var rows []indexRow
	if err := db.SelectContext(t.Context(), &rows, query); err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		all = append(all, index(r.Table, r.Definition, r.Unique, strings.Split(r.Columns, ",")))
	}
	return all
}

const indexesOfPG = `SELECT tablename AS "table", indexname AS name, i.indisunique AS "unique", indexdef AS definition,
		(SELECT string_agg(a.attname, ',' ORDER BY a.attnum) FROM pg_attribute a WHERE a.attrelid = i.indexrelid) AS columns
	FROM pg_indexes x JOIN pg_index i ON i.indexrelid = CAST(x.indexname AS regclass)
	WHERE schemaname = 'public' AND tablename <> 'server_leases'`

// directory are the keys and unique indexes of workspaces' tables that don't begin with the workspace: what a database
// that is divided by workspace must keep, or look up, in one place.
var directory = map[string]string{
	"workspaces (slug) unique":                    "the address of a booking page",
	"workspaces (id) unique":                      "the workspace itself",
	"users (email_key) unique":                    "who signs in names no workspace",
	"api_keys (hash) unique":                      "a request names its key only",
	"api_keys (previous_hash) unique":             "a request names its key only",
	"sessions (hash) unique":                      "a request names its session only",
	"invitations (hash) unique":                   "the link names itself only",
	"invitations (user_id) unique":                "of users, who are found without their workspace",
	"invitation_links (hash) unique":              "the link names itself only",
	"oauth_grants (code_hash) unique":             "a request names its code only",
	"oauth_grants (family_hash) unique":           "a request names its token only",
	"oauth_grants (access_hash) unique":           "a request names its token only",
	"oauth_grants (previous_access_hash) unique":  "a request names its token only",
	"passkeys (credential) unique":                "who signs in names their passkey only",
	"booking_history (number) unique":             "the history of all bookings is followed by number",
	"payments (booking_id, kind, attempt) unique": "of bookings, which links and queues know by id",
	"followers (name) unique":                     "how far the history of all bookings was followed",
}

// Keys begin with the workspace, or stand in the directory. Besides them an id is unique by itself.
func TestKeysBeginWithTheWorkspace(t *testing.T) {
	_, pg := both(t)
	var all []indexRow
	if err := pg.SelectContext(t.Context(), &all, indexesOfPG+` AND i.indisunique`); err != nil {
		t.Fatal(err)
	}
	begins := map[string]bool{}
	for _, r := range all {
		if strings.HasPrefix(r.Columns, "workspace_id") {
			begins[r.Table] = true
		}
	}
	found := map[string]bool{}
	for _, r := range all {
		line := index(r.Table, "", true, strings.Split(r.Columns, ","))
		_, known := directory[line]
		found[line] = true
		if strings.HasPrefix(r.Columns, "workspace_id") || known {
			continue
		}
		if _, shared := enginetest.Shared[r.Table]; shared {
			continue
		}
		if ids := []string{"id", "booking_id", "contact_id"}; begins[r.Table] && slices.Contains(ids, r.Columns) {
			continue // links, claims and the rows of tables without a workspace know it
		}
		t.Errorf("%s does not begin with the workspace; if it has to be so, say why in directory", line)
	}
	for line := range directory {
		if !found[line] {
			t.Errorf("directory names %s, which is not there", line)
		}
	}
}

var ledKey = regexp.MustCompile(`^((?:booking_history|answers) \()workspace_id, (.+ unique)$`)

// Indexes and keys have the same columns and conditions on both.
func TestSameIndexes(t *testing.T) {
	lite, pg := both(t)
	ofLite := indexes(t, lite, `SELECT t.name AS "table", i.name AS name, i."unique" AS "unique", COALESCE(s.sql, '') AS definition,
			(SELECT group_concat(c.name) FROM (SELECT COALESCE(name, 'coalesce') AS name FROM pragma_index_info(i.name)
				ORDER BY seqno) c) AS columns -- an expression has no name there, and that of its function on PostgreSQL
		FROM pragma_table_list t JOIN pragma_index_list(t.name) i LEFT JOIN sqlite_schema s ON s.name = i.name
		WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%'`)
	// The key of a table that is stored by rowid is no index there.
	ofLite = append(ofLite, indexes(t, lite, `SELECT t.name AS "table", '' AS name, 1 AS "unique", '' AS definition, c.name AS columns
		FROM pragma_table_list t JOIN pragma_table_info(t.name) c WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%'
		AND c.pk = 1 AND c.type = 'INTEGER' AND NOT EXISTS (SELECT 1 FROM pragma_index_list(t.name) WHERE origin = 'pk')`)...)
	ofPG := indexes(t, pg, indexesOfPG)
	// On PostgreSQL the key is the workspace and the id, and the id is unique besides. So no other index need be of
	// the workspace alone, as on SQLite, where it ends in the id too.
	byWorkspace := regexp.MustCompile(`^(\w+) \(workspace_id, (id|booking_id|contact_id)\) unique$`)
	// Some tables have their workspace on PostgreSQL only, before the key that SQLite has.
	for i, line := range ofPG {
		if m := ledKey.FindStringSubmatch(line); m != nil && slices.Contains(ofLite, m[1]+m[2]) {
			ofPG[i] = m[1] + m[2]
		}
	}
	led := map[string]bool{}
	every := slices.Clone(ofPG)
	ofPG = slices.DeleteFunc(ofPG, func(line string) bool {
		m := byWorkspace.FindStringSubmatch(line)
		if m == nil || !slices.Contains(every, m[1]+" ("+m[2]+") unique") {
			return false
		}
		led[m[1]+" (workspace_id)"] = true
		return true
	})
	if len(led) < 15 {
		t.Errorf("only %d tables have a key that begins with the workspace", len(led))
	}
	ofLite = slices.DeleteFunc(ofLite, func(line string) bool { return led[line] })
	compare(t, ofLite, ofPG)
}

// What SQLite's folder got after PostgreSQL's began, PostgreSQL's has under the same name.
func TestSameSteps(t *testing.T) {
	load := func(dir fs.FS) migrations.Set {
		set, err := migrations.Load(dir)
		if err != nil {
			t.Fatal(err)
		}
		return set
	}
	pg := load(migrations.Postgres())
	var want, got []string
	for _, m := range load(migrations.SQLite()) {
		if m.Version > pg[0].Version {
			want = append(want, m.Name)
		}
	}
	for _, m := range pg[1:] {
		got = append(got, m.Name)
	}
	if !slices.Equal(want, got) {
		t.Errorf("after %s, SQLite has the steps %v and PostgreSQL %v", pg[0].Name, want, got)
	}
}

// Each step for PostgreSQL states which binaries go on working beside it, by a line such as "-- Allows: 202611211948" or
// "-- Allows: none". Those from before this rule allow none. A line "-- Contract" says that the step removes what older
// binaries need.
func TestStepsStateWhatTheyAllow(t *testing.T) {
	const ruleSince = 202611212100
	set, err := migrations.Load(migrations.Postgres())
	if err != nil {
		t.Fatal(err)
	}
	lite, err := migrations.Load(migrations.SQLite())
	if err != nil {
		t.Fatal(err)
	}
	if err := stated(set, ruleSince); err != nil {
		t.Error(err)
	}
	for _, m := range lite {
		if m.Allows != 0 || m.Contract {
			t.Errorf("%s is for SQLite, where no binary of another schema runs: leave the lines -- Allows and -- Contract out", m.Name)
		}
	}
	silent := migrations.Set{{Version: ruleSince + 1, Name: "silent.sql", SQL: "SELECT 1"}}
	if stated(silent, ruleSince) == nil {
		t.Error("a step that states nothing was not found")
	}
}

func stated(set migrations.Set, since int) error {
	for _, m := range set {
		if m.Version > since && m.Allows == 0 && !strings.Contains(m.SQL, "\n-- Allows: none\n") &&
			!strings.HasPrefix(m.SQL, "-- Allows: none\n") {
			return fmt.Errorf("%s has no line \"-- Allows: …\"", m.Name)
		}
		if m.Allows >= m.Version {
			return fmt.Errorf("%s allows binaries that are not older", m.Name)
		}
	}
	return nil
}

// What was released before bookings took spans doesn't know of them, and would sell their time again: a database with them
// refuses it, on either engine. One that lacks only a step that allows it goes on.
func TestReleasesThatKnowNoSpansAreRefused(t *testing.T) {
	for name, files := range map[string]fs.FS{"SQLite": migrations.SQLite(), "PostgreSQL": migrations.Postgres()} {
		set, err := migrations.Load(files)
		if err != nil {
			t.Fatal(err)
		}
		var rows []migrations.Applied
		for _, m := range set {
			rows = append(rows, migrations.Applied{Version: m.Version, Name: m.Name, Checksum: m.Checksum, Allows: m.Allows})
		}
		at := slices.IndexFunc(set, func(m migrations.Migration) bool { return strings.Contains(m.SQL, "CREATE TABLE booking_spans") })
		if at < 1 {
			t.Fatalf("%s: no step brings spans", name)
		}
		for _, known := range []int{at, at + 1} { // the steps after it, such as parts, are as strict
			if err := set[:known].Check("daybook.db", rows, 1); !errors.Is(err, migrations.ErrNewer) {
				t.Errorf("%s: with %s as its last step a binary goes on: %v", name, set[known-1].Name, err)
			}
		}
		if err := set.Check("daybook.db", rows, 1); err != nil {
			t.Errorf("%s: this one: %v", name, err)
		}
	}
}
