package serve

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"sync"
	"time"
)

// The access log is the dearest part of the chain: formatting a line takes
// about a microsecond and writing it another one or more. So a request only
// notes what happened, in under 100 ns; the lines are formatted with their own
// times and written in batches, at most 100 ms later, or as soon as 256 wait.
// Nothing is dropped: with 4,096 waiting, the request that comes writes them
// itself. Shutdown writes the rest. Everything else that is logged goes
// straight through Logger, so a crash loses 100 ms of access lines and no error.
const (
	accessDelay = 100 * time.Millisecond
	accessBatch = 256
	accessLimit = 4096
)

// accessLog notes one line per request: method, route, path (redacted, never
// the query), status, bytes, duration, request id, client. Probes that go well
// are not noted.
func (s *server) accessLog(next step) step {
	return func(e *exchange) {
		defer func() {
			if !e.quiet || e.status() >= 400 {
				s.access.note(e)
			}
		}()
		next(e)
	}
}

// status is the one for log and metrics: 499 when the client left before
// there was one.
func (e *exchange) status() int {
	switch {
	case e.answer.status != 0:
		return e.answer.status
	case e.aborted, e.life.Context.Err() != nil:
		return 499
	}
	return http.StatusOK
}

// entry is a line to be.
type entry struct {
	route    *route
	path, id string
	client   netip.Addr
	start    time.Time
	duration time.Duration
	bytes    int64
	status   int
	aborted  bool
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

func (l *accessLogger) note(e *exchange) {
	rt := e.server.routes.find(e.r.Pattern, e.r.Method)
	if !rt.log.Enabled(context.Background(), slog.LevelInfo) {
		return
	}
	l.mu.Lock()
	l.waiting = append(l.waiting, entry{rt, e.r.URL.Path, e.id, e.client, e.start, time.Since(e.start), e.answer.bytes, e.status(), e.aborted})
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

// flush writes what waits.
func (l *accessLogger) flush() {
	l.writing.Lock()
	defer l.writing.Unlock()
	l.mu.Lock()
	batch := l.waiting
	l.waiting, l.spare = l.spare[:0], nil
	l.mu.Unlock()
	if l.output != nil && len(batch) > 0 {
		l.output.hold()
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

func (n *entry) write() {
	level := slog.LevelInfo
	if n.status >= 500 {
		level = slog.LevelError
	}
	r := slog.NewRecord(n.start.Add(n.duration), level, "request", 0)
	r.AddAttrs(
		slog.String("path", redact(n.path)),
		slog.Int("status", n.status),
		slog.Int64("bytes", n.bytes),
		slog.Float64("ms", float64(n.duration.Microseconds())/1000),
		slog.String("client", n.client.String()),
		slog.String("requestId", n.id),
	)
	if n.aborted {
		r.AddAttrs(slog.Bool("aborted", true))
	}
	n.route.log.Handle(context.Background(), r) //nolint:errcheck // there is nowhere to tell
}
