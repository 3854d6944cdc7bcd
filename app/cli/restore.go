package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"daybook/app"
	"daybook/app/cli/console"
	"daybook/app/upkeep"
	"daybook/store"
	"daybook/store/postgres"
	"daybook/store/replica"
	"daybook/store/sqlite"
)

// restoring is what daybook restore was asked for.
type restoring struct {
	database *databaseFlags
	replica  replicaFlags
	from, at string
	dryRun   bool
	without  bool // the key of the stored secrets
}

// restoreCommand is daybook restore.
func restoreCommand(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "restore [FILE]", Args: cobra.MaximumNArgs(1),
		Short: "Put a backup, or a moment of a replica, in the place of the database; keeps the old one",
		Long: "Proves that the copy is sound before it changes anything, keeps the old database, and refuses while it is " +
			"served.\n" +
			"A moment of a replica is named with --from, the address that `daybook serve --replica` has, and --at.\n" +
			"Stored secrets are restored as they are: the key that encrypts them must be at hand, as --secret-key-file.",
	}
	r := restoring{database: f}
	cmd.Flags().StringVar(&r.from, "from", "", "a replica: file:///directory or s3://bucket/path")
	cmd.Flags().StringVar(&r.at, "at", "", "the moment, such as 2026-11-20T18:00:00Z; the newest")
	cmd.Flags().BoolVar(&r.dryRun, "dry-run", false, "only say which moment would come back, and how much")
	cmd.Flags().BoolVar(&r.without, "without-secret-key", false,
		"restore although the stored secrets can't be read: they must all be entered again")
	f.AddSecretKeyFile(cmd.Flags())
	r.replica.AddKey(cmd.Flags())
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if f.OnServer() {
			return console.Usagef("PostgreSQL has its own tools for backups; stop all servers and run: %s",
				postgres.LoadCommand(f.Path, append(args, "FILE")[0]))
		}
		switch {
		case len(args) == 1 && r.from != "":
			return console.Usagef("name a backup, or a replica with --from, and not both")
		case len(args) == 0 && r.from == "":
			return console.Usagef("name a backup, or a replica with --from")
		case len(args) == 1 && (r.at != "" || r.dryRun):
			return console.Usagef("--at and --dry-run are for a replica, named with --from")
		case len(args) == 1:
			return r.put(cmd, args[0], args[0], *asJSON, nil)
		}
		return r.fromReplica(cmd, *asJSON)
	}
	return cmd
}

// fromReplica restores a moment of a replica, or says what it would.
func (r *restoring) fromReplica(cmd *cobra.Command, asJSON bool) error {
	var at time.Time
	if r.at != "" {
		var err error
		if at, err = time.Parse(time.RFC3339, r.at); err != nil {
			return console.Usagef("--at is a moment such as 2026-11-20T18:00:00Z, not %q", r.at)
		}
		if at.After(time.Now()) {
			return console.Usagef("--at %s is a moment to come; leave --at out for the newest", r.at)
		}
	}
	o, err := openTarget(r.from)
	if err != nil {
		return err
	}
	key, err := r.replica.key()
	if err != nil {
		return err
	}
	plan, err := replica.PlanOf(cmd.Context(), o, key, at)
	if err != nil {
		return whyNot(err)
	}
	if r.dryRun {
		if asJSON {
			return console.PrintJSON(cmd, map[string]any{"replica": o.String(), "moment": plan.At.Format(time.RFC3339Nano),
				"files": plan.Files, "bytes": plan.Bytes})
		}
		console.Say(cmd, "Would bring back the database as it was at %s: %d files, %d bytes. Nothing was changed.",
			plan.At.Format(time.RFC3339), plan.Files, plan.Bytes)
		return nil
	}
	if err := sqlite.CheckUnused(r.database.Path); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(filepath.Dir(r.database.Path), ".restoring-*") // 0700, on the same disk
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file, err := fetch(cmd.Context(), o, key, at, dir)
	if err != nil {
		return err
	}
	return r.put(cmd, file, o.String(), asJSON, map[string]any{"moment": plan.At.Format(time.RFC3339Nano)})
}

func fetch(ctx context.Context, o replica.Objects, key *replica.Key, at time.Time, dir string) (string, error) {
	file := filepath.Join(dir, "daybook.db")
	_, err := replica.Fetch(ctx, o, key, at, file)
	return file, err
}

// put replaces the database by a file, which came from a place that people know by another name.
func (r *restoring) put(cmd *cobra.Command, file, from string, asJSON bool, more map[string]any) error {
	o := sqlite.Options{Path: r.database.Path, Logger: warnings(os.Stderr)}
	kept, err := sqlite.Restore(cmd.Context(), file, o, r.checkSecrets(cmd.Context()))
	if err != nil {
		return err
	}
	if asJSON {
		said := map[string]any{"database": r.database.Path, "restored": from, "kept": console.OrNil(kept)}
		for name, value := range more {
			said[name] = value
		}
		return console.PrintJSON(cmd, said)
	}
	at := ""
	if moment, ok := more["moment"]; ok {
		at = ", as it was at " + moment.(string)
	}
	console.Say(cmd, "Restored %s from %s%s.", r.database.Path, from, at)
	if kept != "" {
		console.Say(cmd, "The old database is kept as %s.", kept)
	}
	return nil
}

// checkSecrets makes the check that the stored secrets can be read with --secret-key-file.
func (r *restoring) checkSecrets(ctx context.Context) func(*sqlite.DB) error {
	return func(db *sqlite.DB) error {
		if ok, err := notesMoves(ctx, db); err != nil || !ok || r.without {
			return err // a database of the first versions has no encrypted secret
		}
		vault, err := r.database.Vault()
		if err != nil {
			return err
		}
		u := upkeep.New(app.New(app.Config{Store: store.New(db), Vault: vault}))
		if _, _, err = u.StoredSecrets(ctx); err != nil {
			err = cmp.Or(u.CheckSecretKey(ctx), err)
			return fmt.Errorf("%w; or give --without-secret-key, and enter all secrets again", err)
		}
		return nil
	}
}
