package sqlite

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daybook/store/engine"
)

const (
	clients   = 32
	benchHost = 2000
)

// BenchmarkWrite alternates the group-commit writer with its floor, a BEGIN IMMEDIATE transaction for every request
// (everything prepared, one at a time), so that both meet the same machine: compare the medians. Either does the work
// of one booking for 32 clients: bump the host's revision, look for an overlap by index, insert the booking and its
// outbox row.
func BenchmarkWrite(b *testing.B) {
	for round := range 5 {
		b.Run(fmt.Sprintf("group/%d", round), func(b *testing.B) {
			db := benchDB(b)
			contend(b, func(i int64) error {
				return db.Write(context.Background(), func(q *engine.Transaction) error { return book(q, i) })
			})
		})
		b.Run(fmt.Sprintf("each/%d", round), func(b *testing.B) {
			db := benchDB(b)
			var mu sync.Mutex
			contend(b, func(i int64) error {
				mu.Lock()
				defer mu.Unlock()
				return bookAlone(db.writer, i)
			})
		})
	}
}

// bookAlone uses the writer's connection, which is idle because nobody calls write.
func bookAlone(w *writer, i int64) error {
	if _, err := w.tx.Exec(begin); err != nil {
		return err
	}
	if err := book(w.tx, i); err != nil {
		return err
	}
	_, err := w.tx.Exec("COMMIT")
	w.commits.Add(1) // the checkpointer has the same work
	return err
}

// book writes booking i; its host is chosen at random, its time by its number, so that none overlap.
func book(q *engine.Transaction, i int64) error {
	host, start := fmt.Sprintf("h%04d", rand.IntN(benchHost)), i*1800_000
	if _, err := q.Exec(`UPDATE host SET revision = revision + 1 WHERE id = ?`, host); err != nil {
		return err
	}
	var taken int
	if err := q.Scan(`SELECT count(*) FROM booking WHERE host_id = ? AND start_ms > ? AND start_ms < ? AND end_ms > ?`,
		[]any{host, start - 86_400_000, start + 1800_000, start}, &taken); err != nil {
		return err
	}
	id := fmt.Sprintf("bk_%012d", i)
	if _, err := q.Exec(`INSERT INTO booking (id, host_id, start_ms, end_ms, note) VALUES (?, ?, ?, ?, ?)`,
		id, host, start, start+1800_000, "a note of about the usual length, as invitees write them"); err != nil {
		return err
	}
	_, err := q.Exec(`INSERT INTO outbox (booking_id, payload) VALUES (?, ?)`, id, payload)
	return err
}

var payload = fmt.Sprintf("%0390d", 0)

func benchDB(b *testing.B) *DB {
	db := openTest(b, serving)
	err := db.Write(context.Background(), func(q *engine.Transaction) error {
		for i := range benchHost {
			if err := addHost(q, fmt.Sprintf("h%04d", i)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return db
}

// contend has 32 clients run op until it was run b.N times, and reports the rate and the slowest hundredth.
func contend(b *testing.B, op func(i int64) error) {
	var next atomic.Int64
	took := make([][]time.Duration, clients)
	b.ResetTimer()
	var wg sync.WaitGroup
	for c := range clients {
		wg.Go(func() {
			for {
				i := next.Add(1)
				if i > int64(b.N) {
					return
				}
				start := time.Now()
				if err := op(i); err != nil {
					b.Error(err)
					return
				}
				took[c] = append(took[c], time.Since(start))
			}
		})
	}
	wg.Wait()
	b.StopTimer()
	all := slices.Concat(took...)
	slices.Sort(all)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "tps")
	b.ReportMetric(float64(all[len(all)*99/100].Microseconds())/1000, "p99-ms")
}

func BenchmarkDataVersion(b *testing.B) {
	db := benchDB(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := db.DataVersion(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPointRead(b *testing.B) {
	db := benchDB(b)
	query := `SELECT revision FROM host WHERE id = ?`
	var n int
	s, err := db.readers.Take(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	defer db.readers.Give(s)
	tx := engine.NewTransaction(s)
	for b.Loop() {
		if err := tx.Scan(query, []any{"h0100"}, &n); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBackup(b *testing.B) {
	db := benchDB(b)
	dir := b.TempDir()
	for i := 0; b.Loop(); i++ {
		if err := db.Backup(b.Context(), filepath.Join(dir, fmt.Sprint(i))); err != nil {
			b.Fatal(err)
		}
	}
}
