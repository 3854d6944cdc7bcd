package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"daybook/app"
	"daybook/app/calsync"
	"daybook/app/catalog"
	"daybook/app/cli/console"
	"daybook/app/mail"
	"daybook/app/subjects"
	"daybook/app/text"
	"daybook/app/upkeep"
	"daybook/app/vault"
	"daybook/app/webhook"
	"daybook/store"
	"daybook/store/engine"
	"daybook/store/migrations"
	"daybook/store/postgres"
	"daybook/store/sqlite"
)

// databaseFlags name the database and what commands need to open it.
type databaseFlags struct {
	Path          string // of a file, or the URL of a PostgreSQL database
	Schema        string // of a PostgreSQL database; empty is its own
	flag          string // that Path comes from; empty is --db
	anew          bool   // --new-database
	passwordFile  string
	insecure      bool
	SecretKeyFile string
	webhookAllow  console.Networks
	mailAllow     console.Networks
	textAllow     console.Networks
	calendarAllow console.Networks
	// The server's clients at OAuth providers.
	googleClient, microsoftClient calendarClient
}

// Add adds the flags that all commands have.
func (f *databaseFlags) Add(flags *pflag.FlagSet) {
	flags.StringVar(&f.Path, "db", "daybook.db", "the database: a file, or postgres://user@host/name")
	flags.StringVar(&f.passwordFile, "db-password-file", "", "the file with the password for a PostgreSQL database")
	flags.BoolVar(&f.insecure, "db-insecure", false,
		"let the PostgreSQL server on another machine be used without sslmode=verify-full")
}

// OnServer tells whether --db names a PostgreSQL database.
func (f *databaseFlags) OnServer() bool { return postgres.IsURL(f.Path) }

// Name returns the database as people may read it.
func (f *databaseFlags) Name() string {
	if f.OnServer() {
		return postgres.WithoutPassword(f.Path)
	}
	return f.Path
}

// InSchema names a schema of the database that other names.
func (f *databaseFlags) InSchema(other *databaseFlags, schema string) {
	f.Path, f.passwordFile, f.insecure, f.Schema = other.Path, other.passwordFile, other.insecure, schema
}

// AddWebhookAllow adds --webhook-allow, for commands that register webhook endpoints.
func (f *databaseFlags) AddWebhookAllow(flags *pflag.FlagSet) {
	flags.Var(&f.webhookAllow, "webhook-allow",
		"networks that webhooks may be sent to besides public addresses, by http:// too")
}

// WebhookConfig returns what --webhook-allow says.
func (f *databaseFlags) WebhookConfig() webhook.Config { return webhook.Config{Allow: f.webhookAllow} }

// AddMailAllow adds --mail-allow, for commands that save, or connect to, a workspace's mail server.
func (f *databaseFlags) AddMailAllow(flags *pflag.FlagSet) {
	flags.Var(&f.mailAllow, "mail-allow",
		"networks that a workspace's own mail server may be in besides the public internet")
}

// MailConfig returns what --mail-allow says.
func (f *databaseFlags) MailConfig() mail.ServerConfig { return mail.ServerConfig{Allow: f.mailAllow} }

// AddTextAllow adds --text-allow, for commands that save, or connect to, a workspace's sender of texts.
func (f *databaseFlags) AddTextAllow(flags *pflag.FlagSet) {
	flags.Var(&f.textAllow, "text-allow",
		"networks that a workspace's sender of texts may be in besides the public internet, such as a phone in the house")
}

// TextConfig returns what --text-allow says.
func (f *databaseFlags) TextConfig() text.Config {
	return text.Config{Allow: f.textAllow, Version: Version}
}

// AddNewDatabase adds --new-database, for commands that can begin a database.
func (f *databaseFlags) AddNewDatabase(flags *pflag.FlagSet) {
	flags.BoolVar(&f.anew, "new-database", false, "make the database when there is none, or the PostgreSQL database is empty")
}

// AddSecretKeyFile adds --secret-key-file, for commands that read or store a secret.
func (f *databaseFlags) AddSecretKeyFile(flags *pflag.FlagSet) {
	flags.StringVar(&f.SecretKeyFile, "secret-key-file", "",
		"encrypt the stored secrets with the 32 bytes in this file, base64 or hex")
}

// database is an open database with the subjects over it.
type database struct {
	*subjects.Set
	store  *store.Store
	config subjects.Config
}

// LinkTo sets the public address that links begin with.
func (d *database) LinkTo(base *url.URL) {
	d.config.BaseURL = base
	d.Set = subjects.New(d.config)
}

func (d *database) close() error { return d.store.Close() }

// databaseOptions say how to open the database that the flags name.
type databaseOptions struct {
	Create     bool // make a missing file
	ReadOnly   bool
	Serving    bool
	Replicated bool         // while it is served
	Logger     *slog.Logger // nil writes warnings to standard error
	Version    string       // of a program that serves
}

// OpenEngine opens the database. It returns the interface, so that commands do not depend on the engine.
func (f *databaseFlags) OpenEngine(ctx context.Context, o databaseOptions) (engine.Engine, error) {
	if o.Logger == nil {
		o.Logger = warnings(os.Stderr)
	}
	if f.OnServer() {
		to, err := f.Postgres()
		if err != nil {
			return nil, err
		}
		to.ReadOnly, to.Serving, to.Logger, to.Version = o.ReadOnly, o.Serving, o.Logger, o.Version
		return opened(postgres.Open(ctx, to))
	}
	return opened(sqlite.Open(ctx, sqlite.Options{Path: f.Path, Create: o.Create, ReadOnly: o.ReadOnly, Serving: o.Serving,
		Hold: o.Replicated, Logger: o.Logger}))
}

func opened[E engine.Engine](db E, err error) (engine.Engine, error) {
	if err != nil {
		return nil, err // no interface that holds a nil
	}
	return db, nil
}

func warnings(out io.Writer) *slog.Logger {
	return slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{Level: slog.LevelWarn}))
}

// Postgres returns how to open the PostgreSQL database that the flags name. Everybody on the machine can read a command
// line, so that a password in it is refused.
func (f *databaseFlags) Postgres() (postgres.Options, error) {
	o := postgres.Options{URL: f.Path, Insecure: f.insecure, Schema: f.Schema}
	flag := cmp.Or(f.flag, "--db")
	variable := console.Variable(strings.TrimPrefix(flag, "--"))
	if postgres.HasPassword(f.Path) && os.Getenv(variable) != f.Path {
		return o, console.Usagef("everybody on this machine can read a command line: put the password into %s, "+
			"PGPASSFILE or %s, not into %s", variable, f.passwordFlag(), flag)
	}
	if f.passwordFile == "" {
		return o, nil
	}
	text, err := readPrivate(f.passwordFile, "password file")
	if err != nil {
		return o, err
	}
	o.Password = strings.TrimRight(text, "\r\n")
	if o.Password == "" || strings.ContainsAny(o.Password, "\r\n") {
		return o, console.Usagef("%s %s must hold the password as its only line", f.passwordFlag(), f.passwordFile)
	}
	return o, nil
}

// passwordFlag is the flag that names the file with the database's password.
func (f *databaseFlags) passwordFlag() string {
	if f.flag == "--database" {
		return "--database-password-file"
	}
	return "--db-password-file"
}

// Read opens the database to read it. Its schema must be this binary's.
func (f *databaseFlags) Read(ctx context.Context) (*database, error) {
	db, err := f.OpenEngine(ctx, databaseOptions{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	return f.withSubjects(db, db.CheckSchema(ctx))
}

// withSubjectsToWrite is withSubjects for commands that change the database: it has not moved to another one. They may
// store a secret, which a running server must be able to read.
func (f *databaseFlags) withSubjectsToWrite(ctx context.Context, db engine.Engine, err error) (*database, error) {
	d, err := f.withSubjects(db, err)
	if err != nil {
		return d, err
	}
	if err := d.Upkeep.CheckMoved(ctx); err != nil {
		if errors.Is(err, upkeep.ErrMoved) {
			err = fmt.Errorf("%w, or put this one back to use: daybook migrate copy --undo --from %s", err, f.Name())
		}
		return nil, errors.Join(err, d.close())
	}
	if !d.config.Vault.Seals() {
		return d, nil
	}
	if err := d.Upkeep.CheckSecretKey(ctx); err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}

// Write opens the database to change it. Its schema must be this binary's.
func (f *databaseFlags) Write(ctx context.Context) (*database, error) {
	db, err := f.OpenEngine(ctx, databaseOptions{})
	if err != nil {
		return nil, err
	}
	return f.withSubjectsToWrite(ctx, db, db.CheckSchema(ctx))
}

// Create opens the database to change it, and makes it when there is none and --new-database was given: else a slip in
// --db, or another folder, would begin a second one unseen.
func (f *databaseFlags) Create(ctx context.Context) (*database, error) {
	none := fmt.Errorf("there is no database %s: name yours with --db, or begin this one with --new-database", f.Name())
	db, err := f.OpenEngine(ctx, databaseOptions{Create: f.anew})
	if errors.Is(err, fs.ErrNotExist) && !f.anew && !f.OnServer() {
		return nil, none
	}
	if err != nil {
		return nil, err
	}
	err = db.CheckSchema(ctx)
	if errors.Is(err, migrations.ErrOlder) && isNew(ctx, db) {
		if err = none; f.anew {
			_, err = db.Migrate(ctx)
		}
	}
	return f.withSubjectsToWrite(ctx, db, err)
}

// CreateWithSecrets is Create for commands that store a secret: the key must open the secrets that are stored already.
func (f *databaseFlags) CreateWithSecrets(ctx context.Context) (*database, error) {
	d, err := f.Create(ctx)
	if err != nil {
		return nil, err
	}
	if _, _, err := d.Upkeep.StoredSecrets(ctx); err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}

// isNone reports whether there is no file, or nothing in the PostgreSQL database. One that can't be migrated, such as
// another program's, is an error.
func (f *databaseFlags) isNone(ctx context.Context) (bool, error) {
	if !f.OnServer() {
		_, err := os.Stat(f.Path)
		return errors.Is(err, fs.ErrNotExist), nil
	}
	db, err := f.OpenEngine(ctx, databaseOptions{ReadOnly: true})
	if err != nil {
		return false, err
	}
	if err = db.CheckSchema(ctx); errors.Is(err, migrations.ErrOlder) {
		err = nil
	}
	return isNew(ctx, db), errors.Join(err, db.Close())
}

// isNew reports whether no migration has been applied yet: the file has just been made.
func isNew(ctx context.Context, db engine.Engine) bool {
	all, err := db.MigrationStatus(ctx)
	return err == nil && len(all) > 0 && all[0].AppliedAtMS == 0
}

// notesMoves tells whether the database has the table in which a move to another database is noted: a new one and one
// of the first versions lack it. A database that can't be migrated is an error.
func notesMoves(ctx context.Context, db engine.Engine) (bool, error) {
	if err := db.CheckSchema(ctx); err != nil && !errors.Is(err, migrations.ErrOlder) {
		return false, err
	}
	tables, err := db.Tables(ctx)
	return slices.ContainsFunc(tables, func(t engine.Table) bool { return t.Name == "server_values" }), err
}

// withSubjects puts the subjects over an open database. With an error, err or its own, it closes the database.
func (f *databaseFlags) withSubjects(db engine.Engine, err error) (*database, error) {
	var vault *vault.Vault
	if err == nil {
		vault, err = f.Vault()
	}
	var calendars calsync.Config
	if err == nil {
		calendars, err = f.CalendarConfig()
	}
	if err != nil {
		db.Close()
		return nil, err
	}
	st := store.New(db)
	config := subjects.Config{Config: app.Config{Store: st, Vault: vault}, Webhook: f.WebhookConfig(), Mail: f.MailConfig(), Text: f.TextConfig(),
		Calendars: calendars}
	return &database{subjects.New(config), st, config}, nil
}

// withDatabase opens a database, runs do with it, and closes it.
func withDatabase(ctx context.Context, open func(context.Context) (*database, error), do func(*database) error) error {
	d, err := open(ctx)
	if err != nil {
		return err
	}
	return errors.Join(do(d), d.close())
}

// EachWorkspace calls visit with the workspace of that slug, or with every workspace when slug is empty.
func (d *database) EachWorkspace(ctx context.Context, slug string, visit func(catalog.Workspace) error) error {
	if slug != "" {
		ws, err := d.WorkspaceBySlug(ctx, slug)
		if err != nil {
			return err
		}
		return visit(ws)
	}
	all, err := d.Workspaces(ctx, app.Operator(0))
	for i := 0; i < len(all) && err == nil; i++ {
		err = visit(all[i])
	}
	return err
}
