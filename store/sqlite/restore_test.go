package sqlite

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"daybook/store/engine"
)

// backedUp is a closed database with host "now", and a backup of when it had host "then".
func backedUp(t *testing.T) (o Options, backup string) {
	db := openTest(t)
	backup = filepath.Join(t.TempDir(), "backup")
	mustAddHost(t, db, "then")
	if err := db.Backup(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	mustAddHost(t, db, "now")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return db.o, backup
}

func TestRestoreReplacesAndKeeps(t *testing.T) {
	o, backup := backedUp(t)
	before, _ := os.ReadFile(backup)
	kept, err := Restore(t.Context(), backup, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	wantFiles(t, o.Path, "daybook.db", "daybook.db.*.replaced")
	wantFiles(t, backup, "backup")
	wantMode(t, o.Path)
	wantHosts(t, reopen(t, o), "then")
	old := o
	old.Path = kept
	wantHosts(t, reopen(t, old), "now", "then")
	if after, _ := os.ReadFile(backup); string(after) != string(before) {
		t.Error("the backup was changed")
	}
}

// The log of a database that was never closed (kill -9) belongs to it: it is kept with the old one, and counts when
// such a database is the backup.
func TestRestoreMindsTheLog(t *testing.T) {
	o, backup := backedUp(t)
	raw := filepath.Join(t.TempDir(), "raw.db")
	db := reopen(t, o)
	mustAddHost(t, db, "in-the-log")
	for _, suffix := range []string{"", "-wal"} {
		if err := copyFile(o.Path+suffix, raw+suffix); err != nil {
			t.Fatal(err)
		}
	}
	db.Close()
	old := o
	old.Path = raw
	kept, err := Restore(t.Context(), backup, old, nil)
	if err != nil {
		t.Fatal(err)
	}
	wantFiles(t, raw, "raw.db", "raw.db.*.replaced")
	wantHosts(t, reopen(t, old), "then")
	old.Path = kept
	wantHosts(t, reopen(t, old), "in-the-log", "now", "then")
	if _, err := Restore(t.Context(), kept, o, nil); err != nil {
		t.Fatal(err)
	}
	wantHosts(t, reopen(t, o), "in-the-log", "now", "then")
}

func TestRestoreMakesAMissingDatabase(t *testing.T) {
	o, backup := backedUp(t)
	o.Path = t.TempDir() + "/new.db"
	if kept, err := Restore(t.Context(), backup, o, nil); err != nil || kept != "" {
		t.Fatal(kept, err)
	}
	wantFiles(t, o.Path, "new.db")
	wantHosts(t, reopen(t, o), "then")
}

func TestRestoreReplacesADamagedDatabase(t *testing.T) {
	o, backup := backedUp(t)
	if err := os.WriteFile(o.Path, []byte(strings.Repeat("garbage ", 2000)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(o.Path+"-wal", []byte("its log"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Restore(t.Context(), backup, o, nil); err != nil {
		t.Fatal(err)
	}
	wantFiles(t, o.Path, "daybook.db", "daybook.db.*.replaced", "daybook.db.*.replaced-wal")
	wantHosts(t, reopen(t, o), "then")
}

// Whatever is refused, the database and its directory stay as they were.
func TestRestoreRefuses(t *testing.T) {
	o, backup := backedUp(t)
	good, _ := os.ReadFile(backup)
	write := func(b []byte) string {
		path := filepath.Join(t.TempDir(), "backup")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	torn := append([]byte{}, good...)
	for i := 5 * 4096; i < len(torn) && i < 6*4096; i++ {
		torn[i] = 0xAA
	}
	newer := filepath.Join(t.TempDir(), "newer")
	extended := os.DirFS("testdata/migrations")
	one, _ := fs.ReadFile(extended, "0001_start.sql")
	two, _ := fs.ReadFile(extended, "0002_outbox.sql")
	if _, err := at(t, newer, fstest.MapFS{"0001_start.sql": {Data: one}, "0002_outbox.sql": {Data: two}, "0003_x.sql": {Data: []byte("CREATE TABLE x (y)")}}).Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	foreign := at(t, filepath.Join(t.TempDir(), "foreign"), steps())
	foreign.Write(t.Context(), func(q *engine.Transaction) error { _, err := q.Exec("CREATE TABLE x (y)"); return err })
	cases := []struct{ name, backup, want string }{
		{"missing", backup + "x", "no backup"},
		{"empty", write(nil), "not a SQLite database"},
		{"text", write([]byte("hello, this is text")), "not a SQLite database"},
		{"cut short", write(good[:len(good)/2]), "nothing was changed"},
		{"torn", write(torn), "nothing was changed"},
		{"newer schema", newer, "newer Daybook"},
		{"another program's", foreign.Path(), "no data of Daybook"},
		{"itself", o.Path, "is the database itself"},
		{"a directory", filepath.Dir(backup), "is not a file"},
	}
	for _, c := range cases {
		if _, err := Restore(t.Context(), c.backup, o, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	no := errors.New("no")
	if _, err := Restore(t.Context(), backup, o, func(*DB) error { return no }); !errors.Is(err, no) {
		t.Errorf("check: %v", err)
	}
	wantFiles(t, o.Path, "daybook.db")
	wantHosts(t, reopen(t, o), "now", "then")
}

func TestRestoreRefusesWhileInUse(t *testing.T) {
	o, backup := backedUp(t)
	for _, server := range []bool{true, false} {
		o.Serving = server
		db := reopen(t, o)
		if _, err := Restore(t.Context(), backup, o, nil); !errors.Is(err, ErrInUse) {
			t.Errorf("server %v: %v", server, err)
		}
		mustAddHost(t, db, "still-"+map[bool]string{true: "served", false: "open"}[server])
		db.Close()
	}
	wantHosts(t, reopen(t, o), "now", "still-open", "still-served", "then")
}

// The shell of sqlite3 knows nothing of our lock.
func TestRestoreRefusesWhileAnotherProgramHasTheFile(t *testing.T) {
	o, backup := backedUp(t)
	db := reopen(t, o)
	if err := db.lock.release(); err != nil {
		t.Fatal(err)
	}
	if _, err := Restore(t.Context(), backup, o, nil); !errors.Is(err, ErrInUse) {
		t.Errorf("got %v", err)
	}
	mustAddHost(t, db, "later")
	wantHosts(t, db, "later", "now", "then")
	var err error
	if db.lock, err = lockFile(o.Path, false, db.migrations.Newest()); err != nil {
		t.Fatal(err)
	}
}
