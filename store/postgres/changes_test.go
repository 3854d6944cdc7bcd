package postgres_test

import (
	"io"
	"slices"
	"testing"
	"time"

	"daybook/store/engine"
	"daybook/store/pgtest"
	"daybook/store/postgres"
)

// change revokes or grants the key, as another server does.
func change(t *testing.T, db *postgres.DB, revoked any) {
	t.Helper()
	err := db.Write(t.Context(), func(tx *engine.Transaction) error {
		_, err := tx.Exec(`UPDATE api_keys SET revoked_ms = ? WHERE id = 1`, revoked)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func version(t *testing.T, db *postgres.DB) int64 {
	t.Helper()
	n, err := db.SetupVersion()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func twoServers(t *testing.T) (*pgtest.Wire, *postgres.DB, *postgres.DB) {
	t.Helper()
	server := pgtest.Fresh(t, pgtest.Shared(t), "")
	a := open(t, postgres.Options{URL: server}) // it gives no hints: what is heard of it is the schema's word
	w := pgtest.NewWire(t, server)
	b := open(t, postgres.Options{URL: w.URL, Serving: true})
	err := a.Write(t.Context(), func(tx *engine.Transaction) error {
		_, err := tx.Exec(`INSERT INTO api_keys (id, workspace_id, name, scope, rate_limit, hint, hash, created_ms) VALUES (1, 1, '', '', 1, '', ?, 0)`, []byte{1})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return w, a, b
}

// What is kept in memory is dropped on the other server within milliseconds.
func TestOtherServerHears(t *testing.T) {
	_, a, b := twoServers(t)
	var took []time.Duration
	for i := range 50 {
		before := version(t, b)
		change(t, a, int64(i))
		committed := time.Now()
		for version(t, b) == before {
			if time.Since(committed) > time.Second {
				t.Fatal("not heard of in a second")
			}
			time.Sleep(20 * time.Microsecond)
		}
		took = append(took, time.Since(committed))
	}
	slices.Sort(took)
	t.Logf("the other server knows after %s, %s at most", took[25], took[49])
	if took[25] > 10*time.Millisecond {
		t.Errorf("the other server knows after %s", took[25])
	}
}

// With the network silent, a server trusts nothing that it holds within a second, and hears again when it is back.
func TestSilentNetwork(t *testing.T) {
	w, a, b := twoServers(t)
	settled(t, b)
	w.Silence()
	cut := time.Now()
	change(t, a, 1)
	for {
		before := version(t, b)
		if version(t, b) != before {
			break
		}
		if time.Since(cut) > time.Second {
			t.Fatal("a second later it still trusts what it holds")
		}
		time.Sleep(time.Millisecond)
	}
	t.Logf("it trusts nothing after %s", time.Since(cut))
	first, err := b.DataVersion()
	if second, _ := b.DataVersion(); first == second || err != nil {
		t.Error("DataVersion stays the same while others may commit unheard")
	}
	deaf := version(t, b)
	w.Restore()
	settled(t, b)
	if version(t, b) <= deaf {
		t.Error("what was read before the network was silent is trusted again")
	}
	before := version(t, b)
	change(t, a, 2)
	for deadline := time.Now().Add(5 * time.Second); version(t, b) == before; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it hears nothing any more")
		}
	}
}

// The first server of a database is told so; those that come while it is there are not.
func TestJoinServers(t *testing.T) {
	server := pgtest.Fresh(t, pgtest.Shared(t), "")
	first := func(db *postgres.DB) (was bool) {
		t.Helper()
		if err := db.JoinServers(t.Context(), func() error { was = true; return nil }, nil); err != nil {
			t.Fatal(err)
		}
		return was
	}
	a := open(t, postgres.Options{URL: server, Serving: true})
	b := open(t, postgres.Options{URL: server, Serving: true})
	if !first(a) || first(b) {
		t.Error("the second is the first")
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if first(open(t, postgres.Options{URL: server, Serving: true})) {
		t.Error("there is another one")
	}
	if err := b.JoinServers(t.Context(), func() error { return io.EOF }, nil); err != nil {
		t.Error(err)
	}
}
