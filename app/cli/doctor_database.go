package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"daybook/app"
	"daybook/app/disk"
	"daybook/app/subjects"
	"daybook/store"
)

// checkDatabase opens the database for the checks after it, unless its schema is not this binary's.
func checkDatabase(ctx context.Context, t *target) []result {
	if t.flags.OnServer() {
		return checkServer(ctx, t)
	}
	path := t.flags.Path
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return []result{fail("database", "There is no database "+path+".",
			"Make one with `daybook serve --db "+path+"`, or name yours with --db.")}
	}
	if err != nil {
		return []result{fail("database", err.Error(), "Run as the database's owner.")}
	}
	var all []result
	if disk.OthersMayRead(info) {
		all = append(all, warn("database",
			fmt.Sprintf("Others could read %s (mode %04o); opening it has made it 0600.", path, info.Mode().Perm()),
			"Find out what changed it: it holds names, addresses and keys."))
	}
	db, err := t.flags.OpenEngine(ctx, databaseOptions{ReadOnly: true, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return append(all, fail("database", err.Error(), ""))
	}
	t.db = db
	if err := db.CheckQuickly(ctx); err != nil {
		return append(all, fail("database", err.Error(),
			"Stop the server and restore a backup: daybook restore FILE --db "+path))
	}
	if all == nil {
		all = []result{fine("database", "%s, %s, sound", path, size(info.Size()))}
	}
	return append(all, t.useDatabase(ctx)...)
}

// useDatabase puts the subjects over the open database, for the checks after it.
func (t *target) useDatabase(ctx context.Context) []result {
	if err := t.db.CheckSchema(ctx); err != nil {
		return []result{fail("schema", err.Error(), "")}
	}
	vault, err := t.flags.Vault()
	if err != nil {
		vault = nil // the check of the key reports it
	}
	t.Set = subjects.New(subjects.Config{Config: app.Config{Store: store.New(t.db), Vault: vault},
		Mail: t.server.Database.MailConfig(), Text: t.server.Database.TextConfig(), Machine: machineOf(t.db, t.version, t.server.TLSDomains)})
	if err := t.Set.Upkeep.CheckMoved(ctx); err != nil {
		return []result{fail("database", err.Error(), "")}
	}
	return nil
}

func checkSchema(ctx context.Context, t *target) []result {
	all, err := t.db.MigrationStatus(ctx)
	if err != nil {
		return []result{fail("schema", err.Error(), "")}
	}
	return []result{fine("schema", "%d of %d migrations", len(all), len(all))}
}

func checkSecretKey(_ context.Context, t *target) []result {
	if t.flags.SecretKeyFile == "" {
		return nil // the check of the secrets reports it
	}
	if _, err := t.flags.Vault(); err != nil {
		return []result{fail("secret key", err.Error(), "")}
	}
	return []result{fine("secret key", "%s", t.flags.SecretKeyFile)}
}

func checkSecrets(ctx context.Context, t *target) []result {
	unencrypted, sealed, err := t.Set.Upkeep.StoredSecrets(ctx)
	switch {
	case err != nil:
		return []result{fail("secrets", err.Error(), "")}
	case unencrypted > 0 && t.flags.SecretKeyFile != "":
		return []result{warn("secrets", fmt.Sprintf("%d secrets in the database are not encrypted yet.", unencrypted),
			"Start the server with this --secret-key-file once: it encrypts them.")}
	case unencrypted > 0:
		return []result{warn("secrets", "The secrets in the database are not encrypted: who has a backup has them.",
			"Make a key, (umask 077; openssl rand -base64 32 > secret.key), keep a copy of it elsewhere, and give "+
				"--secret-key-file secret.key.")}
	}
	return []result{fine("secrets", "%d encrypted", sealed)}
}

func checkWorkspaces(ctx context.Context, t *target) []result {
	all, err := t.Set.Workspaces(ctx, app.Operator(0))
	if err != nil {
		return []result{fail("workspaces", err.Error(), "")}
	}
	if len(all) == 0 {
		return []result{warn("workspaces", "There is none yet.",
			"Make one with: daybook workspace create NAME --timezone Europe/Berlin")}
	}
	has, err := store.New(t.db).HasUsers()
	if err != nil {
		return []result{fail("workspaces", err.Error(), "")}
	}
	if !has {
		return []result{warn("workspaces", "Nobody can sign in to the dashboard yet.",
			"Open the set-up link that `daybook serve` prints, or: daybook user create EMAIL --workspace "+all[0].Slug)}
	}
	for _, w := range all {
		if _, err := time.LoadLocation(w.TimeZone); err != nil {
			return []result{fail("workspaces", fmt.Sprintf("%s has the unknown time zone %s.", w.Slug, w.TimeZone),
				"Apply a set-up with another: daybook workspace apply")}
		}
	}
	return []result{fine("workspaces", "%d", len(all))}
}
