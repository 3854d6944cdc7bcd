package sqlite

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"daybook/app/disk"
	"daybook/app/fault"
	"daybook/store/engine"
	"daybook/store/migrations"
)

func steps(extra ...string) fstest.MapFS {
	all := fstest.MapFS{
		"0001_start.sql": {Data: []byte(`CREATE TABLE host (id TEXT PRIMARY KEY) STRICT`)},
	}
	for i := 0; i < len(extra); i += 2 {
		all[extra[i]] = &fstest.MapFile{Data: []byte(extra[i+1])}
	}
	return all
}

// at opens path with other migrations.
func at(t *testing.T, path string, m fstest.MapFS) *DB {
	t.Helper()
	o := testOptions(path)
	o.Migrations = maps.Clone(m)
	return reopen(t, o)
}

func shut(t *testing.T, db *DB) {
	t.Helper()
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// A program that knows another newest migration neither serves a file nor migrates it while another process has it,
// whichever of them is the newer one; one that is open ends that by being closed.
func TestOtherVersionsWait(t *testing.T) {
	path := t.TempDir() + "/daybook.db"
	old := at(t, path, steps())
	if _, err := old.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	newer := steps("0002_name.sql", `ALTER TABLE host ADD COLUMN name TEXT`)
	serve := func(m fstest.MapFS) error {
		o := testOptions(path)
		o.Migrations, o.Serving = maps.Clone(m), true
		db, err := Open(t.Context(), o)
		if err == nil {
			shut(t, db)
		}
		return err
	}
	next := at(t, path, newer)
	if names, err := next.Migrate(t.Context()); !errors.Is(err, ErrOther) || names != nil {
		t.Errorf("migrated beside another version: %v %v", names, err)
	}
	if err := serve(newer); !errors.Is(err, ErrOther) || !strings.Contains(err.Error(), "stop it first") {
		t.Errorf("served beside an older version: %v", err)
	}
	if err := serve(steps()); !errors.Is(err, ErrOther) {
		t.Errorf("served beside a newer version: %v", err)
	}
	shut(t, old)
	if _, err := next.Migrate(t.Context()); err != nil {
		t.Error(err)
	}
	if err := serve(newer); err != nil {
		t.Error(err)
	}
	shut(t, next)

	// A server of a release without a byte for its migrations counts as another.
	f, err := disk.OpenLocks(path + "-lock")
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range []int64{openByte, oldServerByte} {
		if err := f.Lock(b, disk.Shared); err != nil {
			t.Fatal(err)
		}
	}
	fmt.Fprintln(f, "4711")
	if err := serve(newer); !errors.Is(err, ErrOther) || !strings.Contains(err.Error(), "process 4711") {
		t.Errorf("served beside an old release: %v", err)
	}
	f.Close()
	if err := serve(newer); err != nil {
		t.Error(err)
	}
}

// A process of an older release that has the file open, and serves nothing, holds the first byte and says nothing. It
// counts as one of another version as long as it has the file.
func TestSilentProcessesCount(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there no process can tell its own lock from another's")
	}
	path := t.TempDir() + "/daybook.db"
	old := at(t, path, steps())
	if _, err := old.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	shut(t, old)
	f, err := disk.OpenLocks(path + "-lock")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Lock(openByte, disk.Shared); err != nil {
		t.Fatal(err)
	}
	newer := steps("0002_name.sql", `ALTER TABLE host ADD COLUMN name TEXT`)
	next := at(t, path, newer)
	if names, err := next.Migrate(t.Context()); !errors.Is(err, ErrOther) || names != nil {
		t.Errorf("migrated beside an older release: %v %v", names, err)
	}
	shut(t, next)
	o := testOptions(path)
	o.Migrations, o.Serving = maps.Clone(newer), true
	if db, err := Open(t.Context(), o); !errors.Is(err, ErrOther) {
		t.Errorf("served beside an older release: %v", err)
		shut(t, db)
	}
	next = at(t, path, newer)
	ended := time.AfterFunc(50*time.Millisecond, func() { f.Close() })
	defer ended.Stop()
	if names, err := next.Migrate(t.Context()); err != nil || len(names) != 1 {
		t.Errorf("it ended soon: %v %v", names, err)
	}
}

// A refusal names every process of another version that has the file, whoever came and went since it was opened.
func TestRefusalsNameWhoHasTheFile(t *testing.T) {
	path := t.TempDir() + "/daybook.db"
	o := testOptions(path)
	o.Migrations, o.Serving = maps.Clone(steps()), true
	first := reopen(t, o)
	if _, err := first.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	newer := o
	newer.Migrations = maps.Clone(steps("0002_name.sql", `ALTER TABLE host ADD COLUMN name TEXT`))
	name := fmt.Sprintf("process %d, migration 1", os.Getpid())
	refused := func(want string) {
		t.Helper()
		if _, err := Open(t.Context(), newer); err == nil || !strings.Contains(err.Error(), "another process ("+want+"), which is") {
			t.Errorf("serve, want %q: %v", want, err)
		}
		if err := CheckUnused(path); err == nil || !strings.Contains(err.Error(), "another process ("+want+"); stop it first") {
			t.Errorf("alone, want %q: %v", want, err)
		}
	}
	refused(name)
	second := reopen(t, o)
	refused(name + "; " + name)
	shut(t, second)
	refused(name)
	o.Serving = false
	third := reopen(t, o) // a command
	shut(t, first)
	refused(name)
	f, err := os.OpenFile(path+"-lock", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(f, "4711") // as killed servers of older releases leave it
	f.Close()
	refused(name)
	shut(t, third)
	if exists(path+"-lock") && runtime.GOOS != "windows" {
		t.Error("the lock file is left")
	}
}

// What meets a schema that has changed under its server is told to try again, and the server learns of it.
func TestChangedUnderTheServer(t *testing.T) {
	path := t.TempDir() + "/daybook.db"
	o := testOptions(path)
	o.Migrations, o.Serving = maps.Clone(steps()), true
	db := reopen(t, o)
	if _, err := db.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := db.CheckSchema(t.Context()); err != nil {
		t.Fatal(err)
	}
	mustAddHost(t, db, "a")
	if err := db.Write(t.Context(), func(tx *engine.Transaction) error { _, err := tx.Exec(`INSERT INTO nowhere VALUES (1)`); return err }); fault.Is(err, fault.Unavailable) || err == nil {
		t.Errorf("a mistake of our own: %v", err)
	}
	for _, q := range []string{`ALTER TABLE host RENAME TO person`, `INSERT INTO schema_migrations VALUES (2, '0002_x.sql', 'x', 1)`} {
		if _, err := db.side.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Write(t.Context(), func(tx *engine.Transaction) error { return addHost(tx, "b") }); !fault.Is(err, fault.Unavailable) {
		t.Errorf("a write: %v", err)
	}
	q := engine.NewQuerier(t.Context(), db.Readers())
	var n int
	if err := q.Scan(`SELECT count(*) FROM host`, nil, &n); !fault.Is(err, fault.Unavailable) {
		t.Errorf("a read: %v", err)
	}
	if err := db.CheckWritable(t.Context()); err == nil {
		t.Error("it is said to be writable")
	}
}

func snapshots(t *testing.T, path string) []string {
	t.Helper()
	all, err := Snapshots(path)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestMigrateStepByStep(t *testing.T) {
	path := t.TempDir() + "/daybook.db"
	db := at(t, path, steps())
	if err := db.CheckSchema(t.Context()); !errors.Is(err, migrations.ErrOlder) || !strings.Contains(err.Error(), "daybook migrate up") {
		t.Errorf("new file: %v", err)
	}
	if names, err := db.Migrate(t.Context()); err != nil || strings.Join(names, " ") != "0001_start.sql" {
		t.Fatalf("first: %v %v", names, err)
	}
	if names, err := db.Migrate(t.Context()); err != nil || names != nil {
		t.Errorf("again: %v %v", names, err)
	}
	if n := len(snapshots(t, path)); n != 0 {
		t.Errorf("%d snapshots of an empty file", n)
	}
	mustAddHost(t, db, "a")
	shut(t, db)

	next := at(t, path, steps("0002_name.sql", `ALTER TABLE host ADD COLUMN name TEXT`))
	status, err := next.MigrationStatus(t.Context())
	if err != nil || len(status) != 2 || status[0].AppliedAtMS == 0 || status[1].AppliedAtMS != 0 {
		t.Errorf("status: %v %v", status, err)
	}
	if _, err := next.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := next.CheckSchema(t.Context()); err != nil {
		t.Error(err)
	}
	all := snapshots(t, path)
	if len(all) != 1 {
		t.Fatalf("snapshots: %v", all)
	}
	wantMode(t, all[0])
	old := at(t, all[0], steps())
	wantHosts(t, old, "a")
	if err := old.CheckSchema(t.Context()); err != nil {
		t.Errorf("the snapshot is not of before: %v", err)
	}
	db = at(t, path, steps())
	if err := db.CheckSchema(t.Context()); !errors.Is(err, migrations.ErrNewer) {
		t.Errorf("old binary: %v", err)
	}
	if _, err := db.Migrate(t.Context()); !errors.Is(err, migrations.ErrNewer) {
		t.Errorf("old binary migrates: %v", err)
	}
}

func TestMigrateAllOrNothing(t *testing.T) {
	path := t.TempDir() + "/daybook.db"
	first := at(t, path, steps())
	if _, err := first.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	shut(t, first)
	db := at(t, path, steps("0002_ok.sql", `CREATE TABLE two (id TEXT)`, "0003_bad.sql", `CREATE TABLE three (id TEXT); INSERT INTO nowhere VALUES (1)`))
	if names, err := db.Migrate(t.Context()); err == nil || names != nil || !strings.Contains(err.Error(), "0003_bad.sql") {
		t.Errorf("%v %v", names, err)
	}
	if err := at(t, path, steps()).CheckSchema(t.Context()); err != nil {
		t.Errorf("something was changed: %v", err)
	}
	mustAddHost(t, db, "a") // and nothing stays locked
}

func TestMigrateChecksReferences(t *testing.T) {
	db := at(t, t.TempDir()+"/daybook.db", steps("0002_child.sql",
		`CREATE TABLE child (host TEXT REFERENCES host (id)); INSERT INTO child VALUES ('missing')`))
	if _, err := db.Migrate(t.Context()); err == nil || !strings.Contains(err.Error(), "child refers to a row of host") {
		t.Errorf("got %v", err)
	}
}

func TestMigrateRefusesWhatItDoesNotKnow(t *testing.T) {
	path := t.TempDir() + "/daybook.db"
	if _, err := at(t, path, steps()).Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	changed := at(t, path, steps("0001_start.sql", `CREATE TABLE host (id INTEGER PRIMARY KEY)`))
	if _, err := changed.Migrate(t.Context()); !errors.Is(err, migrations.ErrChanged) {
		t.Errorf("changed text: %v", err)
	}
	other := at(t, t.TempDir()+"/other.db", steps())
	if err := other.Write(t.Context(), func(q *engine.Transaction) error { _, err := q.Exec(`CREATE TABLE x (y)`); return err }); err != nil {
		t.Fatal(err)
	}
	if _, err := other.Migrate(t.Context()); !errors.Is(err, migrations.ErrForeign) {
		t.Errorf("another program's file: %v", err)
	}
	if _, err := migrations.Load(fstest.MapFS{"0002_gap.sql": {}}); err == nil {
		t.Error("a gap in the numbers passed")
	}
}

// Two migrations that were written side by side are both applied, in whichever order they come.
func TestMigrateByTime(t *testing.T) {
	path := t.TempDir() + "/daybook.db"
	late := steps("202611211540_late.sql", `CREATE TABLE late (id TEXT)`)
	if _, err := at(t, path, late).Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	late["202611211530_early.sql"] = &fstest.MapFile{Data: []byte(`CREATE TABLE early (id TEXT)`)}
	both := at(t, path, late)
	if err := both.CheckSchema(t.Context()); !errors.Is(err, migrations.ErrOlder) {
		t.Errorf("before: %v", err)
	}
	if names, err := both.Migrate(t.Context()); err != nil || strings.Join(names, " ") != "202611211530_early.sql" {
		t.Errorf("%v %v", names, err)
	}
	status, err := both.MigrationStatus(t.Context())
	if err != nil || len(status) != 3 || status[1].Name != "202611211530_early.sql" || status[1].AppliedAtMS == 0 {
		t.Errorf("status: %v %v", status, err)
	}
	if _, err := migrations.Load(fstest.MapFS{"202611211530_a.sql": {}, "202611211530_b.sql": {}}); err == nil {
		t.Error("two migrations of the same minute passed")
	}
}

func TestMigrateFromManyHandles(t *testing.T) {
	path := t.TempDir() + "/daybook.db"
	first := at(t, path, steps())
	if _, err := first.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	shut(t, first)
	var wg sync.WaitGroup
	names := make([][]string, 4)
	for i := range names {
		db := at(t, path, steps("0002_two.sql", `CREATE TABLE two (id TEXT)`))
		wg.Go(func() {
			var err error
			if names[i], err = db.Migrate(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	total := 0
	for _, n := range names {
		total += len(n)
	}
	if total != 1 || len(snapshots(t, path)) != 1 {
		t.Errorf("applied %v, snapshots %v", names, snapshots(t, path))
	}
}

func TestSnapshotsKeepTheNewestThree(t *testing.T) {
	db := openTest(t)
	bystander := db.Path() + ".mine.snapshot"
	if err := os.WriteFile(bystander, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var made []string
	for range 5 {
		path, err := db.Snapshot(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		made = append([]string{path}, made...)
	}
	if got := snapshots(t, db.Path()); strings.Join(got, " ") != strings.Join(made[:3], " ") {
		t.Errorf("kept %v\nmade %v", got, made)
	}
	if !exists(bystander) {
		t.Error("removed a file that isn't a snapshot")
	}
}
