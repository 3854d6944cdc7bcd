package cli

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/url"
	"slices"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/pflag"

	"daybook/app"
	"daybook/app/rooms"
	"daybook/app/serve"
	"daybook/app/upkeep"
	"daybook/store"
)

// server is the appliance: its flags, and how it runs.
type server struct {
	house *house

	addr          string
	baseURL       webURL
	tlsDomains    []string
	httpAddr      string
	acmeDirectory webURL
	acmeEmail     string
	trustProxy    prefixes
	logFormat     *choice
	logLevel      *choice
	flags         *pflag.FlagSet
	wire          []func(*wiring) error

	logOutput *serve.LogOutput
	fill      func(context.Context, *wiring) error // what to do before it serves
	ready     func(*wiring) error                  // who is told that it serves
}

const defaultAddr, defaultTLSAddr = ":8080", ":443"

func newServer(h *house) *server {
	s := &server{house: h, logFormat: newChoice("text", "json"), logLevel: newChoice("debug", "info", "warn", "error")}
	s.logLevel.value = "info"
	return s
}

// addFlags adds all that a server can be told.
func (s *server) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&s.addr, "addr", defaultAddr, "address to listen on; port 0 picks a free one (default :443 with --tls-domain)")
	flags.Var(&s.baseURL, "base-url", "the public address (default made from --tls-domain or --addr)")
	flags.StringSliceVar(&s.tlsDomains, "tls-domain", nil, "serve HTTPS for this domain, with a certificate by ACME; may be repeated")
	flags.StringVar(&s.httpAddr, "http-addr", ":80", "with --tls-domain: where certificate challenges are answered and HTTP is redirected")
	flags.Var(&s.acmeDirectory, "acme-directory", "another certificate authority than Let's Encrypt")
	flags.StringVar(&s.acmeEmail, "acme-email", "", "where the certificate authority writes to when a renewal fails")
	flags.Var(&s.trustProxy, "trust-proxy", "networks of the proxies whose X-Forwarded headers are believed")
	s.house.secretFlag(flags)
	s.addCommon(flags)
}

// addCommon adds what the demo can be told too.
func (s *server) addCommon(flags *pflag.FlagSet) {
	flags.Var(s.logFormat, "log-format", "how to write the log, to standard error")
	flags.Var(s.logLevel, "log-level", "the least that is logged")
	s.house.webhookFlag(flags)
	s.house.mailFlag(flags)
	s.flags = flags
	for _, add := range slices.Concat(doors, loops) {
		s.wire = append(s.wire, add(flags))
	}
}

func (s *server) logger(out io.Writer) *slog.Logger {
	s.logOutput = serve.NewLogOutput(out)
	var o slog.HandlerOptions
	var level slog.Level
	level.UnmarshalText([]byte(s.logLevel.value)) //nolint:errcheck // one of the four
	o.Level = level
	if s.logFormat.value == "json" {
		return slog.New(slog.NewJSONHandler(s.logOutput, &o))
	}
	return slog.New(slog.NewTextHandler(s.logOutput, &o))
}

// run opens and migrates the database and serves it until ctx ends.
func (s *server) run(ctx context.Context, logTo io.Writer) (err error) {
	if err := checkFlags(s.flags); err != nil {
		return err
	}
	vault, err := s.house.vault()
	if err != nil {
		return err
	}
	log := s.logger(logTo)
	db, err := s.openDatabase(ctx, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	listener, err := s.listen()
	if err != nil {
		return err
	}
	defer listener.Close()
	base := s.publicURL(listener.Addr())
	st := store.New(db)
	config := rooms.Config{Config: app.Config{Store: st, BaseURL: base, Vault: vault, Logger: log}, Webhook: s.house.webhooks(), Mail: s.house.mails()}
	if base.Scheme == "https" && len(s.tlsDomains) == 0 && len(s.trustProxy) == 0 {
		log.Warn("the --base-url is https, but nobody tells whether requests came by HTTPS: those by plain HTTP are served, too",
			"action", "give --trust-proxy the network of the proxy, and have it set X-Forwarded-Proto")
	}
	w := &wiring{Set: rooms.New(config), Config: config, Store: st, Registry: prometheus.NewRegistry()}
	if err := s.prepare(ctx, w); err != nil {
		return err
	}
	return serve.Run(ctx, s.config(w, listener), func(net.Addr) {
		if err := s.ready(w); err != nil {
			log.Error("can't tell that the server is ready", "error", err.Error())
		}
	})
}

func (s *server) openDatabase(ctx context.Context, log *slog.Logger) (store.Engine, error) {
	o := s.house.options(io.Discard)
	o.Create, o.Serving, o.Logger = true, true, log
	db, err := openEngine(ctx, o)
	if err != nil {
		return nil, err
	}
	names, err := db.Migrate(ctx)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	for _, name := range names {
		log.Info("migrated", "migration", name)
	}
	return db, nil
}

// listen opens the address before anything else needs to know it. With HTTPS it is 443 unless said otherwise.
func (s *server) listen() (net.Listener, error) {
	if len(s.tlsDomains) > 0 && !s.flags.Changed("addr") {
		s.addr = defaultTLSAddr
	}
	return serve.Listen(s.addr)
}

// publicURL is --base-url, else what can be told from the domain or the address.
func (s *server) publicURL(at net.Addr) *url.URL {
	if s.baseURL.URL != nil {
		return s.baseURL.URL
	}
	tcp, _ := at.(*net.TCPAddr)
	if len(s.tlsDomains) > 0 {
		u := &url.URL{Scheme: "https", Host: s.tlsDomains[0]}
		if tcp.Port != 443 {
			u.Host += ":" + strconv.Itoa(tcp.Port)
		}
		return u
	}
	host := tcp.IP.String()
	if tcp.IP.IsUnspecified() {
		host = "localhost"
	}
	return &url.URL{Scheme: "http", Host: net.JoinHostPort(host, strconv.Itoa(tcp.Port))}
}

// prepare makes ready what the requests will need.
func (s *server) prepare(ctx context.Context, w *wiring) error {
	if err := join(ctx, w); err != nil {
		return err
	}
	if s.fill != nil {
		if err := s.fill(ctx, w); err != nil {
			return err
		}
	}
	for _, wire := range s.wire {
		if err := wire(w); err != nil {
			return err
		}
	}
	return nil
}

// join makes this server one of those of the database: the first takes over, the others must use the same secret key.
func join(ctx context.Context, w *wiring) error {
	sealed, first := 0, false
	err := w.Store.JoinServers(ctx, func() (err error) {
		first = true
		sealed, err = w.Upkeep.TakeOver(ctx)
		return err
	})
	if err != nil {
		return err
	}
	if sealed > 0 {
		w.log().Info("encrypted the stored secrets", "count", sealed)
	}
	if first {
		return w.Upkeep.NoteBaseURL(ctx)
	}
	if err := w.Upkeep.CheckSecretKey(); err != nil {
		return err
	}
	if err := w.Upkeep.NoteBaseURL(ctx); err != nil {
		return err
	}
	w.log().Info("another server has this database: they share the work")
	return nil
}

// readiness says in one word, which anyone may see, what keeps the server from working.
func readiness(s *rooms.Set) func(context.Context) error {
	return func(ctx context.Context) error {
		err := s.Ready(ctx)
		switch {
		case errors.Is(err, store.ErrUnwritable):
			return &serve.NotReady{Reason: "unwritable", Err: err}
		case errors.Is(err, upkeep.ErrSecrets):
			return &serve.NotReady{Reason: "secrets", Err: err}
		}
		return err
	}
}

func (s *server) config(w *wiring, l net.Listener) serve.Config {
	c := serve.Config{
		Addr: s.addr, Listener: l, BaseURL: w.Config.BaseURL, Logger: w.log(), LogOutput: s.logOutput, Version: Version,
		TrustedProxies: s.trustProxy, Ready: readiness(w.Set), Routes: w.routes, Pages: w.wildcards, Loops: w.loops, OnShutdown: w.onShutdown, Registry: w.Registry,
	}
	if len(s.tlsDomains) > 0 {
		c.TLSDomains, c.ACMEDirectory, c.ACMEEmail, c.ChallengeAddr = slices.Clone(s.tlsDomains), s.acmeDirectory.String(), s.acmeEmail, s.httpAddr
		c.Certificates = certificates{w.Set}
	}
	return c
}
