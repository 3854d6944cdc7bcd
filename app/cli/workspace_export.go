package cli

import (
	"github.com/spf13/cobra"
)

func workspaceExport(h *house) *cobra.Command {
	cmd := &cobra.Command{Use: "export SLUG", Short: "Write a workspace's set-up as YAML, or JSON, as apply reads it", Args: arguments("workspace's slug")}
	asJSON := jsonFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return with(cmd.Context(), h.read, func(d *desk) error {
			doc, err := d.SetupFile.ExportSetup(args[0])
			if err != nil {
				return err
			}
			if *asJSON {
				return printJSON(cmd, doc)
			}
			text, err := doc.YAML()
			if err == nil {
				_, err = cmd.OutOrStdout().Write(text)
			}
			return err
		})
	}
	return cmd
}
