package sqlite

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"daybook/app/fault"
	"daybook/store"
	"daybook/store/engine"
)

// Ping tells of a disk that takes nothing any more, and of a database that does not, until they do again.
func TestPingTellsOfWhatCannotBeWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "disk")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	db, err := Open(t.Context(), Options{Path: filepath.Join(dir, "t.db"), Create: true, Serving: true, Migrations: testMigrations()})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := store.New(db)
	ping := func(when string, fails bool) {
		t.Helper()
		db.probe.at = db.probe.at.Add(-2 * probeEvery)
		if err := s.Ping(t.Context()); errors.Is(err, engine.ErrUnwritable) != fails || err != nil && !fails {
			t.Errorf("%s: %v", when, err)
		}
	}
	ping("at first", false)
	if err := os.Rename(dir, dir+"-gone"); err != nil {
		t.Fatal(err)
	}
	ping("without its directory", true)
	if err := os.Rename(dir+"-gone", dir); err != nil {
		t.Fatal(err)
	}
	ping("with it again", false)

	pages := func(most string) {
		t.Helper()
		if err := db.Write(t.Context(), func(q *engine.Transaction) error { return q.Scan("PRAGMA max_page_count = "+most, nil, new(int)) }); err != nil {
			t.Fatal(err)
		}
	}
	fill := func() error {
		return db.Write(t.Context(), func(q *engine.Transaction) error {
			_, err := q.Exec(`INSERT INTO host (id) VALUES (?)`, strings.Repeat("x", 1<<20))
			return err
		})
	}
	pages("1") // no more than there are
	if err := fill(); !isFull(err) {
		t.Fatalf("a full database: %v", err)
	} else if e := fault.As(err); e == nil || e.Code != fault.Unavailable || e.Reason != "database" {
		t.Errorf("a full database is told as %v", e)
	}
	if !db.writer.failed.Load() {
		t.Error("the writer does not know that its last write failed")
	}
	ping("with room again", false) // a write shows it
	if db.writer.failed.Load() {
		t.Error("the writer does not know that it works again")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".daybook-probe-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// A disk that is full says so once, however many writes it refuses.
func TestFullDiskDoesNotFillTheLog(t *testing.T) {
	var log bytes.Buffer
	db := openTest(t, func(o *Options) { o.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
	err := db.Write(t.Context(), func(q *engine.Transaction) error { return q.Scan("PRAGMA max_page_count = 1", nil, new(int)) })
	if err != nil {
		t.Fatal(err)
	}
	for range 50 {
		if err := addHostOf(t, db, 1<<20); !isFull(err) || !fault.IsLogged(err) {
			t.Fatal(err)
		}
	}
	if n := strings.Count(log.String(), "\n"); n != 1 || !strings.Contains(log.String(), "level=ERROR") {
		t.Errorf("%d lines: %s", n, &log)
	}
}

// addHostOf saves a text of that size.
func addHostOf(t *testing.T, db *DB, size int) error {
	t.Helper()
	return db.Write(t.Context(), func(q *engine.Transaction) error {
		_, err := q.Exec(`INSERT INTO host (id) VALUES (?)`, strings.Repeat("x", size))
		return err
	})
}

// A checkpoint that goes on failing says so once, not each time.
func TestFailingCheckpointsDoNotFillTheLog(t *testing.T) {
	var log bytes.Buffer
	db := openTest(t, serving, func(o *Options) { o.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
	db.checkpoint.stop()
	db.checkpoint.quit, db.checkpoint.done = make(chan struct{}), make(chan struct{})
	close(db.checkpoint.done)
	conn := db.checkpoint.conn
	closed, err := db.side.Connx(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	db.checkpoint.conn = closed
	for range 100 {
		if db.checkpoint.passive() {
			t.Fatal("the checkpoint works")
		}
	}
	db.checkpoint.conn = conn
	db.checkpoint.passive()
	if n := strings.Count(log.String(), "level=WARN"); n != 1 {
		t.Errorf("%d warnings:\n%s", n, log.String())
	}
	if !strings.Contains(log.String(), "again") {
		t.Errorf("does not say that it works again:\n%s", log.String())
	}
}
