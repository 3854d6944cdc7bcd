package cli

import (
	"github.com/spf13/cobra"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/cli/console"
)

// calendarCommand is daybook calendar. It prints the private address of a calendar, a secret that gives access to the
// bookings.
func CalendarCommand(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "calendar", Args: console.Arguments(),
		Short: "Print, renew or end the private address of a host's or a workspace's calendar",
		Long: "Google, Outlook and Apple subscribe to the address. Who has it reads the bookings: --rotate makes a new " +
			"one and ends the old.",
	}
	slug := cmd.Flags().String("workspace", "", "slug of the workspace")
	host := cmd.Flags().String("host", "", "e-mail or id of one host (default every host)")
	rotate := cmd.Flags().Bool("rotate", false, "end the present address and make another")
	revoke := cmd.Flags().Bool("revoke", false, "end the present address")
	var flags mailFlags
	cmd.Flags().Var(&flags.base, "base-url", "the server's public address")
	f.AddSecretKeyFile(cmd.Flags())
	asJSON := console.JSONFlag(cmd)
	console.Require(cmd, "workspace")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *rotate && *revoke {
			return console.Usagef("give --rotate or --revoke, not both")
		}
		if flags.base.URL == nil && !*revoke {
			return console.Usagef("give --base-url, the server's public address")
		}
		return withDatabase(cmd.Context(), flags.at(f.Write), func(d *database) error {
			ws, err := d.WorkspaceBySlug(cmd.Context(), *slug)
			if err != nil {
				return err
			}
			address, err := feedAddress(cmd, d, ws, *host, *rotate, *revoke)
			if err != nil {
				return err
			}
			if *asJSON {
				return console.PrintJSON(cmd, map[string]any{"url": console.OrNil(address)})
			}
			if *revoke {
				console.Say(cmd, "The address has ended.")
				return nil
			}
			console.Say(cmd, "%s", address)
			return nil
		})
	}
	return cmd
}

func feedAddress(cmd *cobra.Command, d *database, ws catalog.Workspace, host string, rotate,
	revoke bool) (string, error) {
	if revoke {
		return "", d.Feed.RevokeFeed(cmd.Context(), app.Operator(ws.ID), host)
	}
	return d.Feed.FeedURL(cmd.Context(), app.Operator(ws.ID), host, rotate)
}
