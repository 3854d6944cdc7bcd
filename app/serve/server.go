package serve

import (
	"context"
	"errors"
	"log"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"
)

// server is one Run, or one Handler.
type server struct {
	config Config
	limits Limits
	log    *slog.Logger
	mux    *http.ServeMux
	access *accessLogger

	outcomes      *outcomes
	durations     *prometheus.HistogramVec
	schemeWarning sync.Once    // logs once that the proxy does not send the scheme
	proxyWarning  sync.Once    // logs once that a proxy of this machine is not trusted
	proxySeen     atomic.Int64 // when OnUnknownProxy was called last, in Unix milliseconds
	inFlight      atomic.Int64
	connections   crowd
	limited       prometheus.Counter
	streams       atomic.Int64
	bodies        bodies

	draining    atomic.Bool
	notReady    lastLogged
	stopping    context.Context // ends when streams must end
	stopStreams context.CancelFunc
}

func newServer(c Config) (*server, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	s := &server{config: c, limits: c.Limits, log: c.Logger, mux: http.NewServeMux(),
		access: newAccessLogger(c.LogOutput), durations: newDurations(),
		limited: prometheus.NewCounter(prometheus.CounterOpts{Name: "daybook_http_rate_limited_total",
			Help: "Requests that were answered 429."})}
	s.outcomes = newOutcomes(c.Logger.Handler(), s.durations)
	s.connections.most = c.Limits.Connections
	s.stopping, s.stopStreams = context.WithCancel(context.Background())
	s.mux.HandleFunc("GET /healthz", s.health)
	s.mux.HandleFunc("GET /readyz", s.readiness)
	s.mux.Handle("GET /metrics", s.serveMetrics())
	if c.Routes != nil {
		c.Routes(s.mux)
	}
	if c.Pages != nil {
		s.mux.Handle("/", s.pages())
	}
	return s, nil
}

// Handler returns the doors behind the whole chain, without a listener or loops,
// for tests of doors.
func Handler(c Config) (http.Handler, error) {
	s, err := newServer(c)
	if err != nil {
		return nil, err
	}
	return s.chain(s.mux), nil
}

// Run serves until ctx ends. It calls ready with the address once it is open.
// Then everything is closed within 10 s, open streams included, and the access
// log is written out. It returns nil after a clean stop; an error when an address
// could not be opened, the server broke, or a loop would not end.
func Run(ctx context.Context, c Config, ready func(addr net.Addr)) error {
	s, err := newServer(c)
	if err != nil {
		return err
	}
	unregister, err := s.register()
	if err != nil {
		return err
	}
	defer unregister()
	defer s.access.flush()
	fronts, err := s.open()
	if err != nil {
		return err
	}
	loopCtx, stopLoops := context.WithCancel(ctx)
	defer stopLoops()
	run := startLoops(loopCtx, s.log, append(s.certificateLoops(fronts), s.config.Loops...))
	if ready != nil {
		ready(fronts[0].listener.Addr())
	}
	broken := make(chan error, len(fronts))
	for _, f := range fronts {
		go func() { broken <- f.serve() }()
	}
	select {
	case <-ctx.Done():
		err = nil
		s.log.Info("stopping: open requests are answered first", "cause", context.Cause(ctx).Error(), "inFlight", s.inFlight.Load())
	case err = <-broken:
	}
	stopLoops()
	if err = errors.Join(err, s.stop(fronts, run)); err == nil {
		s.log.Info("stopped")
	}
	return err
}

// httpServer returns a front's net/http server.
func (s *server) httpServer(base context.Context, h http.Handler) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: s.limits.ReadHeader,
		ReadTimeout:       s.limits.Read,
		WriteTimeout:      s.limits.Write,
		IdleTimeout:       s.limits.Idle,
		MaxHeaderBytes:    s.limits.MaxHeaderBytes,
		BaseContext:       func(net.Listener) context.Context { return base },
		ErrorLog:          log.New(&errorLog{log: s.log}, "", 0),
		ConnState:         s.connections.note,
	}
}

// errorLog takes what net/http logs. Failed handshakes are common on any
// public port, so they are logged at debug level. That no connection can be
// taken is logged once, then once a minute.
type errorLog struct {
	log    *slog.Logger
	accept lastLogged
}

func (l *errorLog) Write(p []byte) (int, error) {
	level, text := slog.LevelWarn, strings.TrimSpace(string(p))
	if strings.Contains(text, "TLS handshake error") {
		level = slog.LevelDebug
	}
	if what, _, again := strings.Cut(text, "; retrying in "); again {
		if !l.accept.isNew(what) {
			return len(p), nil
		}
		text = what + "; it is tried again each second"
	}
	l.log.Log(context.Background(), level, text)
	return len(p), nil
}
