package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"daybook/store/pgtest"
	"daybook/store/transfer"
)

// A database moves to PostgreSQL and back by the command, and no password is shown.
func TestCopyToPostgresAndBack(t *testing.T) {
	url := pgtest.Fresh(t, pgtest.Shared(t), "")
	secret := strings.Replace(url, "postgres@", "postgres:hidden@", 1)
	dir := t.TempDir()
	old, back := filepath.Join(dir, "old.db"), filepath.Join(dir, "back.db")
	does := func(want int, says string, args ...string) string {
		t.Helper()
		code, out := command(t, args...)
		if code != want || !strings.Contains(out, says) {
			t.Fatalf("%s: exit code %d, %s", strings.Join(args, " "), code, out)
		}
		if strings.Contains(out, "hidden") {
			t.Errorf("%s: shows the password: %s", strings.Join(args, " "), out)
		}
		return out
	}
	does(0, "salon", "workspace", "create", "Salon", "--timezone", "UTC", "--db", old, "--new-database")
	does(0, "dbk_", "keys", "create", "--workspace", "salon", "--name", "k", "--db", old)
	keys := does(0, `"workspace":"salon"`, "keys", "list", "--json", "--db", old)
	does(2, "put the password into DAYBOOK_TO, PGPASSFILE", "migrate", "copy", "--from", old, "--to", secret)
	t.Setenv("DAYBOOK_TO", secret)
	there := summary(t, does(0, `"to":"postgres://`, "migrate", "copy", "--from", old, "--json"))
	if got := does(0, "", "keys", "list", "--json", "--db", url); got != keys {
		t.Errorf("the keys were %s and are %s", keys, got)
	}
	t.Setenv("DAYBOOK_TO", "")
	t.Setenv("DAYBOOK_FROM", secret)
	again := summary(t, does(0, `"to":"`+back, "migrate", "copy", "--to", back, "--json"))
	if !slices.Equal(there, again) || len(there) < 30 {
		t.Errorf("there %v and back %v", there, again)
	}
	does(1, "has moved to "+back, "keys", "create", "--workspace", "salon", "--name", "x", "--db", url)
	does(0, "", "keys", "create", "--workspace", "salon", "--name", "x", "--db", back)
	if info, err := os.Stat(back); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info, err)
	}
}

// Without the key that its secrets are encrypted with, a database is not copied: nothing is made.
func TestCopyNeedsTheSecretKey(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from.db"), filepath.Join(dir, "to.db")
	key := func(digit string) string {
		path := filepath.Join(dir, digit)
		if err := os.WriteFile(path, []byte(strings.Repeat(digit, 64)), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	one, two := key("1"), key("2")
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{0, "salon", []string{"workspace", "create", "Salon", "--timezone", "UTC", "--db", from, "--secret-key-file", one, "--new-database"}},
		{1, "is not the one", []string{"migrate", "copy", "--from", from, "--to", to, "--secret-key-file", two}},
		{1, "start with --secret-key-file", []string{"migrate", "copy", "--from", from, "--to", to}},
		{0, "salon", []string{"workspace", "list", "--db", from}},
	} {
		if code, out := command(t, c.args...); code != c.code || !strings.Contains(out, c.says) {
			t.Errorf("%s: exit code %d, %s", strings.Join(c.args, " "), code, out)
		}
	}
	if _, err := os.Stat(to); err == nil {
		t.Error("the copy was begun")
	}
}

// summary are the tables of the JSON line behind the lines of progress.
func summary(t *testing.T, out string) []transfer.Sum {
	t.Helper()
	var s struct{ Tables []transfer.Sum }
	if err := json.Unmarshal([]byte(out[strings.Index(out, "{"):]), &s); err != nil {
		t.Fatal(err, out)
	}
	return s.Tables
}
