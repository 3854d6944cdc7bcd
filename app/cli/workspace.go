package cli

import (
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"daybook/app"
	"daybook/app/catalog"
)

func workspaceCommand(h *house) *cobra.Command {
	cmd := group("workspace", "Manage workspaces and their set-up")
	cmd.AddCommand(workspaceCreate(h), workspaceList(h), workspaceApply(h), workspaceExport(h))
	return cmd
}

func workspaceCreate(h *house) *cobra.Command {
	cmd := &cobra.Command{Use: "create NAME", Short: "Create an empty workspace", Args: arguments("workspace's name")}
	slug := cmd.Flags().String("slug", "", "its name in addresses (default made from NAME)")
	zone := cmd.Flags().String("timezone", "", "its IANA time zone, such as Europe/Berlin")
	currency := cmd.Flags().String("currency", "EUR", "its currency")
	h.secretFlag(cmd.Flags())
	asJSON := jsonFlag(cmd)
	require(cmd, "timezone")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *slug == "" {
			*slug = slugOf(args[0])
		}
		return with(cmd.Context(), h.foundWithSecrets, func(d *desk) error {
			ws, err := d.CreateWorkspace(cmd.Context(), app.WorkspaceInput{Slug: *slug, Name: args[0], TimeZone: *zone, Currency: *currency})
			if err != nil {
				return blame(err, "workspace.name", "NAME", "workspace.slug", "--slug", "workspace.timeZone", "--timezone", "workspace.currency", "--currency")
			}
			if *asJSON {
				return printJSON(cmd, ws)
			}
			say(cmd, "Created the workspace %s (%s).", ws.Slug, ws.Name)
			return nil
		})
	}
	return cmd
}

var notSlug = regexp.MustCompile(`[^a-z0-9]+`)

// slugOf makes a slug of a name: "Salon Ana" is salon-ana.
func slugOf(name string) string {
	slug := notSlug.ReplaceAllString(strings.ToLower(name), "-")
	return strings.Trim(slug[:min(len(slug), 40)], "-")
}

func workspaceList(h *house) *cobra.Command {
	cmd := &cobra.Command{Use: "list", Short: "List the workspaces", Args: arguments()}
	asJSON := jsonFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return with(cmd.Context(), h.read, func(d *desk) error {
			all, err := d.Workspaces()
			if err != nil {
				return err
			}
			return printList(cmd, *asJSON, all, []string{"SLUG", "NAME", "TIME ZONE", "CURRENCY"}, func(w catalog.Workspace) []string {
				return []string{w.Slug, w.Name, w.TimeZone, w.Currency}
			})
		})
	}
	return cmd
}
