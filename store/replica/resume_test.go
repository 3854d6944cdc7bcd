package replica_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"daybook/store/engine"
	"daybook/store/replica"
	"daybook/store/sqlite"
)

// sent returns how many bytes each file of the lowest level has.
func (b *bed) sent(o replica.Objects) map[string]int64 {
	b.Helper()
	all := map[string]int64{}
	b.must(o.List(b.Context(), "ltx/0/", func(x replica.Object) error {
		all[x.Name] = x.Size
		return nil
	}))
	return all
}

// little fails when more was sent since than a tenth of the database.
func (b *bed) little(o replica.Objects, before map[string]int64, when string) {
	b.Helper()
	if n := b.sentSince(o, before); n == 0 || n > b.size()/10 {
		b.Errorf("%s: %d bytes were sent, of a database of %d", when, n, b.size())
	}
}

// whole fails when less was sent since than the half of the database.
func (b *bed) whole(o replica.Objects, before map[string]int64, when string) {
	b.Helper()
	if n := b.sentSince(o, before); n < b.size()/2 {
		b.Errorf("%s: only %d bytes were sent, of a database of %d", when, n, b.size())
	}
}

func (b *bed) sentSince(o replica.Objects, before map[string]int64) (n int64) {
	b.Helper()
	for name, size := range b.sent(o) {
		if _, was := before[name]; !was {
			n += size
		}
	}
	return n
}

func (b *bed) size() int64 {
	b.Helper()
	info, err := os.Stat(b.path)
	b.must(err)
	return info.Size()
}

// A server that stops, or is killed at any time, goes on with the copies where they were: what has been sent is not
// sent again.
func TestRestartGoesOn(t *testing.T) {
	for _, place := range []struct {
		name string
		make func(*testing.T) replica.Objects
	}{{"folder", inFolder}, {"bucket", inBucket}} {
		t.Run(place.name, func(t *testing.T) {
			t.Parallel()
			o := place.make(t)
			b := newBed(t, nil, o)
			b.grow(16 << 20)
			b.synced()
			b.close()
			before := b.sent(o)
			b.serve()
			b.write(10)
			b.synced()
			b.little(o, before, "after a stop")
			b.close()
			before = b.sent(o)
			b.serve()
			b.synced()
			if n := b.sentSince(o, before); n > b.size()/10 {
				t.Errorf("after a stop with nothing new, %d bytes were sent", n)
			}
			b.close()
			before = b.sent(o)
			for range 3 {
				writeAndKill(t, o, b.path, 300*time.Millisecond)
				b.little(o, before, "after a kill")
				before = b.sent(o)
			}
			b.serve()
			b.must(engine.NewQuerier(t.Context(), b.db.Readers()).Scan("SELECT max(id) FROM notes", nil, &b.n))
			b.write(10)
			b.synced()
			b.little(o, before, "after the last kill")
			b.close()
			b.wants(o, b.n)
		})
	}
}

// While the server is down its file may be changed by a command, or replaced. The copies have that, too.
func TestFileChangedBetween(t *testing.T) {
	t.Parallel()
	o := inFolder(t)
	b := newBed(t, nil, o)
	b.grow(2 << 20)
	b.synced()
	b.close()
	old, err := os.ReadFile(b.path)
	b.must(err)
	n := b.n

	before := b.sent(o)
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: b.path, Migrations: notes})
	b.must(err)
	b.n++
	b.must(db.Write(t.Context(), execute("INSERT INTO notes (id, text) VALUES (?, 'of a command')", b.n)))
	b.must(db.Close())
	b.serve()
	b.write(1)
	b.synced()
	b.close()
	b.whole(o, before, "after a command")
	b.wants(o, b.n)

	before = b.sent(o)
	b.must(os.WriteFile(b.path, old, 0o600))
	b.n = n
	b.serve()
	b.write(1)
	b.synced()
	b.close()
	b.whole(o, before, "after another file was put there")
	b.wants(o, b.n)
}

// killed copies the files of a database that is served, as a kill would leave them, to another place.
func (b *bed) killed() {
	b.Helper()
	to := filepath.Join(b.TempDir(), "daybook.db")
	for _, kind := range []string{"", "-wal"} {
		content, err := os.ReadFile(b.path + kind)
		b.must(err)
		b.must(os.WriteFile(to+kind, content, 0o600))
	}
	b.must(os.CopyFS(to+"-replica", os.DirFS(b.path+"-replica")))
	b.path = to
}

// What a killed server had not sent may have left the log before the next one looks at it: another one served the file
// meanwhile, without a replica. Litestream alone would take the rest of the old log, behind the new one, for a sign that
// nothing is missing.
func TestLogBeganAgain(t *testing.T) {
	t.Parallel()
	o := inFolder(t)
	b := newBed(t, nil, o)
	b.grow(2 << 20)
	b.synced()
	b.close()
	writeAndKill(t, o, b.path, time.Second)
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: b.path, Serving: true, Migrations: notes})
	b.must(err)
	for range 3 { // the log is moved into the file, and begins again with the next note
		b.must(db.Write(t.Context(), execute("INSERT INTO notes (text) VALUES ('without')")))
		time.Sleep(time.Second)
	}
	b.killed()
	b.must(engine.NewQuerier(t.Context(), db.Readers()).Scan("SELECT max(id) FROM notes", nil, &b.n))
	b.must(db.Close())
	b.serve()
	b.write(1)
	b.synced()
	b.close()
	restored := filepath.Join(t.TempDir(), "restored.db")
	_, err = replica.Fetch(t.Context(), o, nil, time.Time{}, restored)
	b.must(err)
	if copied := b.ids(restored); len(copied) != b.n {
		t.Errorf("the copy has %d notes, the database %d", len(copied), b.n)
	}
}

// freeze ends the replica without its last step, as if the server hung; stop ends the server.
func (b *bed) freeze() (stop func()) {
	b.Helper()
	end := b.stop
	b.stop = nil
	_, err := b.replica.Close()
	b.must(err)
	return func() { b.must(end()) }
}

// A power cut may take a transaction from the log that was sent already, and another one may be written in its place.
func TestLogLostItsEnd(t *testing.T) {
	t.Parallel()
	o := inFolder(t)
	b := newBed(t, nil, o)
	b.grow(2 << 20)
	b.synced()
	b.write(50)
	b.synced()
	kept := b.n
	log, err := os.Stat(b.path + "-wal")
	b.must(err)
	b.must(b.db.Write(t.Context(), execute("INSERT INTO notes (id, text) VALUES (?, ?)", kept+1, strings.Repeat("lost", 5000))))
	b.synced()
	stop := b.freeze()
	b.killed()
	stop()
	b.must(os.Truncate(b.path+"-wal", endOf(t, b.path+"-wal", log.Size())))

	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: b.path, Serving: true, Hold: true, Migrations: notes})
	b.must(err)
	b.must(db.Write(t.Context(), execute("INSERT INTO notes (id, text) VALUES (?, ?)", kept+1, strings.Repeat("else", 9000))))
	b.killed()
	b.must(db.Close())
	b.n = kept + 1
	b.serve()
	b.write(1)
	b.synced()
	b.close()
	b.wants(o, b.n)
	restored := filepath.Join(t.TempDir(), "restored.db")
	_, err = replica.Fetch(t.Context(), o, nil, time.Time{}, restored)
	b.must(err)
	copied, err := sqlite.Open(t.Context(), sqlite.Options{Path: restored, Migrations: notes})
	b.must(err)
	defer copied.Close()
	b.must(copied.CheckIntegrity(t.Context()))
	var text string
	b.must(engine.NewQuerier(t.Context(), copied.Readers()).Scan("SELECT text FROM notes WHERE id = ?", []any{kept + 1}, &text))
	if !strings.HasPrefix(text, "else") {
		t.Errorf("the copy has what was lost: %.4s", text)
	}
}

// endOf returns where the last whole transaction of a log ends, of those within size bytes.
func endOf(t *testing.T, path string, size int64) int64 {
	t.Helper()
	log, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	frame := 24 + int64(binary.BigEndian.Uint32(log[8:]))
	end := int64(32)
	for at := end; at+frame <= min(size, int64(len(log))); at += frame {
		if binary.BigEndian.Uint32(log[at+4:]) != 0 {
			end = at + frame
		}
	}
	return end
}

// What a killed server was writing is removed by the next one; what another writes now is not.
func TestUnfinishedFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	old := filepath.Join(dir, "salon", "ltx", "0", ".part-123")
	local := filepath.Join(t.TempDir(), "daybook.db")
	left := local + "-replica/test-456/test.db"
	for _, path := range []string{old, left} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b := &bed{T: t, path: local, targets: []replica.Objects{target(t, fmt.Sprintf("file://%s/salon", dir))}, id: "db_test"}
	t.Cleanup(func() { b.end() })
	b.serve()
	b.write(1)
	b.synced()
	for _, path := range []string{old, filepath.Dir(left)} {
		if _, err := os.Stat(path); !os.IsNotExist(err) {
			t.Errorf("%s is still there: %v", path, err)
		}
	}
}
