package cli

import (
	"github.com/spf13/cobra"

	"daybook/app"
	"daybook/app/cli/console"
)

func workspaceExport(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "export SLUG", Args: console.Arguments("workspace's slug"),
		Short: "Write a workspace's set-up as YAML, or JSON, as apply reads it",
	}
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return withDatabase(cmd.Context(), f.Write, func(d *database) error {
			ws, err := d.WorkspaceBySlug(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			doc, err := d.SetupFile.ExportSetup(cmd.Context(), app.Operator(ws.ID))
			if err != nil {
				return err
			}
			if *asJSON {
				return console.PrintJSON(cmd, doc)
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
