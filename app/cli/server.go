package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"daybook/app"
	"daybook/app/cli/console"
	"daybook/app/contact"
	"daybook/app/movein"
	"daybook/app/oauth"
	"daybook/app/push"
	"daybook/app/serve"
	"daybook/app/subjects"
	"daybook/app/upkeep"
	"daybook/store"
	"daybook/store/engine"
	"daybook/store/migrations"
)

// server is a server that is not running yet: its flags, and how to run it.
type server struct {
	Database *databaseFlags
	program  program

	Addr          string
	BaseURL       console.WebURL
	TLSDomains    []string
	httpAddr      string
	acmeDirectory console.WebURL
	acmeEmail     string
	TrustProxy    console.Networks
	customerFiles int              // how many MB of them a workspace has at most
	assistants    console.Networks // from which many people's assistants call
	logFormat     *console.Choice
	logLevel      *console.Choice
	Flags         *pflag.FlagSet
	wire          []func(*wiring) error
	root          *cobra.Command // whose command runs the server
	force         bool           // serve a database that has moved
	debugAddr     string         // of profiles; "" is none
	metricsToken  string         // the file with it; "" is none

	logOutput *serve.LogOutput
	fill      func(context.Context, *wiring) error // called before the doors and loops are wired; may be nil
	ready     func(*wiring) error                  // called once the server answers
}

const defaultAddr, defaultTLSAddr = ":8080", ":443"

// newServer makes a server of the program's parts on the database of the flags.
func newServer(f *databaseFlags, program program) *server {
	s := &server{
		Database: f, program: program,
		logFormat: console.NewChoice("text", "json"), logLevel: console.NewChoice("debug", "info", "warn", "error"),
	}
	s.logLevel.Value = "info"
	return s
}

// AddFlags adds all flags of a server.
func (s *server) AddFlags(flags *pflag.FlagSet) {
	flags.StringVar(&s.Addr, "addr", defaultAddr,
		"address to listen on; port 0 picks a free one (default :443 with --tls-domain)")
	flags.Var(&s.BaseURL, "base-url", "the public address (default made from --tls-domain or --addr)")
	console.CheckFlag(flags, "base-url", s.checkBase)
	flags.StringSliceVar(&s.TLSDomains, "tls-domain", nil,
		"serve HTTPS for this domain, with a certificate by ACME; may be repeated")
	flags.StringVar(&s.httpAddr, "http-addr", ":80",
		"with --tls-domain: where certificate challenges are answered and HTTP is redirected")
	flags.Var(&s.acmeDirectory, "acme-directory", "another certificate authority than Let's Encrypt")
	flags.StringVar(&s.acmeEmail, "acme-email", "", "where the certificate authority writes to when a renewal fails")
	flags.Var(&s.TrustProxy, "trust-proxy", "networks of the proxies whose X-Forwarded headers are believed")
	flags.StringVar(&s.metricsToken, "metrics-token-file", "",
		"also show /metrics, wherever they are asked from, to those who send the token in this file as Authorization: Bearer")
	flags.Var(&s.assistants, "assistant-address",
		"networks from which the assistants of many people call: limits by address are a hundred times as high for them")
	flags.IntVar(&s.customerFiles, "customer-files-mb", contact.FilesOfWorkspace/1_000_000,
		"how many megabytes the photographs and files of a workspace's customers may have")
	console.CheckFlag(flags, "customer-files-mb", func() error {
		if s.customerFiles < 1 {
			return fmt.Errorf("%d is no number of megabytes: the least is 1", s.customerFiles)
		}
		return nil
	})
	s.Database.AddSecretKeyFile(flags)
	s.Database.AddCalendarClients(flags)
	s.addCommon(flags)
}

// addCommon adds the flags that serve and demo share.
func (s *server) addCommon(flags *pflag.FlagSet) {
	flags.Var(s.logFormat, "log-format", "how to write the log, to standard error")
	flags.Var(s.logLevel, "log-level", "the least that is logged")
	s.Database.AddWebhookAllow(flags)
	s.Database.AddMailAllow(flags)
	s.Database.AddTextAllow(flags)
	s.Database.AddCalendarAllow(flags)
	s.Flags = flags
	for _, add := range s.program.Parts {
		s.wire = append(s.wire, add(flags))
	}
}

func (s *server) logger(out io.Writer) *slog.Logger {
	s.logOutput = serve.NewLogOutput(out)
	var o slog.HandlerOptions
	var level slog.Level
	level.UnmarshalText([]byte(s.logLevel.Value)) //nolint:errcheck // one of the four
	o.Level = level
	if s.logFormat.Value == "json" {
		return slog.New(slog.NewJSONHandler(s.logOutput, &o))
	}
	return slog.New(slog.NewTextHandler(s.logOutput, &o))
}

// run opens and migrates the database and serves it until ctx ends.
func (s *server) run(ctx context.Context, logTo io.Writer) (err error) {
	if err := console.CheckFlags(s.Flags); err != nil {
		return err
	}
	vault, err := s.Database.Vault()
	if err != nil {
		return err
	}
	token, err := readMetricsToken(s.metricsToken)
	if err != nil {
		return err
	}
	log := s.logger(logTo)
	for _, t := range s.troubles() {
		log.Warn(t.Message, "action", t.Advice)
	}
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
	calendars, err := s.Database.CalendarConfig()
	if err != nil {
		return err
	}
	config := subjects.Config{Config: app.Config{Store: st, BaseURL: base, Vault: vault, Logger: log},
		Webhook: s.Database.WebhookConfig(), Mail: s.Database.MailConfig(), Text: s.Database.TextConfig(),
		Calendars: calendars, Contact: contact.Config{FilesOfWorkspace: s.customerFiles * 1_000_000},
		Push:    push.Config{Allow: s.Database.WebhookConfig().Allow},
		MoveIn:  movein.Config{Allow: s.Database.WebhookConfig().Allow},
		Machine: machineOf(db, s.program.Version, s.TLSDomains),
		OAuth:   oauth.Config{Allow: s.Database.WebhookConfig().Allow}, Assistants: s.assistants}
	for _, domain := range s.TLSDomains {
		config.OAuth.Aliases = append(config.OAuth.Aliases, "https://"+domain)
	}
	if base.Scheme == "https" && len(s.TLSDomains) == 0 && len(s.TrustProxy) == 0 {
		log.Warn("the --base-url is https, but nobody tells whether requests came by HTTPS: those by plain HTTP are "+
			"served, too",
			"action", "give --trust-proxy the network of the proxy, and have it set X-Forwarded-Proto")
	}
	w := &wiring{Set: subjects.New(config), Config: config, Store: st, Version: s.program.Version, Root: s.root,
		Registry: prometheus.NewRegistry()}
	w.Registry.MustRegister(shareMetrics(st)...)
	w.Registry.MustRegister(poolMetrics(db)...)
	w.loopFailures = loopFailures()
	w.Registry.MustRegister(w.loopFailures)
	if err := s.prepare(ctx, w); err != nil {
		return err
	}
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	go watchSchema(ctx, db, log, end)
	settings := s.config(w, listener)
	settings.MetricsToken = token
	err = serve.Run(ctx, settings, func(net.Addr) {
		log.Info("serving", "address", base.String(), "database", st.Path(), "version", w.Version)
		if err := s.ready(w); err != nil {
			log.Error("can't tell that the server is ready", "error", err.Error())
		}
	})
	if changed := (*schemaChanged)(nil); err == nil && errors.As(context.Cause(ctx), &changed) {
		return changed
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastTend)
	defer cancel()
	if unsaved := w.Upkeep.Tend(last); unsaved != nil { // what requests left that were answered while it stopped
		log.Error("what the last requests left can't be saved", "error", unsaved)
	}
	return err
}

// lastTend is how long a server that has answered its last request saves what requests left to be saved.
const lastTend = time.Second

// schemaLook is how often a server looks whether the schema is still its own.
const schemaLook = 500 * time.Millisecond

// schemaChanged is why a server ends: another version of Daybook has migrated the database, or another file was put in
// its place. Its service manager starts the version that is installed now.
type schemaChanged struct{ err error }

func (c *schemaChanged) Error() string {
	return "the database was changed under this server, which ends so that the installed version can be started: " +
		c.err.Error()
}

func (c *schemaChanged) Unwrap() error { return c.err }

// watchSchema ends the server once the schema is no longer one that it works with.
func watchSchema(ctx context.Context, db engine.Engine, log *slog.Logger, end context.CancelCauseFunc) {
	for tick := time.NewTicker(schemaLook); ; {
		select {
		case <-ctx.Done():
			tick.Stop()
			return
		case <-tick.C:
		}
		err := db.CheckSchema(ctx)
		for _, kind := range []error{migrations.ErrNewer, migrations.ErrOlder, migrations.ErrChanged, migrations.ErrForeign} {
			if errors.Is(err, kind) {
				log.Error("the schema was changed under this server: it ends", "error", err.Error(),
					"action", "start the installed version, as a service manager does by itself")
				end(&schemaChanged{err})
				return
			}
		}
	}
}

func (s *server) openDatabase(ctx context.Context, log *slog.Logger) (engine.Engine, error) {
	replicas, _ := s.Flags.GetStringArray("replica") // the demo has no such flag
	db, err := s.Database.OpenEngine(ctx, databaseOptions{Create: true, Serving: true, Replicated: len(replicas) > 0,
		Logger: log, Version: s.program.Version})
	if err != nil {
		return nil, err
	}
	if err := s.migrate(ctx, db, log); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// migrate brings the database to this binary's schema, unless it is one not to serve.
func (s *server) migrate(ctx context.Context, db engine.Engine, log *slog.Logger) error {
	noted, err := notesMoves(ctx, db)
	if err == nil && noted {
		var moved error
		moved, err = s.checkMoved(ctx, upkeep.New(app.New(app.Config{Store: store.New(db), Logger: log})))
		if moved != nil {
			log.Warn("serving a database that has moved: what changes here does not change there", "moved", moved.Error())
		}
	}
	if err != nil {
		return err
	}
	names, err := db.Migrate(ctx)
	if err != nil {
		return err
	}
	for _, name := range names {
		log.Info("migrated", "migration", name)
	}
	waiting, err := waitingMigrations(ctx, db)
	for _, name := range waiting {
		log.Info("a migration waits", "migration", name,
			"action", "when all older servers are stopped, run: daybook migrate up --contract")
	}
	return err
}

// listen opens the address. With HTTPS the default is port 443.
func (s *server) listen() (net.Listener, error) {
	if len(s.TLSDomains) > 0 && !s.Flags.Changed("addr") {
		s.Addr = defaultTLSAddr
	}
	return serve.Listen(s.Addr)
}

// publicURL is --base-url, else made from the domain or the address.
func (s *server) publicURL(at net.Addr) *url.URL {
	if s.BaseURL.URL != nil {
		return s.BaseURL.URL
	}
	tcp, _ := at.(*net.TCPAddr)
	if len(s.TLSDomains) > 0 {
		u := &url.URL{Scheme: "https", Host: s.TLSDomains[0]}
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

// prepare takes over or joins the database, fills it, and wires doors and loops.
func (s *server) prepare(ctx context.Context, w *wiring) error {
	if err := s.join(ctx, w); err != nil {
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

// join makes this server one of those of the database: the first takes over; others must use the same secret key. Who
// copies the database to another one notes that while there is no server.
func (s *server) join(ctx context.Context, w *wiring) error {
	sealed, first := 0, false
	err := w.Store.JoinServers(ctx, func() (err error) {
		first = true
		if _, err := s.checkMoved(ctx, w.Upkeep); err != nil {
			return err
		}
		sealed, err = w.Upkeep.TakeOver(ctx)
		return err
	}, func(ctx context.Context, server int64) error {
		err := w.Upkeep.TakeOverFrom(ctx, server)
		if err == nil {
			w.Log().Info("another server is gone: the others take over its work", "server", server)
		}
		return err
	})
	if err != nil {
		return err
	}
	if sealed > 0 {
		w.Log().Info("encrypted the stored secrets", "count", sealed)
	}
	if first {
		return w.Upkeep.NoteBaseURL(ctx)
	}
	if _, err := s.checkMoved(ctx, w.Upkeep); err != nil {
		return err
	}
	if err := w.Upkeep.CheckSecretKey(ctx); err != nil {
		return err
	}
	if err := w.Upkeep.NoteBaseURL(ctx); err != nil {
		return err
	}
	w.Log().Info("another server has this database: they share the work")
	return nil
}

// noteProxies stores when a proxy was seen that is not trusted, for doctor. It returns what the server calls then.
func noteProxies(w *wiring) func() {
	seen := make(chan struct{}, 1)
	w.Loop("proxy", func(ctx context.Context) error {
		for {
			select {
			case <-ctx.Done():
				return nil
			case <-seen:
			}
			if err := w.Upkeep.NoteUnknownProxy(ctx); err != nil {
				return err
			}
		}
	})
	return func() {
		select {
		case seen <- struct{}{}:
		default: // one is being stored
		}
	}
}

// checkMoved is an error for a database that is not the one to serve. moved is that error where --force overrules it.
func (s *server) checkMoved(ctx context.Context, u *upkeep.Service) (moved, err error) {
	err = u.CheckMoved(ctx)
	switch {
	case !errors.Is(err, upkeep.ErrMoved):
		return nil, err
	case s.force:
		return err, nil
	}
	return nil, fmt.Errorf("%w, or serve this one all the same with --force", err)
}

// readiness returns why the server can't work, as one word that anyone may see.
func readiness(s *subjects.Set) func(context.Context) error {
	return func(ctx context.Context) error {
		err := s.Ready(ctx)
		switch {
		case errors.Is(err, engine.ErrUnwritable):
			return &serve.NotReady{Reason: "unwritable", Err: err}
		case errors.Is(err, upkeep.ErrSecrets):
			return &serve.NotReady{Reason: "secrets", Err: err}
		}
		return err
	}
}

func (s *server) config(w *wiring, l net.Listener) serve.Config {
	unknownProxy := noteProxies(w)
	c := serve.Config{
		Addr: s.Addr, Listener: l, BaseURL: w.Config.BaseURL, Logger: w.Log(), LogOutput: s.logOutput, Version: w.Version,
		TrustedProxies: s.TrustProxy, OnUnknownProxy: unknownProxy, Ready: readiness(w.Set), Routes: w.routes, Pages: w.wildcards, Loops: w.loops,
		OnShutdown: w.onShutdown, Registry: w.Registry, ReadyNotes: w.notes, DebugAddr: s.debugAddr,
	}
	if len(s.TLSDomains) > 0 {
		c.TLSDomains, c.ChallengeAddr = slices.Clone(s.TLSDomains), s.httpAddr
		c.ACMEDirectory, c.ACMEEmail = s.acmeDirectory.String(), s.acmeEmail
		c.Certificates = certificates{w.Set}
	}
	return c
}
