package pgtest_test

import (
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"

	"daybook/app/apptest/outside"
	"daybook/store/pgtest"
)

// Servers are made of what initdb made once, by a copy for each: what one is told the next does not know.
func TestServersBeginEmpty(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for i := range 3 {
		server, err := pgtest.Start()
		if errors.Is(err, pgtest.ErrNotInstalled) {
			outside.Needs(t, "postgres", err)
		}
		if err != nil {
			t.Fatal(err)
		}
		defer server.Remove()
		conn, err := pgx.Connect(t.Context(), server.URL("postgres"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(t.Context())
		if _, err := conn.Exec(t.Context(), "CREATE TABLE one (n int)"); err != nil {
			t.Errorf("server %d: %v", i+1, err)
		}
	}
}
