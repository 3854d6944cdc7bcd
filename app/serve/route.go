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

// route is what all requests of one pattern and method share: the log handler
// with both already formatted, and the histogram's children.
type route struct {
	method, path string
	log          slog.Handler
	durations    [6]atomic.Pointer[prometheus.Observer] // by the status's first digit
	histogram    *prometheus.HistogramVec
}

type routeKey struct{ pattern, method string }

// routes finds a route without a lock; a new one copies the map, which there
// are only as many of as patterns and methods.
type routes struct {
	mu        sync.Mutex
	known     atomic.Pointer[map[routeKey]*route]
	log       slog.Handler
	histogram *prometheus.HistogramVec
}

func newRoutes(log slog.Handler, histogram *prometheus.HistogramVec) *routes {
	rs := &routes{log: log, histogram: histogram}
	rs.known.Store(&map[routeKey]*route{})
	return rs
}

func (rs *routes) find(pattern, method string) *route {
	key := routeKey{pattern, method}
	if rt := (*rs.known.Load())[key]; rt != nil {
		return rt
	}
	// A client may send any method; all unusual ones are one.
	if key.method = usualMethod(method); key.method != method {
		return rs.find(pattern, key.method)
	}
	rs.mu.Lock()
	defer rs.mu.Unlock()
	known := *rs.known.Load()
	if rt := known[key]; rt != nil {
		return rt
	}
	path := pattern
	if i := strings.IndexByte(path, ' '); i >= 0 {
		path = path[i+1:]
	}
	if path == "" {
		path = "unmatched"
	}
	rt := &route{method: key.method, path: path, histogram: rs.histogram}
	rt.log = rs.log.WithAttrs([]slog.Attr{slog.String("method", rt.method), slog.String("route", rt.path)})
	known = maps.Clone(known)
	known[key] = rt
	rs.known.Store(&known)
	return rt
}

func (rt *route) duration(status int) prometheus.Observer {
	class := min(max(status/100, 1), 5)
	if o := rt.durations[class].Load(); o != nil {
		return *o
	}
	o := rt.histogram.WithLabelValues(rt.path, rt.method, strconv.Itoa(class)+"xx")
	rt.durations[class].Store(&o)
	return o
}

func usualMethod(m string) string {
	switch m {
	case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "other":
		return m
	}
	return "other"
}
