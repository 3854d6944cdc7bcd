package postgres_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"

	"daybook/store/engine"
	"daybook/store/pgtest"
	"daybook/store/postgres"
)

// open is a database with Daybook's schema.
func open(t *testing.T, o postgres.Options) *postgres.DB {
	t.Helper()
	if o.URL == "" {
		o.URL = pgtest.Fresh(t, pgtest.Shared(t), "")
	}
	db, err := postgres.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	if _, err := db.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return db
}

func TestWriteAndRead(t *testing.T) {
	db := open(t, postgres.Options{Serving: true})
	const insert = `INSERT INTO webhook_endpoints (id, workspace_id, url, kinds, secret, enabled, created_ms) VALUES (?, 1, ?, '', '', ?, 1)`
	own := errors.New("the change's own")
	for _, c := range []struct {
		id   int
		fail error
	}{{1, nil}, {2, own}} {
		err := db.Write(t.Context(), func(tx *engine.Transaction) error {
			if _, err := tx.Exec(insert, c.id, "https://x.example", c.id == 1); err != nil {
				return err
			}
			return c.fail
		})
		if err != c.fail {
			t.Errorf("got %v", err)
		}
	}
	var count int
	var enabled bool
	q := engine.NewQuerier(t.Context(), db.Readers())
	if err := q.Scan(`SELECT COUNT(*), MAX(enabled) FROM webhook_endpoints`, nil, &count, &enabled); err != nil || count != 1 || !enabled {
		t.Errorf("got %d rows, enabled %v, %v", count, enabled, err)
	}
}

// More connections than are open at first are opened when they are needed. Where the server allows no more, changes
// wait for one another.
func TestConnectionsAreOpenedWhenNeeded(t *testing.T) {
	const most, allowed = 7, 5 // at once; all but four are opened later
	server := pgtest.Shared(t)
	url := pgtest.Fresh(t, server, "")
	raw := sqlx.MustOpen("pgx", url)
	defer raw.Close()
	user := fmt.Sprintf("few_%d", os.Getpid())
	open(t, postgres.Options{URL: url}).Close()
	raw.MustExec(fmt.Sprintf(`CREATE ROLE %[1]s LOGIN CONNECTION LIMIT %d; GRANT ALL ON ALL TABLES IN SCHEMA public TO %[1]s`,
		user, 4+allowed))
	t.Cleanup(func() { sqlx.MustOpen("pgx", url).MustExec("DROP OWNED BY " + user + "; DROP ROLE " + user) })
	db, err := postgres.Open(t.Context(), postgres.Options{URL: strings.Replace(url, "postgres@", user+"@", 1), Connections: most})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var began atomic.Int32
	all := make(chan struct{})
	var wg sync.WaitGroup
	for range most {
		wg.Go(func() {
			err := db.Write(t.Context(), func(tx *engine.Transaction) error {
				if began.Add(1) == allowed {
					close(all)
				}
				select {
				case <-all:
				case <-time.After(30 * time.Second):
					t.Error("not as many changes as connections are allowed")
				}
				return tx.Scan("SELECT 1", nil, new(int))
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := began.Load(); n != most {
		t.Errorf("%d changes of %d were made", n, most)
	}
}
