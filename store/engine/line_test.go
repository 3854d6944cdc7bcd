package engine_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
	"time"

	"daybook/store/engine"
	"daybook/store/enginetest"
)

// takeAll takes every session of the pool.
func takeAll(t *testing.T, p *engine.Pool) (all []*engine.Session) {
	t.Helper()
	for range p.Size() {
		all = append(all, takeOne(t, p))
	}
	return all
}

func takeOne(t *testing.T, p *engine.Pool) *engine.Session {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	s, err := p.Take(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func waitInLine(t *testing.T, p *engine.Pool, n int) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); p.Waiting() != n; runtime.Gosched() {
		if time.Now().After(end) {
			t.Fatalf("%d wait, want %d", p.Waiting(), n)
		}
	}
}

// Calls that wait for a session get their own rows, whether another's statement fails or its caller leaves.
func TestManyCallsOfIntegers(t *testing.T) {
	db, q := open(t)
	pool, onPostgres := db.Readers(), enginetest.OnPostgres()
	held := takeAll(t, pool)
	gone, leave := context.WithCancel(t.Context())
	const calls, fails, leaves = 40, 20, 30
	var wg sync.WaitGroup
	for i := range int64(calls) {
		q := q
		if i == leaves {
			q = engine.NewQuerier(gone, pool)
		}
		wg.Go(func() {
			const query = `SELECT CAST(? AS bigint), 100 / CAST(? AS bigint)`
			var got [][2]int64
			err := q.Integers(query, [][]int64{{i, i - fails}, {-i, 1}}, func(_ int, v []int64) { got = append(got, [2]int64(v)) })
			switch {
			case i == leaves:
				if !errors.Is(err, context.Canceled) {
					t.Errorf("who left got %v, %v", got, err)
				}
			case i == fails:
				if err == nil {
					t.Errorf("dividing by zero gave %v", got)
				}
			case err != nil || len(got) != 2 || got[0] != [2]int64{i, 100 / (i - fails)} || got[1] != [2]int64{-i, 100}:
				t.Errorf("call %d got %v, %v", i, got, err)
			}
		})
	}
	if onPostgres {
		waitInLine(t, pool, calls)
	}
	leave()
	if onPostgres {
		waitInLine(t, pool, calls-1)
	}
	for _, s := range held {
		pool.Give(s)
	}
	wg.Wait()
}

// The more calls wait for a session, the fewer transactions they take.
func TestCallsThatWaitShareAFlight(t *testing.T) {
	if !enginetest.OnPostgres() {
		t.Skip("statements are not sent anywhere")
	}
	db, q := open(t)
	pool := db.Readers()
	held := takeAll(t, pool)
	const calls = 40
	var wg sync.WaitGroup
	var mu sync.Mutex
	flights := map[int64]bool{}
	for range calls {
		wg.Go(func() {
			const query = `SELECT CAST(EXTRACT(EPOCH FROM now()) * 1000000 AS bigint) + ?` // of the transaction
			err := q.Integers(query, [][]int64{{0}}, func(_ int, v []int64) {
				mu.Lock()
				defer mu.Unlock()
				flights[v[0]] = true
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	waitInLine(t, pool, calls)
	pool.Give(held[0])
	wg.Wait()
	if len(flights) < 2 || len(flights) > calls/2 {
		t.Errorf("%d calls took %d flights", calls, len(flights))
	}

	// A flight that nobody waits for any more is stopped.
	ctx, cancel := context.WithCancel(t.Context())
	s := takeOne(t, pool)
	wg.Go(func() {
		const endless = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT 1 FROM n) SELECT COUNT(*) FROM n WHERE i > ?`
		err := engine.NewQuerier(ctx, pool).Integers(endless, [][]int64{{0}}, func(int, []int64) {})
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	waitInLine(t, pool, 1)
	pool.Give(s)
	waitInLine(t, pool, 0)
	cancel()
	wg.Wait()
	pool.Give(takeOne(t, pool))
	for _, s := range held[1:] {
		pool.Give(s)
	}
}

// Calls find a session again when those of the whole pool were lost, also while they waited in line.
func TestCallsOpenLostSessions(t *testing.T) {
	if !enginetest.OnPostgres() {
		t.Skip("connections are never lost")
	}
	db, _ := open(t)
	pool := db.Readers()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	q := engine.NewQuerier(ctx, pool)
	ask := func() error { return q.Integers(`SELECT CAST(? AS bigint)`, [][]int64{{1}}, func(int, []int64) {}) }
	for _, inLine := range []bool{true, false} {
		held := takeAll(t, pool)
		done := make(chan error, 1)
		if inLine {
			go func() { done <- ask() }()
			waitInLine(t, pool, 1)
		}
		for _, s := range held {
			if _, err := s.Conn.ExecContext(ctx, `SELECT pg_terminate_backend(pg_backend_pid())`); err == nil {
				t.Fatal("the connection was not lost")
			}
			alone := engine.NewTransaction(s)
			if err := alone.Scan(`SELECT 1`, nil, new(int)); err == nil {
				t.Fatal("the connection was not lost")
			}
			pool.Give(s)
		}
		if !inLine {
			done <- ask()
		}
		if err := <-done; err != nil {
			t.Errorf("in line %t: %v", inLine, err)
		}
	}
}
