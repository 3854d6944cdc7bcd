package cli

import (
	"github.com/spf13/cobra"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/cli/console"
)

// workspaceCommand is daybook workspace.
func WorkspaceCommand(f *databaseFlags) *cobra.Command {
	cmd := console.Group("workspace", "Manage workspaces and their set-up")
	cmd.AddCommand(workspaceCreate(f), workspaceList(f), workspaceApply(f), workspaceExport(f),
		workspaceAudit(f), workspaceSuspend(f), workspaceResume(f), workspaceDelete(f))
	return cmd
}

func workspaceCreate(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "create NAME", Args: console.Arguments("workspace's name"),
		Short: "Create an empty workspace",
	}
	slug := cmd.Flags().String("slug", "", "its name in addresses (default made from NAME)")
	zone := cmd.Flags().String("timezone", "", "its IANA time zone, such as Europe/Berlin")
	currency := cmd.Flags().String("currency", "EUR", "its currency")
	f.AddSecretKeyFile(cmd.Flags())
	f.AddNewDatabase(cmd.Flags())
	asJSON := console.JSONFlag(cmd)
	console.Require(cmd, "timezone")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *slug == "" {
			*slug = catalog.SlugOf(args[0])
		}
		return withDatabase(cmd.Context(), f.CreateWithSecrets, func(d *database) error {
			ws, err := d.Shop.CreateWorkspace(cmd.Context(), app.Operator(0),
				catalog.WorkspaceInput{Slug: *slug, Name: args[0], TimeZone: *zone, Currency: *currency})
			if err != nil {
				return console.NameFlags(err, "workspace.name", "NAME", "workspace.slug", "--slug", "workspace.timeZone",
					"--timezone", "workspace.currency", "--currency")
			}
			if *asJSON {
				return console.PrintJSON(cmd, ws)
			}
			console.Say(cmd, "Created the workspace %s (%s).", ws.Slug, ws.Name)
			return nil
		})
	}
	return cmd
}

func workspaceList(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{Use: "list", Short: "List the workspaces", Args: console.Arguments()}
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return withDatabase(cmd.Context(), f.Read, func(d *database) error {
			all, err := d.Workspaces(cmd.Context(), app.Operator(0))
			if err != nil {
				return err
			}
			shown := make([]listedWorkspace, len(all))
			for i, w := range all {
				shown[i] = listedOf(w)
			}
			return console.PrintList(cmd, *asJSON, shown, []string{"SLUG", "NAME", "TIME ZONE", "CURRENCY", "STATE"},
				func(w listedWorkspace) []string {
					return []string{w.Slug, w.Name, w.TimeZone, w.Currency, w.state()}
				})
		})
	}
	return cmd
}
