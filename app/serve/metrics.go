package serve

import (
	"crypto/subtle"
	"errors"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics counts requests in flight and observes how long each took, by route
// pattern, method and status class. Streams are counted while they are open,
// not timed.
func (s *server) metrics(next step) step {
	return func(e *requestState) {
		s.inFlight.Add(1)
		defer func() {
			s.inFlight.Add(-1)
			if e.answer.status == http.StatusTooManyRequests {
				s.limited.Inc()
			}
			if !e.stream {
				e.finish().duration.Observe(e.took.Seconds())
			}
		}()
		next(e)
	}
}

func newDurations() *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "daybook_http_request_duration_seconds",
		Help:    "How long requests took, streams left out.",
		Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
	}, []string{"route", "method", "status"})
}

// register adds our collectors and returns a function that removes them, so
// that a second Run can use the same registry.
func (s *server) register() (unregister func(), err error) {
	build := prometheus.NewGauge(prometheus.GaugeOpts{Name: "daybook_build_info",
		Help: "1, labelled with the version.", ConstLabels: prometheus.Labels{"version": s.config.Version}})
	build.Set(1)
	ours := []prometheus.Collector{
		s.durations, build, s.limited,
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "daybook_http_connections",
			Help: "Open connections, idle ones among them."}, func() float64 { return float64(s.connections.count()) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "daybook_http_requests_in_flight",
			Help: "Requests being answered, open streams among them."}, func() float64 { return float64(s.inFlight.Load()) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "daybook_http_streams",
			Help: "Open streams."}, func() float64 { return float64(s.streams.Load()) }),
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	}
	var added []prometheus.Collector
	unregister = func() {
		for _, c := range added {
			s.config.Registry.Unregister(c)
		}
	}
	for _, c := range ours {
		err := s.config.Registry.Register(c)
		if already := (prometheus.AlreadyRegisteredError{}); errors.As(err, &already) {
			continue
		} else if err != nil {
			unregister()
			return nil, err
		}
		added = append(added, c)
	}
	return unregister, nil
}

// serveMetrics answers /metrics to clients on this host or a private network,
// or to MetricsAllow, and to whoever shows MetricsToken, unless it came in the
// clear though the public address is https. A request that an untrusted peer forwarded can come from
// anywhere. Without a list, so can one for the public name that names no
// client.
func (s *server) serveMetrics() http.Handler {
	show := promhttp.HandlerFor(s.config.Registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4, Timeout: 10 * time.Second})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e := stateOf(r.Context())
		e.quiet = true
		if !s.mayScrape(e) {
			http.Error(w, "Metrics are shown to this host and private networks, and to those who show the token of --metrics-token-file.", http.StatusForbidden)
			return
		}
		show.ServeHTTP(w, r)
	})
}

func (s *server) mayScrape(e *requestState) bool {
	if s.showsToken(e) {
		return true
	}
	if e.relayed {
		return false
	}
	if s.config.MetricsAllow != nil {
		return within(s.config.MetricsAllow, e.client)
	}
	return isPrivate(e.client) && (e.proxied || !s.publicHost(e.r.Host))
}

// showsToken reports whether the request has the token. One that was sent in
// the clear, where it must not be, counts as none.
func (s *server) showsToken(e *requestState) bool {
	scheme, token, _ := strings.Cut(e.r.Header.Get("Authorization"), " ")
	return s.config.MetricsToken != "" && strings.EqualFold(scheme, "Bearer") &&
		subtle.ConstantTimeCompare([]byte(strings.TrimSpace(token)), []byte(s.config.MetricsToken)) == 1 &&
		(e.secure || !e.schemeKnown || !s.promisesHTTPS())
}

func isPrivate(a netip.Addr) bool {
	return a.IsLoopback() || a.IsPrivate() || a.IsLinkLocalUnicast()
}

// publicHost reports whether host is the name of the public address.
func (s *server) publicHost(host string) bool {
	if s.config.BaseURL == nil {
		return false
	}
	name := s.config.BaseURL.Hostname()
	if a, err := netip.ParseAddr(name); name == "localhost" || err == nil && isPrivate(a) {
		return false
	}
	return hostname(host) == name
}
