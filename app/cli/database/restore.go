package database

import (
	"os"

	"github.com/spf13/cobra"

	"daybook/app/cli/console"
	"daybook/store/postgres"
	"daybook/store/sqlite"
)

// RestoreCommand is daybook restore.
func RestoreCommand(f *Flags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "restore FILE", Args: console.Arguments("backup"),
		Short: "Put a backup in the place of the database, once it is proven sound; keeps the old one",
	}
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if f.OnServer() {
			return console.Usagef("PostgreSQL has its own tools for backups; stop all servers and run: %s",
				postgres.LoadCommand(f.Path, args[0]))
		}
		kept, err := sqlite.Restore(cmd.Context(), args[0], sqlite.Options{Path: f.Path, Logger: warnings(os.Stderr)}, nil)
		if err != nil {
			return err
		}
		if *asJSON {
			return console.PrintJSON(cmd, map[string]any{"database": f.Path, "restored": args[0], "kept": console.OrNil(kept)})
		}
		console.Say(cmd, "Restored %s from %s.", f.Path, args[0])
		if kept != "" {
			console.Say(cmd, "The old database is kept as %s.", kept)
		}
		return nil
	}
	return cmd
}
