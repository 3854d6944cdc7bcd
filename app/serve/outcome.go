package serve

import (
	"log/slog"
	"maps"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"
)

// outcome is what all requests of one pattern, method and status share: the
// log handler with the three formatted already, and the histogram for them.
type outcome struct {
	log      slog.Handler
	duration prometheus.Observer
}

type outcomeKey struct {
	pattern, method string
	status          int
}

// outcomes finds one without a lock. A new one copies the map, which has only
// as many entries as there are routes and answers of theirs.
type outcomes struct {
	mu        sync.Mutex
	known     atomic.Pointer[map[outcomeKey]*outcome]
	log       slog.Handler
	durations *prometheus.HistogramVec
}

func newOutcomes(log slog.Handler, durations *prometheus.HistogramVec) *outcomes {
	os := &outcomes{log: log, durations: durations}
	os.known.Store(&map[outcomeKey]*outcome{})
	return os
}

func (os *outcomes) find(pattern, method string, status int) *outcome {
	key := outcomeKey{pattern, method, status}
	if o := (*os.known.Load())[key]; o != nil {
		return o
	}
	key.method = usualMethod(method)
	os.mu.Lock()
	defer os.mu.Unlock()
	known := *os.known.Load()
	if o := known[key]; o != nil {
		return o
	}
	known = maps.Clone(known)
	known[key] = os.make(key)
	os.known.Store(&known)
	return known[key]
}

func (os *outcomes) make(k outcomeKey) *outcome {
	path := "unmatched"
	if k.pattern != "" {
		path = k.pattern[strings.IndexByte(k.pattern, ' ')+1:]
	}
	class := strconv.Itoa(k.status/100) + "xx"
	return &outcome{
		duration: os.durations.WithLabelValues(path, k.method, class),
		log: os.log.WithAttrs([]slog.Attr{slog.String("method", k.method), slog.String("route", path),
			slog.Int("status", k.status)}),
	}
}

// usualMethod bounds the labels: a client may send any method.
func usualMethod(m string) string {
	switch m {
	case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS":
		return m
	}
	return "other"
}
