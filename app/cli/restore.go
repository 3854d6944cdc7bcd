package cli

import (
	"os"

	"github.com/spf13/cobra"

	"daybook/store/sqlite"
)

func restoreCommand(h *house) *cobra.Command {
	cmd := &cobra.Command{
		Use: "restore FILE", Short: "Put a backup in the place of the database, once it is proven sound; keeps the old one", Args: arguments("backup"),
	}
	asJSON := jsonFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		kept, err := sqlite.Restore(cmd.Context(), args[0], h.options(os.Stderr), nil)
		if err != nil {
			return err
		}
		if *asJSON {
			return printJSON(cmd, map[string]any{"database": h.db, "restored": args[0], "kept": orNil(kept)})
		}
		say(cmd, "Restored %s from %s.", h.db, args[0])
		if kept != "" {
			say(cmd, "The old database is kept as %s.", kept)
		}
		return nil
	}
	return cmd
}

func orNil(text string) any {
	if text == "" {
		return nil
	}
	return text
}
