package cli

import (
	"os"

	"github.com/spf13/cobra"
)

func backupCommand(h *house) *cobra.Command {
	cmd := &cobra.Command{Use: "backup FILE", Short: "Write a consistent copy of the database to a new file, while it is served too", Args: arguments("new file")}
	asJSON := jsonFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return with(cmd.Context(), h.read, func(d *desk) error {
			if err := d.store.Backup(cmd.Context(), args[0]); err != nil {
				return err
			}
			info, err := os.Stat(args[0])
			if err != nil {
				return err
			}
			if *asJSON {
				return printJSON(cmd, map[string]any{"file": args[0], "bytes": info.Size()})
			}
			say(cmd, "Wrote %s (%d bytes).", args[0], info.Size())
			return nil
		})
	}
	return cmd
}
