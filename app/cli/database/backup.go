package database

import (
	"os"

	"github.com/spf13/cobra"

	"daybook/app/cli/console"
	"daybook/store/postgres"
)

// BackupCommand is daybook backup.
func BackupCommand(f *Flags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "backup FILE", Args: console.Arguments("new file"),
		Short: "Write a consistent copy of the database to a new file, while it is served too",
	}
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if f.OnServer() {
			return console.Usagef("PostgreSQL has its own tools for backups; run: %s", postgres.DumpCommand(f.Path, args[0]))
		}
		return With(cmd.Context(), f.Read, func(d *DB) error {
			if err := d.store.Backup(cmd.Context(), args[0]); err != nil {
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
		})
	}
	return cmd
}
