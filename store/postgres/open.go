package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/url"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/jmoiron/sqlx"

	"daybook/store/engine"
	"daybook/store/migrations"
)

// Options say which database to open, and how.
type Options struct {
	URL         string       // postgres://user@host:port/database?sslmode=…; a password in it is never printed
	Password    string       // overrides the URL, PGPASSWORD and PGPASSFILE; empty does not
	Insecure    bool         // a server on another machine may be used without sslmode=verify-full
	Version     string       // of this program, named where a server is reported; empty is unknown
	Schema      string       // where the tables are; empty is the server's default, usually public
	ReadOnly    bool         // Write fails
	Serving     bool         // this process serves: it listens to commits of others and keeps connections ready
	Connections int          // for reading, and as many for writing; 0 is what suits this machine
	Ready       int          // how many of them Open opens, of each kind; 0 is what suits a server
	Migrations  fs.FS        // nil is migrations.Postgres()
	Logger      *slog.Logger // nil is slog.Default()
}

// Time limits for a connection and a statement.
const (
	connectTimeout = 5 * time.Second
	readTimeout    = 60 * time.Second
	writeTimeout   = 20 * time.Second
	lockTimeout    = 10 * time.Second // of waiting for a row that another transaction holds
	idleTimeout    = 60 * time.Second // of a transaction whose process was stopped by its operating system
)

// DB is an open database: one pool for reading, one for writing, and a listener. It is an engine.Engine.
type DB struct {
	o          Options
	log        *slog.Logger
	migrations migrations.Set
	readers    *engine.Pool
	writers    *engine.Pool // nil when read-only
	side       *sqlx.DB     // migrations, leases, the checks of doctor; opened when needed
	changes    *changes
	waiting    atomic.Int64 // calls of Write that have not returned
	full       atomic.Bool  // the last change failed because the disk is full
	fullness   engine.Full
	lease      atomic.Pointer[lease] // nil until JoinServers
	outdated   atomic.Pointer[error] // why the database no longer allows this server; nil while it does

	joining  sync.Mutex
	closing  sync.Once
	closeErr error
}

var _ engine.Engine = (*DB)(nil)

// Open connects to the database o.URL and migrates nothing. An error is one line that says what to do.
func Open(ctx context.Context, o Options) (*DB, error) {
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if o.Migrations == nil {
		o.Migrations = migrations.Postgres()
	}
	set, err := migrations.Load(o.Migrations)
	if err != nil {
		return nil, err
	}
	db := &DB{o: o, log: o.Logger, migrations: set, changes: &changes{}}
	if err := db.connect(ctx); err != nil {
		return nil, errors.Join(db.explain(err), db.Close())
	}
	return db, nil
}

// readyConnections of each role are open before they are needed, unless Options say otherwise.
const readyConnections = 4

// connections returns how many connections of a role a server keeps. Reads keep a core busy, so that a few per core do.
// Writes wait for the disk most of the time, and those that wait at the same moment share one flush of it: on two cores
// 16 made twice as many bookings as 4 did, for two thirds of the processor's time each.
func (r role) connections() int {
	cores := runtime.GOMAXPROCS(0)
	if r == writing {
		return min(max(4*cores, 16), 32)
	}
	return max(2*cores, 4)
}

func (db *DB) connect(ctx context.Context) (err error) {
	if db.side, err = db.pool(maintaining, 4); err != nil {
		return err
	}
	if db.readers, err = db.sessions(ctx, reading); err != nil {
		return err
	}
	if err := db.checkSettings(ctx); err != nil || db.o.ReadOnly {
		return err
	}
	if db.writers, err = db.sessions(ctx, writing); err != nil {
		return err
	}
	if db.o.Serving {
		return db.listen(ctx)
	}
	return nil
}

// errPooler is why a database can't be used through PgBouncer and its like.
var errPooler = errors.New("a pooler such as PgBouncer, which drops what connections set up")

// checkSettings fails with errPooler unless a new connection has the settings that config asked for.
func (db *DB) checkSettings(ctx context.Context) error {
	s, err := db.readers.Take(ctx)
	if err != nil {
		return err
	}
	defer db.readers.Give(s)
	var readOnly, jit string
	err = s.Conn.QueryRowContext(ctx, `SELECT current_setting('default_transaction_read_only'), current_setting('jit')`).Scan(&readOnly, &jit)
	if err == nil && (readOnly != "on" || jit != "off") {
		err = errPooler
	}
	return err
}

// isPooler tells whether err is what poolers answer, and no server: to the settings of a connection, or since a statement
// was prepared on another one.
func isPooler(err error) bool {
	var e *pgconn.PgError
	return errors.Is(err, errPooler) || hasCode(err, "42P05", "26000") ||
		errors.As(err, &e) && e.Code == "08P01" && strings.Contains(e.Message, "startup parameter")
}

func (db *DB) sessions(ctx context.Context, r role) (*engine.Pool, error) {
	size := db.o.Connections
	switch {
	case size > 0:
	case db.o.Serving:
		size = r.connections()
	default:
		size = 2 // while a list is read, each of its rows may run another query
	}
	pool, err := db.pool(r, size)
	if err != nil {
		return nil, err
	}
	return engine.NewPool(ctx, pool, dialect, min(size, cmp.Or(db.o.Ready, readyConnections)), size)
}

// role is what a connection is for; it decides its settings.
type role int

const (
	reading role = iota
	writing
	maintaining // no time limit
)

// pool keeps at most size connections of one role.
func (db *DB) pool(r role, size int) (*sqlx.DB, error) {
	config, err := db.o.config(r)
	if err != nil {
		return nil, err
	}
	pool := sqlx.NewDb(sql.OpenDB(connector{stdlib.GetConnector(*config,
		stdlib.OptionAfterConnect(func(_ context.Context, c *pgx.Conn) error {
			acceptBools(c)
			return nil
		}))}), "pgx")
	pool.SetMaxOpenConns(size)
	pool.SetMaxIdleConns(size)
	return pool, nil
}

// config returns how to connect for this role.
func (o *Options) config(r role) (*pgx.ConnConfig, error) {
	config, err := o.parse()
	if err != nil {
		return nil, err
	}
	if o.Password != "" {
		config.Password = o.Password
	}
	if config.ConnectTimeout == 0 || config.ConnectTimeout > connectTimeout {
		config.ConnectTimeout = connectTimeout
	}
	set := func(name, value string) { config.RuntimeParams[name] = value }
	if config.RuntimeParams["application_name"] == "" {
		set("application_name", "daybook")
	}
	set("client_encoding", "UTF8")
	if o.Schema != "" {
		set("search_path", o.Schema)
	}
	set("jit", "off") // it only helps statements that take seconds
	set("idle_in_transaction_session_timeout", millis(idleTimeout))
	switch r {
	case reading:
		set("default_transaction_read_only", "on")
		set("statement_timeout", millis(readTimeout))
	case writing:
		set("default_transaction_read_only", "off")
		set("default_transaction_isolation", "read committed")
		set("statement_timeout", millis(writeTimeout))
		set("lock_timeout", millis(lockTimeout))
		set("client_min_messages", "notice")
		heedSetup(config)
	case maintaining:
		set("default_transaction_read_only", "off")
		set("statement_timeout", "0")
		set("idle_in_transaction_session_timeout", "0")
	}
	dialer := &net.Dialer{KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 5 * time.Second,
		Interval: 2 * time.Second, Count: 3}}
	dialer.Control = giveUpOnSilence
	config.DialFunc = dialer.DialContext
	config.BuildContextWatcherHandler = func(c *pgconn.PgConn) ctxwatch.Handler {
		// Most statements end within the delay, and need not be canceled.
		return &pgconn.CancelRequestContextWatcherHandler{Conn: c, CancelRequestDelay: 20 * time.Millisecond,
			DeadlineDelay: 2 * time.Second}
	}
	return config, nil
}

// parse reads the URL. A server on another machine must prove who it is.
func (o *Options) parse() (*pgx.ConnConfig, error) {
	config, err := pgx.ParseConfig(o.URL)
	u, wrong := url.Parse(o.URL)
	if err != nil || wrong != nil {
		// The driver's own text may show the password.
		return nil, fmt.Errorf("%s is no URL of a PostgreSQL database; it looks like postgres://user@host:5432/daybook",
			WithoutPassword(o.URL))
	}
	remote := !isHere(config.Host)
	for _, f := range config.Fallbacks {
		remote = remote || !isHere(f.Host)
	}
	const verified = "verify-full"
	q := u.Query()
	switch mode := cmp.Or(q.Get("sslmode"), os.Getenv("PGSSLMODE")); {
	case o.Insecure || !remote || mode == verified:
		return config, nil
	case mode != "":
		return nil, fmt.Errorf("%s is on another machine, and sslmode=%s lets others on the way read or change what is "+
			"sent; "+
			"leave sslmode out, which is verify-full, or give --db-insecure", WithoutPassword(o.URL), mode)
	}
	q.Set("sslmode", verified)
	u.RawQuery = q.Encode()
	return pgx.ParseConfig(u.String())
}

// isHere tells whether a host is this machine: a socket's directory, or a loopback address.
func isHere(host string) bool {
	ip := net.ParseIP(host)
	return strings.HasPrefix(host, "/") || host == "localhost" || ip != nil && ip.IsLoopback()
}

func millis(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// Close waits for running reads and writes. It may be called again.
func (db *DB) Close() error {
	db.closing.Do(func() {
		var errs []error
		if l := db.lease.Load(); l != nil {
			errs = append(errs, l.end())
		}
		if db.writers != nil {
			errs = append(errs, db.writers.Close())
		}
		db.changes.stop()
		if db.readers != nil {
			errs = append(errs, db.readers.Close())
		}
		if db.side != nil {
			errs = append(errs, db.side.Close())
		}
		db.closeErr = errors.Join(errs...)
	})
	return db.closeErr
}

// Readers implements engine.Engine.
func (db *DB) Readers() *engine.Pool { return db.readers }

// Path returns the URL without its password.
func (db *DB) Path() string { return WithoutPassword(db.o.URL) }

// explain turns the error of an unusable server into one that says what to do.
func (db *DB) explain(err error) error {
	name := db.Path()
	var e *pgconn.PgError
	var failed *pgconn.ConnectError
	switch {
	case err == nil:
		return nil
	case isPooler(err):
		return fmt.Errorf("%s is the address of a pooler such as PgBouncer, which drops what Daybook's connections set up; give "+
			"the address of the PostgreSQL server itself, of whose connections a server keeps no more than it needs", name)
	case hasCode(err, "28P01", "28000"):
		errors.As(err, &e)
		return fmt.Errorf("%s refuses the user or the password (%s); give the password by PGPASSFILE or "+
			"--db-password-file: %w", name, e.Message, engine.ErrUnwritable)
	case hasCode(err, "3D000"):
		return fmt.Errorf("there is no such database; make it with CREATE DATABASE, or name another one: %s", name)
	case hasCode(err, "53300"):
		return fmt.Errorf("%s has no connection left; raise max_connections or stop another client: %w", name,
			engine.ErrUnwritable)
	case hasCode(err, "57P01", "57P02", "57P03"):
		errors.As(err, &e)
		return fmt.Errorf("the server of %s is stopping or starting (%s); try again shortly: %w", name, e.Message,
			engine.ErrUnwritable)
	case hasCode(err, "25006"):
		return fmt.Errorf("%s only takes reads: it is a standby, or set to read-only: %w", name, engine.ErrUnwritable)
	case isFull(err):
		return fmt.Errorf("the disk of %s is full; make room: %w", name, engine.ErrUnwritable)
	case errors.As(err, &failed):
		return fmt.Errorf("can't connect to %s (%s); is PostgreSQL running there?: %w", name, reason(failed),
			engine.ErrUnwritable)
	}
	return err
}

// reason tells why a connection failed, without the user, host and password in the driver's text.
func reason(err *pgconn.ConnectError) string {
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Err.Error()
	}
	var dns *net.DNSError
	if errors.As(err, &dns) {
		return dns.Err
	}
	if inner := err.Unwrap(); inner != nil {
		text := inner.Error()
		return text[strings.LastIndex(text, ": ")+1:]
	}
	return "no answer"
}

// IsURL tells whether text is the URL of a PostgreSQL database and not the path of a file.
func IsURL(text string) bool {
	return strings.HasPrefix(text, "postgres://") || strings.HasPrefix(text, "postgresql://")
}

// HasPassword tells whether a URL contains a password.
func HasPassword(text string) bool { return WithoutPassword(text) != text }

var password = regexp.MustCompile(`:[^:@/]*@`)

// WithoutPassword removes the password from a URL, for messages.
func WithoutPassword(text string) string {
	u, err := url.Parse(text)
	if err != nil { // an invalid one, to be shown in an error
		return password.ReplaceAllString(text, "@")
	}
	if _, has := u.User.Password(); has {
		u.User = url.User(u.User.Username())
	}
	if q := u.Query(); q.Has("password") || q.Has("sslpassword") {
		q.Del("password")
		q.Del("sslpassword")
		u.RawQuery = q.Encode()
	}
	return u.String()
}

// DumpCommand returns the command that backs up the database to a file.
func DumpCommand(url, file string) string {
	return "pg_dump --format=custom --file=" + file + " '" + WithoutPassword(url) + "'"
}

// LoadCommand returns the command that replaces the database by a backup.
func LoadCommand(url, file string) string {
	return "pg_restore --clean --if-exists --single-transaction --dbname='" + WithoutPassword(url) + "' " + file
}
