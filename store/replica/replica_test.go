package replica_test

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"daybook/app/apptest"
	"daybook/store/engine"
	"daybook/store/replica"
	"daybook/store/replica/s3"
	"daybook/store/sqlite"
)

var schemes = map[string]replica.Opener{"file": replica.OpenFolder, "s3": s3.Open}

const bucketKey = "S3RVER" // id and secret, those of npm's s3rver

var notes = fstest.MapFS{"202601010000_notes.sql": &fstest.MapFile{Data: []byte(
	"CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL);\n")}}

// bed is a database that is served and replicated.
type bed struct {
	*testing.T
	db      *sqlite.DB
	replica *replica.Replica
	path    string
	targets []replica.Objects
	key     *replica.Key
	id      string
	waiting int64
	ending  time.Duration // 0 is a minute
	stuck   time.Duration
	said    bytes.Buffer // the log, to be read after close
	stop    func() error
	n       int
}

func target(t *testing.T, address string) replica.Objects {
	t.Helper()
	o, err := replica.Open(address, schemes)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// inFolder is a target in a new directory.
func inFolder(t *testing.T) replica.Objects { return target(t, "file://"+t.TempDir()+"/salon") }

// inBucket is a target in a bucket of a server in this process.
func inBucket(t *testing.T) replica.Objects {
	return inBucketBehind(t, func(next http.Handler) http.Handler { return next })
}

// inBucketBehind has a handler of the test before that server.
func inBucketBehind(t *testing.T, before func(http.Handler) http.Handler) replica.Objects {
	backend := s3mem.New()
	if err := backend.CreateBucket("salon"); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(before(signed(t, gofakes3.New(backend).Server())))
	t.Cleanup(server.Close)
	return target(t, "s3://salon/copies?endpoint="+url.QueryEscape(server.URL))
}

// signed lets through what Amazon's own signer would have signed in the same way.
func signed(t *testing.T, next http.Handler) http.Handler {
	signer := v4.NewSigner(func(o *v4.SignerOptions) { o.DisableURIPathEscaping = true })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		again := r.Clone(r.Context())
		again.URL.Host, again.ContentLength = r.Host, 0
		again.Header = http.Header{}
		auth := r.Header.Get("Authorization")
		_, names, _ := strings.Cut(auth, "SignedHeaders=")
		names, _, _ = strings.Cut(names, ",")
		for _, name := range strings.Split(names, ";") {
			if value := r.Header.Get(name); value != "" {
				again.Header.Set(name, value)
			}
		}
		at, err := time.Parse("20060102T150405Z", r.Header.Get("X-Amz-Date"))
		if err == nil {
			err = signer.SignHTTP(r.Context(), aws.Credentials{AccessKeyID: bucketKey, SecretAccessKey: bucketKey}, again,
				r.Header.Get("X-Amz-Content-Sha256"), "s3", "us-east-1", at)
		}
		if want := again.Header.Get("Authorization"); err != nil || auth != want {
			t.Errorf("%s %s is signed %q, want %q: %v", r.Method, r.URL, auth, want, err)
			http.Error(w, "not signed", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func newBed(t *testing.T, key *replica.Key, targets ...replica.Objects) *bed {
	t.Helper()
	b := &bed{T: t, path: filepath.Join(t.TempDir(), "daybook.db"), targets: targets, key: key, id: "db_test"}
	t.Cleanup(func() { b.end() })
	b.serve()
	return b
}

// serve opens and replicates the database.
func (b *bed) serve() {
	b.Helper()
	log := slog.New(slog.NewTextHandler(io.MultiWriter(b.Output(), &b.said), nil))
	db, err := sqlite.Open(b.Context(), sqlite.Options{Path: b.path, Create: true, Serving: true, Hold: true, Logger: log,
		Migrations: notes})
	b.must(err)
	_, err = db.Migrate(b.Context())
	b.must(err)
	r := replica.New(replica.Config{Path: db.Path(), Database: b.id, Targets: b.targets, Key: b.key, Log: log,
		Waiting: b.waiting, Stuck: b.stuck, Ending: cmp.Or(b.ending, time.Minute), DB: db})
	b.must(r.Check(b.Context()))
	b.must(db.Replicate(r))
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- r.Run(ctx) }()
	b.db, b.replica = db, r
	b.stop = func() error {
		stop()
		return errors.Join(<-done, db.Close())
	}
}

// end stops serving.
func (b *bed) end() error {
	if b.stop == nil {
		return nil
	}
	stop := b.stop
	b.stop = nil
	return stop()
}

func (b *bed) close() {
	b.Helper()
	b.must(b.end())
}

// grow writes so many bytes, and returns how large the log became.
func (b *bed) grow(bytes int) (largest int64) {
	b.Helper()
	for range bytes >> 20 {
		b.must(b.db.Write(b.Context(), func(tx *engine.Transaction) error {
			for range 16 {
				b.n++
				noise := make([]byte, 32<<10) // it can't be compressed
				rand.Read(noise)
				if _, err := tx.Exec("INSERT INTO notes (id, text) VALUES (?, hex(?))", b.n, noise); err != nil {
					return err
				}
			}
			return nil
		}))
		info, err := os.Stat(b.path + "-wal")
		b.must(err)
		largest = max(largest, info.Size())
		time.Sleep(20 * time.Millisecond) // a busy shop, and not the fastest disk, is what is tried
	}
	return largest
}

func (b *bed) must(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// write adds notes, each in a transaction of its own.
func (b *bed) write(n int) {
	b.Helper()
	for range n {
		b.n++
		b.must(b.db.Write(b.Context(), func(tx *engine.Transaction) error {
			_, err := tx.Exec("INSERT INTO notes (id, text) VALUES (?, ?)", b.n, strings.Repeat("x", 100))
			return err
		}))
	}
}

// synced waits until all targets have everything that was written before.
func (b *bed) synced() {
	b.Helper()
	since := time.Now()
	apptest.Eventually(b, "all targets have everything", func() bool {
		for _, t := range b.replica.Status().Targets {
			if t.Problem != "" || !t.Synced.After(since) {
				return false
			}
		}
		return true
	})
}

// back restores a moment of a target, and returns how many notes there were.
func (b *bed) back(o replica.Objects, key *replica.Key, at time.Time) (int, error) {
	b.Helper()
	path := filepath.Join(b.TempDir(), "restored.db")
	if _, err := replica.Fetch(b.Context(), o, key, at, path); err != nil {
		return 0, err
	}
	info, err := os.Stat(path)
	b.must(err)
	if info.Mode().Perm() != 0o600 {
		b.Errorf("%s has mode %o", path, info.Mode().Perm())
	}
	db, err := sqlite.Open(b.Context(), sqlite.Options{Path: path, Migrations: notes})
	b.must(err)
	defer db.Close()
	var n, last int
	b.must(engine.NewQuerier(b.Context(), db.Readers()).Scan("SELECT count(*), max(id) FROM notes", nil, &n, &last))
	if n != last {
		b.Errorf("%d notes, the last is %d", n, last)
	}
	return n, nil
}

func (b *bed) wants(o replica.Objects, n int) {
	b.Helper()
	if got, err := b.back(o, b.key, time.Time{}); err != nil || got != n {
		b.Errorf("%s brings back %d notes, want %d: %v", o, got, n, err)
	}
}

// A replica has everything some moments later, goes on after a stop, and is full again when its database was restored.
func TestReplica(t *testing.T) {
	for _, place := range []struct {
		name string
		make func(*testing.T) replica.Objects
	}{{"folder", inFolder}, {"bucket", inBucket}} {
		for _, sealed := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, encrypted %v", place.name, sealed), func(t *testing.T) {
				t.Parallel()
				var key *replica.Key
				if sealed {
					var err error
					if key, err = replica.NewKey(); err != nil {
						t.Fatal(err)
					}
				}
				o := place.make(t)
				b := newBed(t, key, o)
				b.write(50)
				b.synced()
				b.wants(o, 50)
				b.write(50)
				b.close()
				b.wants(o, 100)
				b.serve()
				b.write(10)
				b.synced()
				b.wants(o, 110)
				b.close()
				plan, err := replica.PlanOf(t.Context(), o, key, time.Time{})
				b.must(err)
				if plan.Files == 0 || plan.Bytes == 0 || time.Since(plan.At) > time.Minute {
					t.Errorf("plan %+v", plan)
				}
			})
		}
	}
}

// What a target keeps is not readable without the key, and a wrong key is refused before anything is touched.
func TestKeys(t *testing.T) {
	t.Parallel()
	key, err := replica.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	other, err := replica.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	o := inFolder(t)
	b := newBed(t, key, o)
	b.write(20)
	b.synced()
	b.close()
	for _, k := range []*replica.Key{nil, other} {
		if _, err := b.back(o, k, time.Time{}); !errors.Is(err, replica.ErrKey) {
			t.Errorf("with another key: %v", err)
		}
		r := replica.New(replica.Config{Path: b.path, Database: b.id, Targets: b.targets, Key: k, Log: slog.Default()})
		if err := r.Check(t.Context()); !errors.Is(err, replica.ErrKey) {
			t.Errorf("writing with another key: %v", err)
		}
	}
	again, err := replica.ParseKey("# a comment\n" + key.Secret() + "\n")
	if err != nil {
		t.Fatal(err)
	}
	if n, err := b.back(o, again, time.Time{}); err != nil || n != 20 {
		t.Errorf("with the key from its file: %d, %v", n, err)
	}
	b.must(o.List(t.Context(), "ltx/", func(x replica.Object) error { return nil }))
	for level := range 10 {
		b.must(o.List(t.Context(), fmt.Sprintf("ltx/%d/", level), func(x replica.Object) error {
			r, err := o.Read(t.Context(), x.Name, 0, 0)
			b.must(err)
			defer r.Close()
			content, err := io.ReadAll(r)
			if strings.HasPrefix(string(content), "LTX") || strings.Contains(string(content), "xxxxxxxx") {
				t.Errorf("%s is readable", x.Name)
			}
			return err
		}))
	}
}

// Another database's replica is left alone.
func TestOtherDatabase(t *testing.T) {
	t.Parallel()
	o := inFolder(t)
	b := newBed(t, nil, o)
	b.write(1)
	b.synced()
	r := replica.New(replica.Config{Path: b.path, Database: "db_other", Targets: b.targets, Log: slog.Default()})
	if err := r.Check(t.Context()); !errors.Is(err, replica.ErrOther) {
		t.Errorf("another database: %v", err)
	}
}
