package serve

import (
	"cmp"
	"context"
	"crypto/x509"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/crypto/acme/autocert"
)

// Config is everything that the server is given. Only Routes is required.
type Config struct {
	Addr     string       // host:port; port 0 picks a free one, "" is 127.0.0.1:0
	Listener net.Listener // one that is open already, instead of Addr; Run closes it
	BaseURL  *url.URL     // the public address; nil when there is none
	Logger   *slog.Logger // nil discards
	Version  string

	// LogOutput is the writer under Logger, when that is one: the access lines
	// of 100 ms then leave in one write.
	LogOutput *LogOutput

	// TrustedProxies are the peers whose X-Forwarded-For, -Proto and -Host, or
	// Forwarded, and X-Request-Id are believed. Those of other peers are not,
	// and no door sees the forwarding headers at all.
	TrustedProxies []netip.Prefix

	// OnUnknownProxy is called, at once and at most once an hour, when a peer of
	// this machine that is none of TrustedProxies says for whom it asks: a proxy
	// whose clients all count as this machine. It must not block; it may be nil.
	OnUnknownProxy func()

	// MetricsAllow says which clients may read /metrics; nil means loopback and
	// private networks.
	MetricsAllow []netip.Prefix

	// MetricsToken is what whoever asks from elsewhere shows as Authorization:
	// Bearer; "" lets nobody in by a token.
	MetricsToken string

	// TLSDomains turns HTTPS on: Addr then speaks it, with certificates from
	// ACME (Let's Encrypt unless ACMEDirectory says another) kept in
	// Certificates, and ChallengeAddr (default ":80") answers HTTP-01 and
	// redirects to HTTPS.
	TLSDomains    []string
	ACMEDirectory string
	ACMEEmail     string
	ACMERootCAs   *x509.CertPool // that ACMEDirectory's own certificate is checked by; nil means the system's
	Certificates  autocert.Cache
	ChallengeAddr string

	// DebugAddr is where profiles of the running program are served, on loopback
	// only (CheckDebugAddr); "" is nowhere.
	DebugAddr string

	// Ready returns nil when work can be done, for /readyz; see NotReady.
	Ready func(context.Context) error

	// ReadyNotes add lines to the answer of /readyz while work can be done.
	ReadyNotes []func() string

	// Routes mounts the doors, except for "/".
	Routes func(mux *http.ServeMux)

	// Pages mounts patterns that begin with a wildcard ("GET /{workspace}"), on a
	// mux of its own that is used when Routes has no pattern for a path; see
	// pages.go.
	Pages func(mux *http.ServeMux)

	// Loops run beside the server.
	Loops []Loop

	// OnShutdown is called, all at once, when the server begins to stop and
	// before it stops accepting; the context ends after 2 s.
	OnShutdown []func(ctx context.Context)

	// Registry is what /metrics shows; nil makes a new one. Collectors that it
	// already has are left alone.
	Registry *prometheus.Registry

	Limits Limits
}

// Limits bound a connection and a request; a zero field takes its default.
type Limits struct {
	ReadHeader     time.Duration // 10 s for the request's head
	Read           time.Duration // 30 s for head and body
	Write          time.Duration // 60 s for the answer
	Idle           time.Duration // 2 min between requests
	Upload         time.Duration // 10 s of an upload until its speed counts
	Request        time.Duration // 30 s until the request's context ends
	Drain          time.Duration // 5 s for open requests at shutdown
	MaxHeaderBytes int           // 32 KiB
	Connections    int           // open at once; nearly as many as the process may open files
}

func (l Limits) withDefaults() Limits {
	return Limits{
		ReadHeader:     cmp.Or(l.ReadHeader, 10*time.Second),
		Read:           cmp.Or(l.Read, 30*time.Second),
		Write:          cmp.Or(l.Write, time.Minute),
		Idle:           cmp.Or(l.Idle, 2*time.Minute),
		Upload:         cmp.Or(l.Upload, 10*time.Second),
		Request:        cmp.Or(l.Request, 30*time.Second),
		Drain:          min(cmp.Or(l.Drain, 5*time.Second), 6*time.Second),
		MaxHeaderBytes: cmp.Or(l.MaxHeaderBytes, 32<<10),
		Connections:    cmp.Or(l.Connections, mostConnections(openFiles())),
	}
}

func (c Config) withDefaults() (Config, error) {
	c.Addr = cmp.Or(c.Addr, "127.0.0.1:0")
	c.ChallengeAddr = cmp.Or(c.ChallengeAddr, ":80")
	c.Logger = cmp.Or(c.Logger, slog.New(slog.DiscardHandler))
	c.Limits = c.Limits.withDefaults()
	if c.Registry == nil {
		c.Registry = prometheus.NewRegistry()
	}
	c.TLSDomains = slices.Clone(c.TLSDomains)
	for i, d := range c.TLSDomains {
		c.TLSDomains[i] = strings.ToLower(strings.TrimSuffix(d, "."))
	}
	if len(c.TLSDomains) > 0 && c.Certificates == nil {
		return c, errors.New("serve: TLSDomains needs Certificates: without a cache every start would ask for new " +
			"certificates")
	}
	return c, nil
}
