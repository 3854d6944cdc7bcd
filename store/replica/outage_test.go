package replica_test

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/store/replica"
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
	apptest.Eventually(b, name+" is behind: "+why, func() bool {
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
	second.must(second.replica.Close())
}

// Every moment that a replica kept comes back as it was then: the journal outside says how.
func TestMoments(t *testing.T) {
	t.Parallel()
	o := inFolder(t)
	b := newBed(t, nil, o)
	type entry struct {
		at time.Time
		n  int
	}
	var journal []entry
	for range 12 {
		b.write(7)
		journal = append(journal, entry{time.Now(), b.n})
		time.Sleep(300 * time.Millisecond) // moments lie in real time: a replica has one every half second
	}
	b.synced()
	for i, e := range journal {
		got, err := b.back(o, nil, e.at)
		if err != nil && i == 0 {
			continue // before the first copy
		}
		if err != nil {
			t.Fatal(err)
		}
		least := 0
		for _, before := range journal[:i] {
			if e.at.Sub(before.at) > time.Second {
				least = before.n
			}
		}
		if got < least || got > e.n {
			t.Errorf("at %v: %d notes, want %d to %d", e.at, got, least, e.n)
		}
	}
	if _, err := b.back(o, nil, journal[0].at.Add(-time.Hour)); err == nil || !strings.Contains(err.Error(), "does not go back") {
		t.Errorf("before the first moment: %v", err)
	}
	if got, err := b.back(o, nil, time.Now().Add(time.Hour)); err != nil || got != b.n {
		t.Errorf("the future: %d, %v", got, err)
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
	b.waiting = 8 << 20
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
	largest := b.grow(96 << 20)
	if largest > 80<<20 {
		t.Errorf("the log had %d MiB while nothing was replicated", largest>>20)
	}
	o.state.Store(works)
	b.synced()
	b.wants(o, b.n)
}
