// Package enginetest opens the database that tests run on: SQLite, or what DAYBOOK_TEST_DB names. Only tests import it.
//
//	DAYBOOK_TEST_DB=sqlite         files in the test's directory; the same as nothing
//	DAYBOOK_TEST_DB=postgres       databases on a PostgreSQL server that the test process starts and throws away
//	DAYBOOK_TEST_DB=postgres://…   databases on that server; the user must be allowed to make them
//
// With DAYBOOK_TEST_TWICE=1 each change runs twice and its first run is undone, as on an engine that repeats a change
// after a conflict. This reveals changes that count or collect something outside of themselves.
//
// With DAYBOOK_TEST_APART=1 on PostgreSQL no transaction may touch two workspaces, see Crossings.
package enginetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"daybook/store/engine"
	"daybook/store/migrations"
	"daybook/store/pgtest"
	"daybook/store/postgres"
	"daybook/store/sqlite"
)

// Open returns a fresh database with Daybook's schema.
func Open(t testing.TB) engine.Engine {
	t.Helper()
	return OpenAt(t, Place(t))
}

// Place makes a fresh database with Daybook's schema and returns what --db takes: a path or a URL. The database is
// removed after the test.
func Place(t testing.TB) string {
	t.Helper()
	if OnPostgres() {
		return PlaceOnPostgres(t)
	}
	return PlaceOnSQLite(t)
}

// PlaceOnPostgres is Place on PostgreSQL, whichever engine is tested.
func PlaceOnPostgres(t testing.TB) string {
	t.Helper()
	return PlaceOn(t, pgtest.Shared(t))
}

// PlaceOn is Place on the PostgreSQL server of the URL.
func PlaceOn(t testing.TB, server string) string {
	t.Helper()
	made := migrated
	if keptApart() {
		made = migratedApart
	}
	template, err := made(server)
	if err != nil {
		t.Fatal(err)
	}
	place := copyOn(t, server, template)
	if !keptApart() {
		return place
	}
	own, err := as(place, apartRole)
	if err != nil {
		t.Fatal(err)
	}
	places.Store(postgres.WithoutPassword(own), own)
	unbound.Store(own, place)
	return own
}

// copyOn returns a copy of the template, until the test ends.
func copyOn(t testing.TB, server, template string) string {
	t.Helper()
	place := pgtest.Fresh(t, server, template)
	places.Store(postgres.WithoutPassword(place), place)
	return place
}

// KeptOnPostgres returns a database of that name on PostgreSQL with Daybook's schema, which stays after the test. It is
// made unless it is there.
func KeptOnPostgres(t testing.TB, name string) string {
	t.Helper()
	server := pgtest.Shared(t)
	template, err := migrated(server)
	if err != nil {
		t.Fatal(err)
	}
	place, err := pgtest.Create(t.Context(), server, name, template)
	var e *pgconn.PgError
	if errors.As(err, &e) && e.Code == "42P04" { // it is there
		place, err = pgtest.URL(server, name)
	}
	if err != nil {
		t.Fatal(err)
	}
	places.Store(postgres.WithoutPassword(place), place)
	return place
}

// PlaceOnSQLite is Place on SQLite, whichever engine is tested.
func PlaceOnSQLite(t testing.TB) string {
	t.Helper()
	file, err := migratedFile()
	if err != nil {
		t.Fatal(err)
	}
	return copyFile(t, file)
}

// copyFile returns a file with that content, until the test ends.
func copyFile(t testing.TB, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.db")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// migratedFile is the content of a file with Daybook's schema, made by the first who asks.
var migratedFile = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "daybooksqlite")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	ctx, path := context.Background(), filepath.Join(dir, "t.db")
	db, err := sqlite.Open(ctx, sqlite.Options{Path: path, Create: true, Readers: 1})
	if err != nil {
		return nil, err
	}
	_, err = db.Migrate(ctx)
	if err := errors.Join(err, db.Close()); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// OpenAt opens a database that Place made, as a server does, until the test ends. Each call is another server.
func OpenAt(t testing.TB, place string) engine.Engine {
	t.Helper()
	db, err := Connect(context.Background(), place)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// Hear runs do, which commits in another process or engine, and waits until the engine notices: at once on SQLite,
// after a moment on PostgreSQL. It fails the test after a second.
func Hear(t testing.TB, db engine.Engine, do func()) {
	t.Helper()
	before, err := db.DataVersion()
	if err != nil {
		t.Fatal(err)
	}
	do()
	for deadline := time.Now().Add(time.Second); ; runtime.Gosched() {
		now, err := db.DataVersion()
		if err != nil {
			t.Fatal(err)
		}
		if now != before {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("a commit elsewhere is not heard of in a second")
		}
	}
}

// Again opens the database of an engine once more, as another server does.
func Again(t testing.TB, db engine.Engine) engine.Engine {
	t.Helper()
	if place, ok := places.Load(db.Path()); ok {
		return OpenAt(t, place.(string))
	}
	return OpenAt(t, db.Path())
}

// Raw opens the database behind an engine as another program would, for statements that no noun has. It is closed
// after the test.
func Raw(t testing.TB, db engine.Engine) *sql.DB {
	t.Helper()
	driver, name := "sqlite", "file:"+db.Path()+"?_pragma=busy_timeout(5000)"
	if OnPostgres() {
		place, _ := places.Load(db.Path())
		driver, name = "pgx", place.(string)
		if all, ok := unbound.Load(name); ok {
			name = all.(string)
		}
	}
	raw, err := sql.Open(driver, name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { raw.Close() })
	return raw
}

// Tables lists the names of the nouns' tables, and schema_migrations.
func Tables(t testing.TB, raw *sql.DB) (all []string) {
	t.Helper()
	query := "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
	if OnPostgres() {
		query = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename <> 'server_leases' " +
			"ORDER BY 1"
	}
	rows, err := raw.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		all = append(all, name)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// Break makes every INSERT or UPDATE of a table fail with the error "broken" for rows that meet the condition, such as
// "OLD.seq = 1"; an empty condition means all rows. Mend undoes it.
func Break(t testing.TB, raw *sql.DB, table, verb, condition string) {
	t.Helper()
	statements := []string{"CREATE TRIGGER broken BEFORE " + verb + " ON " + table +
		" BEGIN SELECT RAISE(ABORT, 'broken'); END"}
	if condition != "" {
		statements[0] = strings.Replace(statements[0], " BEGIN", " WHEN "+condition+" BEGIN", 1)
	}
	if OnPostgres() {
		if condition != "" {
			condition = " WHEN (" + condition + ")"
		}
		statements = []string{
			"CREATE OR REPLACE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''broken''; END'",
			"CREATE TRIGGER broken BEFORE " + verb + " ON " + table + " FOR EACH ROW" + condition + " EXECUTE FUNCTION broken()",
		}
	}
	for _, s := range statements {
		if _, err := raw.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// Mend undoes Break.
func Mend(t testing.TB, raw *sql.DB, table string) {
	t.Helper()
	query := "DROP TRIGGER broken"
	if OnPostgres() {
		query += " ON " + table
	}
	if _, err := raw.Exec(query); err != nil {
		t.Fatal(err)
	}
}

// places maps Engine.Path to the URL of a database with its password.
var places sync.Map

// unbound are the same URLs for a user who may read and write the rows of many workspaces at once, see Crossings.
var unbound sync.Map

// Connect is OpenAt for a process that a test has started. The caller closes it.
func Connect(ctx context.Context, place string) (engine.Engine, error) {
	db, err := connect(ctx, place)
	if err == nil && os.Getenv("DAYBOOK_TEST_TWICE") != "" {
		db = Twice(db)
	}
	return db, err
}

// Twice wraps an engine so that each change runs twice; the first run is undone.
func Twice(db engine.Engine) engine.Engine { return twice{db} }

type twice struct{ engine.Engine }

var errAgain = errors.New("once more")

// Write implements engine.Engine.
func (e twice) Write(ctx context.Context, change func(*engine.Transaction) error) error {
	return e.Engine.Write(ctx, inTwoRuns(change))
}

// WriteAlong implements engine.Engine.
func (e twice) WriteAlong(ctx context.Context, change func(*engine.Transaction) error) error {
	return e.Engine.WriteAlong(ctx, inTwoRuns(change))
}

func inTwoRuns(change func(*engine.Transaction) error) func(*engine.Transaction) error {
	return func(t *engine.Transaction) error {
		err := t.Try(func() error {
			if err := change(t); err != nil {
				return err
			}
			return errAgain
		})
		if err != errAgain {
			return err
		}
		return change(t)
	}
}

func connect(ctx context.Context, place string) (engine.Engine, error) {
	if strings.HasPrefix(place, "postgres://") {
		// Most tests do one thing after the other, and each connection costs the server a process: others are opened
		// when they are needed.
		return postgres.Open(ctx, postgres.Options{URL: place, Serving: true, Ready: 1})
	}
	return sqlite.Open(ctx, sqlite.Options{Path: place, Serving: true})
}

// OnPostgres tells which engine is tested.
func OnPostgres() bool { return strings.HasPrefix(os.Getenv("DAYBOOK_TEST_DB"), "postgres") }

// OnlySQLite skips a test on other engines, for a reason such as "it copies the file".
func OnlySQLite(t testing.TB, reason string) {
	t.Helper()
	if OnPostgres() {
		t.Skip("on SQLite only: " + reason)
	}
}

// migrated is the name of a database with Daybook's schema on the server, made by the first who asks.
var migrated = onceEach(func(ctx context.Context, server string) (string, error) {
	return pgtest.Template(ctx, server, migrations.Postgres(), migrate)
})

// onceEach is make, called once for each server.
func onceEach(make func(ctx context.Context, server string) (string, error)) func(server string) (string, error) {
	var all sync.Map // URL of a server → func() (string, error)
	return func(server string) (string, error) {
		made, _ := all.LoadOrStore(server, sync.OnceValues(func() (string, error) {
			return make(context.Background(), server)
		}))
		return made.(func() (string, error))()
	}
}

func migrate(ctx context.Context, url string) error {
	db, err := postgres.Open(ctx, postgres.Options{URL: url})
	if err != nil {
		return err
	}
	_, err = db.Migrate(ctx)
	return errors.Join(err, db.Close())
}

// Plan returns SQLite's plan for a query, one step per line. On another engine it skips the test.
func Plan(t testing.TB, db engine.Engine, query string, args ...any) string {
	t.Helper()
	if _, ok := db.(*sqlite.DB); !ok {
		t.Skip("reads the query plans of SQLite")
	}
	var steps []struct {
		ID, Parent, NotUsed int
		Detail              string
	}
	if err := engine.NewQuerier(t.Context(), db.Readers()).All(&steps, "EXPLAIN QUERY PLAN "+query, args...); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	var lines []string
	for _, step := range steps {
		lines = append(lines, step.Detail)
	}
	return strings.Join(lines, "\n")
}

// Dump returns what all tables hold as text, but for those of these names.
func Dump(t testing.TB, raw *sql.DB, but ...string) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, table := range Tables(t, raw) {
		if !slices.Contains(but, table) {
			all[table] = Rows(t, raw, table)
		}
	}
	return all
}

// Rows returns a table's rows as text, sorted.
func Rows(t testing.TB, raw *sql.DB, table string) (all []string) {
	t.Helper()
	rows, err := raw.Query("SELECT * FROM " + table)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	values, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		for i, v := range values {
			switch v := v.(type) {
			case string:
				values[i] = strconv.Quote(v)
			case []byte:
				values[i] = strconv.Quote(string(v))
			}
		}
		all = append(all, fmt.Sprint(values))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

// Differences returns the rows that only one of two Dumps has; "" is none.
func Differences(before, after map[string][]string) string {
	var b strings.Builder
	for _, table := range slices.Sorted(maps.Keys(after)) {
		for _, row := range before[table] {
			if !slices.Contains(after[table], row) {
				fmt.Fprintf(&b, "%s: - %s\n", table, row)
			}
		}
		for _, row := range after[table] {
			if !slices.Contains(before[table], row) {
				fmt.Fprintf(&b, "%s: + %s\n", table, row)
			}
		}
	}
	return b.String()
}
