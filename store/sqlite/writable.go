package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"daybook/store/engine"
)

const (
	probeBytes = 64 << 10
	probeEvery = time.Second // at most once in this time
)

// writeProbe tells whether the disk accepts writes. It writes a file beside the database and not the database itself,
// because every commit makes all processes check their caches.
type writeProbe struct {
	mu  sync.Mutex
	at  time.Time
	err error
}

// CheckWritable implements engine.Engine. After a failed commit it succeeds only when a commit works again.
func (db *DB) CheckWritable(ctx context.Context) error {
	if db.writer == nil {
		return nil // it is open for reading
	}
	if db.stale.Load() {
		return errStale
	}
	if db.writer.failed.Load() {
		err := db.Write(ctx, func(tx *engine.Transaction) error {
			_, err := tx.Exec("PRAGMA user_version = 0") // a write, whatever the schema
			return err
		})
		if err != nil {
			return fmt.Errorf("%w: %w", engine.ErrUnwritable, err)
		}
	}
	p := &db.probe
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.at.IsZero() || time.Since(p.at) >= probeEvery || p.err != nil {
		p.err, p.at = tryDisk(filepath.Dir(db.o.Path)), time.Now()
	}
	return p.err
}

// tryDisk writes some bytes through to the disk, into a temporary file that has lost its name, so that a kill leaves
// nothing. On Windows an open file can't lose it.
func tryDisk(dir string) error {
	f, err := os.CreateTemp(dir, ".daybook-probe-*")
	if err == nil {
		open := os.Remove(f.Name())
		if err = errors.Join(fillFile(f), f.Close()); open != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}
	if err != nil {
		return fmt.Errorf("%w: %w", engine.ErrUnwritable, err)
	}
	return nil
}

func fillFile(f *os.File) error {
	if _, err := f.Write(make([]byte, probeBytes)); err != nil {
		return err
	}
	return f.Sync()
}
