package postgres_test

import (
	"errors"
	"slices"
	"testing"
	"testing/fstest"

	"daybook/store/engine"
	"daybook/store/migrations"
	"daybook/store/pgtest"
	"daybook/store/postgres"
)

// An older binary goes on working on a database that a newer one has migrated, as long as each step that it does not
// know allows it.
func TestOlderBinaryGoesOn(t *testing.T) {
	url := pgtest.Fresh(t, pgtest.Shared(t), "")
	steps := []struct{ name, sql string }{
		{"202701010000_start.sql", "CREATE TABLE a (id BIGINT PRIMARY KEY);"},
		{"202702010000_wider.sql", "-- Adds only.\n-- Allows: 202701010000\nALTER TABLE a ADD COLUMN b BIGINT;"},
		{"202703010000_wider.sql", "-- Allows: 202702010000\nALTER TABLE a DROP COLUMN b;"},
		{"202704010000_other.sql", "-- Allows: none\nALTER TABLE a ADD COLUMN c BIGINT;"},
	}
	binary := func(known int) *postgres.DB {
		t.Helper()
		files := fstest.MapFS{}
		for _, s := range steps[:known] {
			files[s.name] = &fstest.MapFile{Data: []byte(s.sql)}
		}
		db, err := postgres.Open(t.Context(), postgres.Options{URL: url, Migrations: files})
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
	// What binaries with 1, 2, 3 and 4 steps say after the one with so many has migrated.
	for _, c := range []struct {
		made    int
		goingOn []int
	}{{1, []int{1}}, {2, []int{1, 2}}, {3, []int{2, 3}}, {4, []int{4}}} {
		names, err := binary(c.made).Migrate(t.Context())
		if err != nil || len(names) != 1 || names[0] != steps[c.made-1].name {
			t.Fatal(names, err)
		}
		for known := 1; known <= c.made; known++ {
			db := binary(known)
			names, err := db.Migrate(t.Context())
			check := db.CheckSchema(t.Context())
			if slices.Contains(c.goingOn, known) {
				if err != nil || check != nil || len(names) != 0 {
					t.Errorf("with %d of %d steps: %v, %v", known, c.made, err, check)
				}
				write := db.Write(t.Context(), func(tx *engine.Transaction) error {
					_, err := tx.Exec(`INSERT INTO a (id) VALUES (?)`, 10*c.made+known)
					return err
				})
				if write != nil {
					t.Error(write)
				}
			} else if !errors.Is(err, migrations.ErrNewer) || !errors.Is(check, migrations.ErrNewer) {
				t.Errorf("with %d of %d steps: %v, %v", known, c.made, err, check)
			}
		}
	}
}

// A database whose table of steps was made before steps allowed anything is read, and gets the column with its next step.
func TestStepsFromBefore(t *testing.T) {
	url := pgtest.Fresh(t, pgtest.Shared(t), "")
	first := fstest.MapFS{"202701010000_start.sql": {Data: []byte("CREATE TABLE a (id BIGINT PRIMARY KEY);")}}
	db := open(t, postgres.Options{URL: url, Migrations: first})
	if _, err := db.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	err := db.Write(t.Context(), func(tx *engine.Transaction) error {
		_, err := tx.Exec(`ALTER TABLE schema_migrations DROP COLUMN allows`)
		return err
	})
	if err := errors.Join(err, db.CheckSchema(t.Context())); err != nil {
		t.Fatal(err)
	}
	first["202702010000_next.sql"] = &fstest.MapFile{Data: []byte("-- Allows: none\nCREATE TABLE b (id BIGINT PRIMARY KEY);")}
	newer := open(t, postgres.Options{URL: url, Migrations: first})
	if _, err := newer.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := newer.CheckSchema(t.Context()); err != nil {
		t.Error(err)
	}
}
