package cli

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/store/pgtest"
)

// output is what a command has written so far.
type output struct {
	mu   sync.Mutex
	text strings.Builder
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// command runs a command and gives its exit code and all that it wrote.
func command(t *testing.T, args ...string) (int, string) {
	t.Helper()
	var out output
	code := run(t.Context(), args, strings.NewReader(""), &out, &out)
	return code, out.String()
}

func TestCommandsOnPostgres(t *testing.T) {
	url := pgtest.Fresh(t, pgtest.Shared(t), "")
	secret := strings.Replace(url, "postgres@", "postgres:hidden@", 1)
	file := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(file, []byte("hidden\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	open := filepath.Join(t.TempDir(), "open")
	if err := os.WriteFile(open, []byte("hidden\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	salon := filepath.Join(t.TempDir(), "salon.yaml")
	if err := os.WriteFile(salon, []byte("workspace: {slug: salon, name: Salon, timeZone: Europe/Berlin}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	foreign := pgtest.Fresh(t, pgtest.Shared(t), "")
	other, err := sql.Open("pgx", foreign)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := other.Exec(`CREATE TABLE pictures (id INTEGER)`); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   string
		env    string // of DAYBOOK_DB
		code   int
		output string
	}{
		{"workspace apply " + salon + " --dry-run --new-database --db " + url, "", 0, "salon"},
		{"workspace apply " + salon + " --dry-run --db " + url, "", 1, "migrate up --db postgres://"},
		{"workspace apply " + salon + " --dry-run --new-database --db " + foreign, "", 1, "another program's tables"},
		{"workspace apply " + salon + " --new-database --db " + foreign, "", 1, "another program's tables"},
		{"keys list --workspace salon --db " + url, "", 1, "migrate up --db postgres://"},
		{"migrate up --db " + url, "", 0, "applied 202611211734_start.sql"},
		{"migrate up", secret, 0, "is up to date"},
		{"migrate up --db-password-file " + file + " --db " + url, "", 0, "is up to date"},
		{"migrate up --db-password-file " + open + " --db " + url, "", 1, "others may read the password file"},
		{"migrate status --db " + url, "", 0, "202611211734_start.sql"},
		{"migrate up --db " + secret, "", 2, "into DAYBOOK_DB, PGPASSFILE or --db-password-file"},
		{"workspace create Salon --timezone Europe/Berlin --new-database --db " + url, "", 0, "salon"},
		{"doctor --db " + url, "", 0, "PostgreSQL 1"},
		{"backup x.dump", secret, 2, "pg_dump --format=custom --file=x.dump '" + url + "'"},
		{"restore x.dump --db " + url, "", 2, "pg_restore --clean --if-exists --single-transaction --dbname='" + url + "' x.dump"},
		{"migrate status --db postgres://me@db.example/x?sslmode=require", "", 1, "leave sslmode out"},
		{"migrate status --db postgres://me@127.0.0.1:1/x", "", 1, "can't connect to postgres://me@127.0.0.1:1/x (connect: connection refused)"},
		{"migrate status", "postgres://me:hidden@127.0.0.1:x/y", 1, "is no URL of a PostgreSQL database"},
		{"migrate status --db " + strings.Replace(url, "/t", "/no", 1), "", 1, "there is no such database"},
	} {
		t.Setenv("DAYBOOK_DB", c.env)
		code, out := command(t, strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(out, c.output) {
			t.Errorf("%s: exit code %d, %s", c.args, code, out)
		}
		if strings.Contains(out, "hidden") {
			t.Errorf("%s: shows the password: %s", c.args, out)
		}
	}
	raw, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	if _, err := raw.Exec(`INSERT INTO day_sums (workspace_id, from_ms, to_ms, sums) SELECT id, 0, 86400000, '\x0205' FROM workspaces`); err != nil {
		t.Fatal(err)
	}
	if code, out := command(t, "doctor", "--db", url); code != 1 || !strings.Contains(out, "The figures of salon are wrong: of 1 days") || !strings.Contains(out, "(1970-01-01)") {
		t.Errorf("%d %s", code, out)
	}
}

// The demo fills a schema of its own, and leaves nothing of it.
func TestDemoOnPostgres(t *testing.T) {
	url := pgtest.Fresh(t, pgtest.Shared(t), "")
	raw, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	schemas := func() (n int) {
		if err := raw.QueryRow(`SELECT COUNT(*) FROM pg_namespace WHERE nspname LIKE 'daybook%' OR nspname = 'public'
			AND EXISTS (SELECT 1 FROM pg_tables WHERE schemaname = 'public')`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Minute)
	var out output
	ended := make(chan int)
	go func() {
		ended <- run(ctx, []string{"demo", "--db", url, "--addr", "127.0.0.1:0"}, strings.NewReader(""), &out, &out)
	}()
	for !strings.Contains(out.String(), "The demo is ready") {
		select {
		case code := <-ended:
			t.Fatal(code, out.String())
		case <-time.After(20 * time.Millisecond):
		}
	}
	if n := schemas(); n != 1 {
		t.Errorf("%d schemas while it runs", n)
	}
	stop()
	if code := <-ended; code != 0 {
		t.Error(code, out.String())
	}
	if n := schemas(); n != 0 {
		t.Errorf("%d schemas are left", n)
	}
}
