package sqlite

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/store/engine"
)

// Clients write twelve times the limit without a pause, others read; the log stays near the limit, and Close leaves none.
func TestLogStaysBounded(t *testing.T) {
	const limit = 4 << 20
	db := openTest(t, serving, func(o *Options) { o.walLimit = limit })
	note := strings.Repeat("n", 4000)
	var wg sync.WaitGroup
	for c := range 8 {
		wg.Go(func() {
			host := fmt.Sprint("host", c)
			mustAddHost(t, db, host)
			for i := range 1600 { // 50 MB in all
				err := db.Write(context.Background(), func(q *engine.Transaction) error {
					_, err := q.Exec(`INSERT INTO booking VALUES (?, ?, ?, ?, ?)`, fmt.Sprint(c, "-", i), host, i, i+1, note)
					return err
				})
				if err != nil {
					t.Error(err)
				}
				db.side.Get(new(int), `SELECT count(*) FROM host`)
			}
		})
	}
	wg.Wait()
	if n := db.checkpoint.truncations.Load(); n == 0 {
		t.Error("the log was never emptied")
	}
	info, err := os.Stat(db.Path() + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("log %d KiB after %d truncations", info.Size()>>10, db.checkpoint.truncations.Load())
	// It is emptied beside the writers, who go on meanwhile.
	if info.Size() > 8*limit {
		t.Errorf("the log is %d bytes of about 50 MB written, limit %d", info.Size(), limit)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	if exists(db.Path() + "-wal") {
		t.Error("Close left a log")
	}
}

// After a read that held the log has ended, it is emptied as soon as it has grown by its limit once more, and not only
// seconds later: a quick disk writes hundreds of megabytes meanwhile.
func TestRefusedLogIsEmptiedAsItGrows(t *testing.T) {
	const limit = 1 << 20
	db := openTest(t, serving, func(o *Options) { o.walLimit = limit })
	mustAddHost(t, db, "host")
	note, n := strings.Repeat("n", 64000), 0
	write := func() {
		n++
		err := db.Write(t.Context(), func(q *engine.Transaction) error {
			_, err := q.Exec(`INSERT INTO booking VALUES (?, 'host', ?, ?, ?)`, fmt.Sprint(n), n, n+1, note)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	tx, err := db.side.Beginx()
	if err != nil {
		t.Fatal(err)
	}
	if err := tx.Get(new(int), `SELECT count(*) FROM host`); err != nil {
		t.Fatal(err)
	}
	tried := func() time.Time {
		db.checkpoint.mu.Lock()
		defer db.checkpoint.mu.Unlock()
		return db.checkpoint.truncated
	}
	for tried().IsZero() {
		write()
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	refused := n
	for db.checkpoint.truncations.Load() == 0 {
		write()
	}
	if more := (n - refused) * len(note); more > 32*limit {
		t.Errorf("the log was emptied only after another %d MB", more>>20)
	}
}
