package cli

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/url"
	"os"

	"github.com/spf13/pflag"

	"daybook/app"
	"daybook/app/mail"
	"daybook/app/rooms"
	"daybook/app/vault"
	"daybook/app/webhook"
	"daybook/store"
	"daybook/store/migrations"
	"daybook/store/sqlite"
)

// house is what the flags of every command name, and how to open it.
type house struct {
	db            string
	secretKeyFile string
	webhookAllow  prefixes
	mailAllow     prefixes
}

// webhookFlag is for those who register webhook endpoints.
func (h *house) webhookFlag(flags *pflag.FlagSet) {
	flags.Var(&h.webhookAllow, "webhook-allow", "networks that webhooks may be sent to besides public addresses, by http:// too")
}

func (h *house) webhooks() webhook.Config { return webhook.Config{Allow: h.webhookAllow} }

// mailFlag is for those who save, or connect to, a workspace's mail server.
func (h *house) mailFlag(flags *pflag.FlagSet) {
	flags.Var(&h.mailAllow, "mail-allow", "networks that a workspace's own mail server may be in besides the public internet")
}

func (h *house) mails() mail.ServerConfig { return mail.ServerConfig{Allow: h.mailAllow} }

// secretFlag is for the commands that read or write a secret which is kept readable.
func (h *house) secretFlag(flags *pflag.FlagSet) {
	flags.StringVar(&h.secretKeyFile, "secret-key-file", "", "encrypt the stored secrets with the 32 bytes in this file, base64 or hex")
}

// desk is an open database with the Service on it.
type desk struct {
	*rooms.Set
	store *store.Store
	vault *vault.Vault
}

func (d *desk) close() error { return d.store.Close() }

func (h *house) options(log io.Writer) sqlite.Options {
	return sqlite.Options{Path: h.db, Logger: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelWarn}))}
}

// openEngine opens the database, on the engine that its name asks for.
func openEngine(ctx context.Context, o sqlite.Options) (store.Engine, error) {
	db, err := sqlite.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	return db, nil
}

// read opens the database to look at it. Its schema must be this binary's.
func (h *house) read(ctx context.Context) (*desk, error) {
	o := h.options(os.Stderr)
	o.ReadOnly = true
	db, err := openEngine(ctx, o)
	if err != nil {
		return nil, err
	}
	return h.sit(db, nil, db.CheckSchema(ctx))
}

// sitToWrite is sit for those who may store a secret: the server must be able to read it.
func (h *house) sitToWrite(db store.Engine, err error) (*desk, error) {
	d, err := h.sit(db, nil, err)
	if err != nil || !d.vault.Seals() {
		return d, err
	}
	if err := d.Upkeep.CheckSecretKey(); err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}

// write opens the database to change it. Its schema must be this binary's.
func (h *house) write(ctx context.Context) (*desk, error) {
	db, err := openEngine(ctx, h.options(os.Stderr))
	if err != nil {
		return nil, err
	}
	return h.sitToWrite(db, db.CheckSchema(ctx))
}

// found opens the database to change it, and makes it when there is none.
func (h *house) found(ctx context.Context) (*desk, error) {
	o := h.options(os.Stderr)
	o.Create = true
	db, err := openEngine(ctx, o)
	if err != nil {
		return nil, err
	}
	err = db.CheckSchema(ctx)
	if errors.Is(err, migrations.ErrOlder) && untouched(ctx, db) {
		_, err = db.Migrate(ctx)
	}
	return h.sitToWrite(db, err)
}

// foundWithSecrets is found for those who store a secret: the vault must be the one that the others are stored with.
func (h *house) foundWithSecrets(ctx context.Context) (*desk, error) {
	d, err := h.found(ctx)
	if err != nil {
		return nil, err
	}
	if _, _, err := d.Upkeep.StoredSecrets(); err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}

// untouched reports whether nothing was ever migrated: the file is new.
func untouched(ctx context.Context, db store.Engine) bool {
	all, err := db.MigrationStatus(ctx)
	return err == nil && len(all) > 0 && all[0].AppliedAtMS == 0
}

// sit puts the Service on an open database, or closes it when something is wrong with it.
func (h *house) sit(db store.Engine, base *url.URL, err error) (*desk, error) {
	var vault *vault.Vault
	if err == nil {
		vault, err = h.vault()
	}
	if err != nil {
		db.Close()
		return nil, err
	}
	st := store.New(db)
	return &desk{rooms.New(rooms.Config{Config: app.Config{Store: st, Vault: vault, BaseURL: base}, Webhook: h.webhooks(), Mail: h.mails()}), st, vault}, nil
}

// with runs do at the desk that open opens, and closes it.
func with(ctx context.Context, open func(context.Context) (*desk, error), do func(*desk) error) error {
	d, err := open(ctx)
	if err != nil {
		return err
	}
	return errors.Join(do(d), d.close())
}
