package cli

import (
	"context"
	"errors"
	"os"

	"github.com/spf13/cobra"

	"daybook/app/cli/console"
	"daybook/store/postgres"
	"daybook/store/sqlite"
)

// backupCommand is daybook backup.
func backupCommand(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "backup FILE", Args: console.Arguments("new file"),
		Short: "Write a consistent copy of the database to a new file, while it is served too",
	}
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if f.OnServer() {
			return console.Usagef("PostgreSQL has its own tools for backups; run: %s", postgres.DumpCommand(f.Path, args[0]))
		}
		if err := f.backup(cmd.Context(), args[0]); err != nil {
			return err
		}
		info, err := os.Stat(args[0])
		if err != nil {
			return err
		}
		if *asJSON {
			return console.PrintJSON(cmd, map[string]any{"file": args[0], "bytes": info.Size()})
		}
		console.Say(cmd, "Wrote %s (%d bytes).", args[0], info.Size())
		return nil
	}
	return cmd
}

// backup copies a database of this schema or an older one, so that a new version can make a backup before it migrates.
func (f *databaseFlags) backup(ctx context.Context, dest string) error {
	db, err := f.OpenEngine(ctx, databaseOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	if file, ok := db.(*sqlite.DB); ok {
		err = file.KnownSchema(ctx)
	}
	if err == nil {
		err = db.Backup(ctx, dest)
	}
	return errors.Join(err, db.Close())
}
