package transfer_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"daybook/store/engine"
	"daybook/store/enginetest"
	"daybook/store/migrations"
	"daybook/store/postgres"
	"daybook/store/transfer"
)

// Nothing is copied from or to a database that is served.
func TestServedIsRefused(t *testing.T) {
	for i := range 2 {
		places := []string{enginetest.Place(t), other(t)}
		with(t, places[i], func(db engine.Engine) {
			if err := db.JoinServers(t.Context(), func() error { return nil }, nil); err != nil {
				t.Fatal(err)
			}
			if _, err := copied(t, places[0], places[1], transfer.Options{}); !errors.Is(err, transfer.ErrInUse) {
				t.Errorf("database %d is served: %v", i, err)
			}
		})
		move(t, places[0], places[1]) // nothing was left behind
	}
}

// A copy begins in an empty database only, and from one that has not moved.
func TestOthersAreRefused(t *testing.T) {
	here, there, third := enginetest.Place(t), other(t), enginetest.Place(t)
	fails := func(what, from, to, says string) {
		t.Helper()
		if _, err := copied(t, from, to, transfer.Options{}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", what, err)
		}
	}
	with(t, third, func(db engine.Engine) { execute(t, db, `INSERT INTO rate_servers (server) VALUES (1)`) })
	fails("a target with rows", here, third, "is not empty: its table rate_servers has rows")
	fails("the same database", here, here, "can't be copied to itself")
	stop := func(string, int64, int64) error { return errors.New("stop") }
	if _, err := copied(t, here, there, transfer.Options{Progress: stop}); err == nil {
		t.Fatal("it was not stopped")
	}
	fails("another source", third, there, "holds the beginning of a copy")
	fails("a half copy as the source", there, enginetest.Place(t), "not complete")
	fails("another target", here, enginetest.Place(t), "has moved to")
	with(t, here, func(db engine.Engine) {
		moved, err := transfer.Undo(t.Context(), db)
		if err != nil || moved.Other == "" {
			t.Fatal(moved, err)
		}
		if _, err := transfer.Undo(t.Context(), db); !errors.Is(err, transfer.ErrNotMoved) {
			t.Errorf("undone twice: %v", err)
		}
	})
	fails("a source that was used since", here, there, "was in use since")
	move(t, here, enginetest.Place(t))
}

// Both databases need this binary's schema.
func TestOlderSchemaIsRefused(t *testing.T) {
	here, there := enginetest.Place(t), other(t)
	with(t, there, func(db engine.Engine) {
		execute(t, db, `DELETE FROM schema_migrations WHERE version = (SELECT MAX(version) FROM schema_migrations)`)
	})
	_, err := copied(t, here, there, transfer.Options{})
	if !errors.Is(err, migrations.ErrOlder) && !errors.Is(err, migrations.ErrForeign) {
		t.Errorf("an older target: %v", err)
	}
}

// Nothing is copied from or to a database with a contract step that waits, whose tables are not the other's.
func TestWaitingContractStepIsRefused(t *testing.T) {
	place := enginetest.PlaceOnPostgres(t)
	set, err := migrations.Load(migrations.Postgres())
	if err != nil {
		t.Fatal(err)
	}
	steps := fstest.MapFS{"299901010000_contract.sql": {Data: []byte(fmt.Sprintf(
		"-- Allows: %d\n-- Contract\nALTER TABLE forms_sent DROP COLUMN hash;", set[len(set)-1].Version))}}
	for _, m := range set {
		steps[m.Name] = &fstest.MapFile{Data: []byte(m.SQL)}
	}
	waits, err := postgres.Open(t.Context(), postgres.Options{URL: place, Migrations: steps})
	if err != nil {
		t.Fatal(err)
	}
	defer waits.Close()
	with(t, enginetest.PlaceOnSQLite(t), func(file engine.Engine) {
		for _, pair := range [][2]engine.Engine{{waits, file}, {file, waits}} {
			_, err := transfer.Copy(t.Context(), pair[0], pair[1], transfer.Options{})
			if err == nil || !strings.Contains(err.Error(), "299901010000_contract.sql") ||
				!strings.Contains(err.Error(), "daybook migrate up --contract --db "+waits.Path()) {
				t.Errorf("from %s: %v", pair[0].Path(), err)
			}
		}
	})
}
