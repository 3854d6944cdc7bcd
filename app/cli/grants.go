package cli

import (
	"github.com/spf13/cobra"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/cli/console"
	"daybook/app/oauth"
)

// agentsList lists what agents' programs were allowed.
func agentsList(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{Use: "list", Short: "List the agents that members have signed in, the newest first",
		Args: console.Arguments()}
	slug := cmd.Flags().String("workspace", "", "slug of the workspace (default all)")
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return withDatabase(cmd.Context(), f.Read, func(d *database) (err error) {
			var ws catalog.Workspace
			if *slug != "" {
				if ws, err = d.WorkspaceBySlug(cmd.Context(), *slug); err != nil {
					return err
				}
			}
			all, err := d.OAuth.Grants(cmd.Context(), app.Operator(ws.ID))
			if err != nil {
				return err
			}
			return console.PrintList(cmd, *asJSON, all, []string{"ID", "WORKSPACE", "MEMBER", "NAME", "SCOPE", "LAST USED",
				"ENDS"}, grantRow)
		})
	}
	return cmd
}

func grantRow(g oauth.Grant) []string {
	return []string{g.ID.String(), g.Workspace, g.Email, g.Name, string(g.Scope), g.LastUsedAt.String(), g.EndsAt.String()}
}

func agentsRevoke(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{Use: "revoke ID", Args: console.Arguments("connection's id"),
		Short: "End an agent's sign-in, from the next request on"}
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return withDatabase(cmd.Context(), f.Write, func(d *database) error {
			g, err := d.OAuth.EndGrant(cmd.Context(), app.Operator(0), args[0])
			if err != nil {
				return err
			}
			if *asJSON {
				return console.PrintJSON(cmd, g)
			}
			console.Say(cmd, "Ended %s (%s).", g.ID, g.Name)
			return nil
		})
	}
	return cmd
}
