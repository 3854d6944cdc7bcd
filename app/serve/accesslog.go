package serve

import (
	"context"
	"log/slog"
	"net/netip"
	"sync"
	"time"
)

// The access log is the most expensive part of the chain: formatting a line
// takes about a microsecond and writing it another one or more. So a request
// only notes what happened, in under 100 ns; the lines are formatted with their
// own times and written in batches, at most 100 ms later, or as soon as 256
// wait. Nothing is dropped: with 4,096 waiting, the next request writes them
// itself. Shutdown writes the rest. Everything else is logged through Logger at
// once, so a crash loses 100 ms of access lines and no error.
const (
	accessDelay = 100 * time.Millisecond
	accessBatch = 256
	accessLimit = 4096
)

// accessLog notes one line per request: method, route, path (redacted, never
// the query), status, bytes, duration, request id, client. Probes that go well
// are not noted.
func (s *server) accessLog(next step) step {
	return func(e *requestState) {
		defer func() {
			if !e.quiet || e.status() >= 400 {
				s.access.note(e)
			}
		}()
		next(e)
	}
}

// entry is a line that is not formatted yet.
type entry struct {
	outcome           *outcome
	pattern, path, id string
	client            netip.Addr
	end               time.Time
	took              time.Duration
	bytes             int64
	failed            bool
	aborted           bool
}

type accessLogger struct {
	output *LogOutput // may be nil

	mu      sync.Mutex
	waiting []entry
	spare   []entry
	timer   *time.Timer

	writing sync.Mutex // keeps batches in order
}

func newAccessLogger(output *LogOutput) *accessLogger {
	l := &accessLogger{output: output}
	l.timer = time.AfterFunc(time.Hour, l.flush)
	l.timer.Stop()
	return l
}

func (l *accessLogger) note(e *requestState) {
	o := e.finish()
	if !o.log.Enabled(context.Background(), slog.LevelInfo) {
		return
	}
	l.mu.Lock()
	l.waiting = append(l.waiting, entry{
		o, e.r.Pattern, e.r.URL.Path, e.id, e.client, e.start.Add(e.took), e.took, e.answer.bytes,
		e.status() >= 500, e.aborted,
	})
	n := len(l.waiting)
	if n == 1 {
		l.timer.Reset(accessDelay)
	}
	l.mu.Unlock()
	switch {
	case n == accessBatch:
		go l.flush()
	case n >= accessLimit:
		l.flush()
	}
}

// flush writes the entries that wait.
func (l *accessLogger) flush() {
	l.writing.Lock()
	defer l.writing.Unlock()
	l.mu.Lock()
	batch := l.waiting
	l.waiting, l.spare = l.spare[:0], nil
	l.mu.Unlock()
	if l.output != nil && len(batch) > 0 {
		l.output.gather()
		defer l.output.release()
	}
	for i := range batch {
		batch[i].write()
	}
	clear(batch)
	l.mu.Lock()
	l.spare = batch
	l.mu.Unlock()
}

// write keeps to the five attributes that a slog.Record holds without
// allocating, and to kinds that slog formats itself (a float goes through
// encoding/json).
func (n *entry) write() {
	level := slog.LevelInfo
	if n.failed {
		level = slog.LevelError
	}
	r := slog.NewRecord(n.end, level, "request", 0)
	r.AddAttrs(
		slog.String("path", shownPath(n.pattern, n.path)),
		slog.Int64("bytes", n.bytes),
		slog.Int64("micros", n.took.Microseconds()),
		slog.String("client", n.client.String()),
		slog.String("requestId", n.id),
	)
	if n.aborted {
		r.AddAttrs(slog.Bool("aborted", true))
	}
	n.outcome.log.Handle(context.Background(), r) //nolint:errcheck // nowhere to report it
}
