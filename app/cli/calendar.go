package cli

import (
	"github.com/spf13/cobra"

	"daybook/app/catalog"
)

// calendarCommand prints the private address of a calendar. It is a secret: who has it reads the bookings.
func calendarCommand(h *house) *cobra.Command {
	cmd := &cobra.Command{
		Use: "calendar", Short: "Print, renew or end the private address of a host's or a workspace's calendar", Args: arguments(),
		Long: "Google, Outlook and Apple subscribe to the address. Who has it reads the bookings: --rotate makes a new one and ends the old.",
	}
	slug := cmd.Flags().String("workspace", "", "slug of the workspace")
	host := cmd.Flags().String("host", "", "e-mail or id of one host (default every host)")
	rotate := cmd.Flags().Bool("rotate", false, "end the present address and make another")
	revoke := cmd.Flags().Bool("revoke", false, "end the present address")
	var way mailWay
	cmd.Flags().Var(&way.base, "base-url", "the server's public address")
	h.secretFlag(cmd.Flags())
	asJSON := jsonFlag(cmd)
	require(cmd, "workspace")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *rotate && *revoke {
			return usage("give --rotate or --revoke, not both")
		}
		if way.base.URL == nil && !*revoke {
			return usage("give --base-url, the server's public address")
		}
		return with(cmd.Context(), way.at(h, h.write), func(d *desk) error {
			ws, err := d.WorkspaceBySlug(*slug)
			if err != nil {
				return err
			}
			address, err := feedAddress(cmd, d, ws, *host, *rotate, *revoke)
			if err != nil {
				return err
			}
			if *asJSON {
				return printJSON(cmd, map[string]any{"url": orNil(address)})
			}
			if *revoke {
				say(cmd, "The address has ended.")
				return nil
			}
			say(cmd, "%s", address)
			return nil
		})
	}
	return cmd
}

func feedAddress(cmd *cobra.Command, d *desk, ws catalog.Workspace, host string, rotate, revoke bool) (string, error) {
	if revoke {
		return "", d.Feed.RevokeFeed(cmd.Context(), ws.ID, host)
	}
	return d.Feed.FeedURL(cmd.Context(), ws.ID, host, rotate)
}
