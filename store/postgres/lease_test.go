package postgres_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"daybook/app/work"
	"daybook/store/pgtest"
	"daybook/store/postgres"
)

// servers are some of one database, and what each was told of dead ones.
type servers struct {
	t      *testing.T
	mu     sync.Mutex
	buried []int64
}

func (s *servers) join(url string) *postgres.DB {
	s.t.Helper()
	db := open(s.t, postgres.Options{URL: url, Serving: true})
	err := db.JoinServers(s.t.Context(), func() error { return nil }, func(_ context.Context, server int64) error {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.buried = append(s.buried, server)
		return nil
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return db
}

func (s *servers) hasBuried(server int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Contains(s.buried, server)
}

// within waits until something is true, 30 s at most, and says how long that took.
func within(t *testing.T, what string, holds func() bool) {
	t.Helper()
	began := time.Now()
	for !holds() {
		if time.Since(began) > 30*time.Second {
			t.Fatalf("not in 30 s: %s", what)
		}
		time.Sleep(time.Millisecond)
	}
	t.Logf("%s: after %v", what, time.Since(began).Round(time.Millisecond))
}

func heard(db *postgres.DB) int64 {
	n, _ := db.DataVersion() // it has no error
	return n
}

// fair tells whether each bucket is with one of the servers, and none of them has two more than another.
func fair(all ...*postgres.DB) bool {
	var sum work.Buckets
	n := 0
	for _, db := range all {
		b := db.Share().Buckets
		if b.Len() < work.BucketCount/len(all) {
			return false
		}
		sum, n = sum|b, n+b.Len()
	}
	return sum == work.AllBuckets && n == work.BucketCount
}

// The servers of a database share the buckets fairly, soon after one comes, goes or dies; what a dead one had claimed
// is given free.
func TestServersShareBuckets(t *testing.T) {
	t.Parallel()
	url := pgtest.Fresh(t, pgtest.Shared(t), "")
	s := &servers{t: t}
	if alone := open(t, postgres.Options{URL: url}); alone.Share().Buckets != work.AllBuckets || alone.Share().Server == 0 {
		t.Errorf("who is no server may do %x", alone.Share())
	}
	a := s.join(url)
	if a.Share().Buckets != work.AllBuckets {
		t.Errorf("the only server has %d buckets", a.Share().Buckets.Len())
	}
	before := heard(a)
	b := s.join(url)
	within(t, "a second server came", func() bool { return fair(a, b) })
	within(t, "the loops of the first hear of it", func() bool { return heard(a) != before })
	w := pgtest.NewWire(t, url)
	c := s.join(w.URL)
	within(t, "a third server came", func() bool { return fair(a, b, c) })
	all, err := a.Servers(t.Context())
	if err != nil || len(all) != 3 {
		t.Fatal(all, err)
	}
	for i, db := range []*postgres.DB{a, b, c} {
		if s := db.Share(); all[i].Buckets != s.Buckets || s.Servers != 3 || all[i].Lease <= 0 {
			t.Errorf("server %d of %d has the buckets %x, and is listed as %+v", i, s.Servers, s.Buckets, all[i])
		}
	}

	gone := b.Share().Server
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	within(t, "one went", func() bool { return fair(a, c) })
	within(t, "what it had left over is free", func() bool { return s.hasBuried(gone) })

	dead := c.Share().Server
	w.Silence()
	within(t, "one is cut off, and knows", func() bool { return c.Share() == work.Share{} })
	within(t, "its buckets are another's", func() bool { return fair(a) })
	within(t, "what it had claimed is free", func() bool { return s.hasBuried(dead) })
	w.Restore()
	within(t, "it is back", func() bool { return fair(a, c) })
	if c.Share().Server == dead {
		t.Error("a server that is back counts what was released as its own")
	}
}

// While the database is away every lease runs out. What the others had claimed is not released as soon as it is back,
// because they may be at it still.
func TestNobodyIsBuriedAfterAnOutage(t *testing.T) {
	t.Parallel()
	w := pgtest.NewWire(t, pgtest.Fresh(t, pgtest.Shared(t), ""))
	s := &servers{t: t}
	a, b := s.join(w.URL), s.join(w.URL)
	within(t, "two servers came", func() bool { return fair(a, b) })
	first, second := a.Share().Server, b.Share().Server
	w.Silence()
	within(t, "both know that they are cut off", func() bool {
		return a.Share() == work.Share{} && b.Share() == work.Share{}
	})
	w.Restore()
	within(t, "both are back", func() bool { return fair(a, b) })
	if s.hasBuried(first) || s.hasBuried(second) {
		t.Error("a server that was only cut off together with the others was taken for dead")
	}
}
