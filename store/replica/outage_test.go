package replica_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/store/engine"
	"daybook/store/replica"
	"daybook/store/sqlite"
)

var (
	moments = flag.Duration("moments", 8*time.Second, "how long TestMoments writes")
	outage  = flag.Duration("outage", 8*time.Second, "how long TestUnavailable's server does not work")
)

// broken is a target that can be down, full, or hang.
type broken struct {
	replica.Objects
	name  string
	state atomic.Int32
}

const (
	works int32 = iota
	down
	full
	hangs
)

func (b *broken) String() string { return b.name }

func (b *broken) call(ctx context.Context, writes bool) error {
	switch s := b.state.Load(); {
	case s == down:
		return errors.New("connection refused")
	case s == full && writes:
		return errors.New("no space left on device")
	case s == hangs:
		<-ctx.Done()
		return ctx.Err()
	}
	return nil
}

func (b *broken) List(ctx context.Context, prefix string, each func(replica.Object) error) error {
	if err := b.call(ctx, false); err != nil {
		return err
	}
	return b.Objects.List(ctx, prefix, each)
}

func (b *broken) Read(ctx context.Context, name string, offset, size int64) (io.ReadCloser, error) {
	if err := b.call(ctx, false); err != nil {
		return nil, err
	}
	return b.Objects.Read(ctx, name, offset, size)
}

func (b *broken) Write(ctx context.Context, name string, content io.ReadSeeker, size int64) error {
	if err := b.call(ctx, true); err != nil {
		return err
	}
	return b.Objects.Write(ctx, name, content, size)
}

func (b *broken) Swap(ctx context.Context, name string, content []byte, tag string) (string, error) {
	if err := b.call(ctx, true); err != nil {
		return "", err
	}
	return b.Objects.Swap(ctx, name, content, tag)
}

func (b *broken) Remove(ctx context.Context, names []string) error {
	if err := b.call(ctx, true); err != nil {
		return err
	}
	return b.Objects.Remove(ctx, names)
}

func breakable(o replica.Objects, name string) *broken { return &broken{Objects: o, name: name} }

// behind waits until the target's status tells why it is behind.
func (b *bed) behind(name, why string) {
	b.Helper()
	b.behindFor(20*time.Second, name, why)
}

func (b *bed) behindFor(most time.Duration, name, why string) {
	b.Helper()
	apptest.EventuallyWithin(b, most, name+" is behind: "+why, func() bool {
		for _, t := range b.replica.Status().Targets {
			if t.Name == name && strings.Contains(t.Problem, why) {
				return true
			}
		}
		return false
	})
}

// A target that is down or full does not keep the other from having everything, and makes up for it afterwards.
func TestOneOfTwoTargets(t *testing.T) {
	for _, c := range []struct {
		name  string
		state int32
		why   string
	}{{"down", down, "connection refused"}, {"full", full, "no space left"}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			first, second := breakable(inFolder(t), "first"), breakable(inBucket(t), "second")
			b := newBed(t, nil, first, second)
			b.write(10)
			b.synced()
			for _, o := range []*broken{first, second} {
				o.state.Store(c.state)
				b.write(10)
				b.behind(o.name, c.why)
				b.write(10)
				o.state.Store(works)
				b.synced()
				b.wants(first, b.n)
				b.wants(second, b.n)
			}
		})
	}
}

// While all targets are gone the database is written as ever; what they missed is made up for, also after a stop in
// between.
func TestAllTargetsGone(t *testing.T) {
	t.Parallel()
	only := breakable(inFolder(t), "only")
	b := newBed(t, nil, only)
	b.write(10)
	b.synced()
	only.state.Store(down)
	b.write(100)
	b.behind("only", "connection refused")
	b.write(100)
	only.state.Store(works)
	b.synced()
	b.wants(only, b.n)

	only.state.Store(down)
	b.write(10)
	b.stopBadly()
	b.serve() // while the target is gone
	b.write(10)
	only.state.Store(works)
	b.synced()
	b.wants(only, b.n)
}

// stopBadly stops although the last transactions can't be sent.
func (b *bed) stopBadly() {
	b.Helper()
	if err := b.end(); err == nil {
		b.Error("nothing says that the replica lacks something")
	}
}

// A target that hangs is given up after a while; the writes of the database never wait for it.
func TestTargetHangs(t *testing.T) {
	t.Parallel()
	first, second := breakable(inFolder(t), "first"), breakable(inFolder(t), "second")
	b := newBed(t, nil, first, second)
	b.write(10)
	b.synced()
	second.state.Store(hangs)
	began := time.Now()
	b.write(50)
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("50 writes took %v", took)
	}
	b.behind("second", "in time")
	b.write(10)
	second.state.Store(works)
	b.synced()
	b.wants(first, b.n)
	b.wants(second, b.n)
}

// A target with a leftover of another timeline is made equal, and an object that was lost is copied again.
func TestLostObject(t *testing.T) {
	t.Parallel()
	first, second := breakable(inFolder(t), "first"), breakable(inFolder(t), "second")
	b := newBed(t, nil, first, second)
	b.write(10)
	b.synced()
	second.state.Store(down)
	b.write(10)
	b.behind("second", "connection refused")
	var names []string
	b.must(second.Objects.List(t.Context(), "ltx/0/", func(o replica.Object) error {
		names = append(names, o.Name)
		return nil
	}))
	b.must(second.Objects.Remove(t.Context(), names))
	second.state.Store(works)
	b.synced()
	b.wants(second, b.n)
}

// A directory whose disk is taken away while its mount point stays is told, and gets nothing more; so is one that was
// emptied. A new copy begins there only when the operator says so.
func TestEmptied(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	mount, away := filepath.Join(dir, "disk"), filepath.Join(dir, "taken away")
	b := newBed(t, nil)
	b.must(b.end())
	b.must(os.Mkdir(mount, 0o700))
	o := target(t, "file://"+mount+"/salon")
	b.targets = []replica.Objects{o}
	b.serve()
	b.write(10)
	b.synced()
	lose := func() {
		b.must(os.Rename(mount, away))
		b.must(os.Mkdir(mount, 0o700))
	}
	lose()
	b.write(10)
	b.behindFor(time.Minute, o.String(), "is its disk mounted")
	b.write(10)
	b.must(os.RemoveAll(mount))
	b.must(os.Rename(away, mount))
	b.synced()
	b.wants(o, b.n)

	b.close()
	lose()
	b.serve()
	b.write(1)
	b.behind(o.String(), "daybook replicas forget")
	if left, err := os.ReadDir(mount); err != nil || len(left) > 0 {
		t.Errorf("something was written below the mount point: %v, %v", left, err)
	}
	for _, want := range []bool{true, false} {
		if known, err := replica.Forget(b.path, o); err != nil || known != want {
			t.Errorf("forgotten: %v, %v", known, err)
		}
	}
	b.synced()
	b.wants(o, b.n)
}

// A second machine with a copy of the database does not write to the same target while the first one does.
func TestTwoMachines(t *testing.T) {
	t.Parallel()
	o := inFolder(t)
	first := newBed(t, nil, o)
	first.write(5)
	first.synced()
	second := newBed(t, nil, o)
	second.write(3)
	second.behind(o.String(), replica.ErrHeld.Error())
	first.write(5)
	first.synced()
	first.wants(o, 10)
	_, err := second.replica.Close()
	second.must(err)
}

// Twenty moments at random come back as they were then, to the second before: the journal outside says how that was.
func TestMoments(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0)) //nolint:gosec // no secret
	o := inFolder(t)
	b := newBed(t, nil, o)
	b.write(1)
	b.synced()
	journal := []entry{{digest: b.digest(b.db)}}
	began := time.Now()
	for id := 2; time.Since(began) < *moments; { // moments lie in real time
		var change func(*engine.Transaction) error
		switch text := strings.Repeat("x", random.IntN(3000)); random.IntN(4) {
		case 0:
			change = execute("UPDATE notes SET text = ? WHERE id = ?", text, 1+random.IntN(id))
		case 1:
			change = execute("DELETE FROM notes WHERE id = ?", 2+random.IntN(id))
		default:
			change = execute("INSERT INTO notes (id, text) VALUES (?, ?)", id, text)
			id++
		}
		e := entry{from: time.Now()}
		b.must(b.db.Write(t.Context(), change))
		e.digest = b.digest(b.db)
		journal = append(journal, e)
		time.Sleep(time.Duration(random.IntN(20)) * time.Millisecond)
	}
	ended := time.Now()
	b.synced()
	for range 20 {
		at := began.Add(time.Duration(random.Int64N(int64(ended.Sub(began)))))
		path := filepath.Join(t.TempDir(), "restored.db")
		_, err := replica.Fetch(t.Context(), o, nil, at, path)
		b.must(err)
		db, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, Migrations: notes})
		b.must(err)
		got := b.digest(db)
		b.must(db.Close())
		if !was(journal, got, at.Add(-time.Second), at) {
			t.Errorf("at %v (%v after the beginning) the notes were never like that in the second before", at, at.Sub(began))
		}
	}
	path := filepath.Join(t.TempDir(), "restored.db")
	if _, err := replica.Fetch(t.Context(), o, nil, began.Add(-time.Hour), path); err == nil ||
		!strings.Contains(err.Error(), "does not go back") {
		t.Errorf("before the first moment: %v", err)
	}
	if _, err := replica.Fetch(t.Context(), o, nil, ended.Add(time.Hour), path); err != nil {
		t.Errorf("the future: %v", err)
	}
}

// entry is how the notes were from a moment on: from the first time that they may have been so, until the next entry's.
type entry struct {
	from   time.Time
	digest string
}

// was tells whether the notes were so at some time between the two.
func was(journal []entry, digest string, from, to time.Time) bool {
	for i, e := range journal {
		last := i == len(journal)-1
		if e.digest == digest && !e.from.After(to) && (last || journal[i+1].from.Add(100*time.Millisecond).After(from)) {
			return true
		}
	}
	return false
}

func execute(query string, args ...any) func(*engine.Transaction) error {
	return func(tx *engine.Transaction) error {
		_, err := tx.Exec(query, args...)
		return err
	}
}

// digest is another one when any note is another.
func (b *bed) digest(db *sqlite.DB) string {
	b.Helper()
	sum := sha256.New()
	b.must(engine.NewQuerier(b.Context(), db.Readers()).Each("SELECT id, text FROM notes ORDER BY id", nil,
		func(scan func(...any) error) error {
			var id int
			var text string
			err := scan(&id, &text)
			fmt.Fprintln(sum, id, text)
			return err
		}))
	return hex.EncodeToString(sum.Sum(nil))
}

// A bucket whose server answers 503 for a long time delays no write, is not asked more and more, and has everything
// when it works again, moments of the outage too.
func TestUnavailable(t *testing.T) {
	t.Parallel()
	var unavailable atomic.Bool
	var asked atomic.Int64
	o := inBucketBehind(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !unavailable.Load() {
				next.ServeHTTP(w, r)
				return
			}
			asked.Add(1)
			w.Header().Set("Content-Type", "application/xml")
			w.WriteHeader(http.StatusServiceUnavailable)
			io.WriteString(w, "<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>")
		})
	})
	b := newBed(t, nil, o)
	b.close()
	b.stuck = *outage / 2
	b.serve()
	b.write(10)
	b.synced()
	unavailable.Store(true)
	var slowest time.Duration
	var middle time.Time
	var least, most int // notes in the middle of the outage, and a second before
	began := time.Now()
	for ; time.Since(began) < *outage; time.Sleep(20 * time.Millisecond) {
		switch at := time.Since(began); {
		case at < *outage/2-time.Second:
			least = b.n
		case at < *outage/2:
			most, middle = b.n, time.Now()
			time.Sleep(2 * time.Millisecond) // a note within the millisecond would be in it
		}
		write := time.Now()
		b.write(1)
		slowest = max(slowest, time.Since(write))
	}
	b.behind(o.String(), "SlowDown")
	calls := asked.Load()
	t.Logf("%v, %d notes: the server was asked %d times, the slowest write took %v", *outage, b.n, calls, slowest)
	if calls > 30+int64(*outage/time.Second) {
		t.Errorf("the server was asked %d times in %v", calls, *outage)
	}
	if slowest > 5*time.Second {
		t.Errorf("a write took %v", slowest)
	}
	unavailable.Store(false)
	b.synced()
	b.wants(o, b.n)
	if n, err := b.back(o, nil, middle); err != nil || n < least || n > most {
		t.Errorf("in the middle of the outage there were %d notes, want %d to %d: %v", n, least, most, err)
	}
	b.close()
	if strings.Contains(b.said.String(), "begins anew") {
		t.Error("after the outage it began anew, though nothing was missing")
	}
}

// The log stays small although the replica reads it, under constant writes and with a target that is gone.
func TestLogStaysBounded(t *testing.T) {
	t.Parallel()
	o := breakable(inFolder(t), "only")
	b := newBed(t, nil, o)
	b.write(1)
	b.synced()
	o.state.Store(down)
	largest := b.grow(96 << 20)
	o.state.Store(works)
	b.synced()
	if largest > 64<<20 {
		t.Errorf("the log had %d MiB", largest>>20)
	}
	t.Logf("largest log: %d MiB", largest>>20)
	b.wants(o, b.n)
}

// What waits for targets that are gone does not fill the disk: beyond a bound it is dropped, and a copy of the whole
// database made when one is back.
func TestWaitingIsBounded(t *testing.T) {
	t.Parallel()
	o := breakable(inFolder(t), "only")
	b := newBed(t, nil, o)
	b.write(1)
	b.synced()
	b.close()
	b.waiting, b.ending = 8<<20, 2*time.Second // before it drops anything it tries for so long to send it
	b.serve()
	b.write(1)
	b.synced()
	o.state.Store(down)
	b.grow(32 << 20)
	apptest.Eventually(t, "what waits is dropped", func() bool {
		all, err := filepath.Glob(b.path + "-replica/ltx/0/*")
		b.must(err)
		return len(all) == 0
	})
	// An emptying that the ending replica was in the way of is tried again seconds later.
	last := b.grow(1 << 20)
	apptest.Eventually(t, "the log begins again", func() bool {
		size := b.grow(1 << 20)
		begun := size < last
		last = size
		return begun
	})
	largest := b.grow(96 << 20)
	if largest > 80<<20 {
		t.Errorf("the log had %d MiB while nothing was replicated", largest>>20)
	}
	o.state.Store(works)
	b.synced()
	b.wants(o, b.n)
}
