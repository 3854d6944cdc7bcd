package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/cli/console"
	"daybook/app/text"
)

// TextsCommand is daybook texts.
func TextsCommand(f *databaseFlags) *cobra.Command {
	cmd := console.Group("texts", "Look at the texts to customers' telephones")
	cmd.AddCommand(textsLog(f))
	return cmd
}

func textsLog(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{Use: "log", Short: "List the texts, the newest first", Args: console.Arguments()}
	slug := cmd.Flags().String("workspace", "", "slug of the workspace (default all)")
	state := console.NewChoice("", "waiting", "sent", "delivered", "perhaps", "failed", "dropped")
	cmd.Flags().Var(state, "state", "only those in this state")
	booking := cmd.Flags().String("booking", "", "only those of this booking")
	limit := cmd.Flags().Int("limit", 50, "how many of each workspace, at most 100")
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *limit < 1 || *limit > 100 {
			return console.Usagef("--limit must lie between 1 and 100")
		}
		return withDatabase(cmd.Context(), f.Read, func(d *database) error {
			all, err := texts(cmd.Context(), d, *slug, text.ListInput{State: state.Value, Booking: *booking, Limit: limit})
			if err != nil {
				return err
			}
			return console.PrintList(cmd, *asJSON, all, []string{"ID", "KIND", "TO", "STATE", "SEGMENTS", "WHEN", "ANSWER"}, textRow)
		})
	}
	return cmd
}

// texts lists the latest texts of the workspace, or of each when slug is empty.
func texts(ctx context.Context, d *database, slug string, in text.ListInput) (found []text.Text, err error) {
	all, err := d.Workspaces(ctx, app.Operator(0))
	if slug != "" {
		var one catalog.Workspace
		one, err = d.WorkspaceBySlug(ctx, slug)
		all = []catalog.Workspace{one}
	}
	for i := 0; i < len(all) && err == nil; i++ {
		page, failed := d.Text.Texts(ctx, app.Operator(all[i].ID), in)
		found, err = append(found, page.Data...), failed
	}
	return found, err
}

func textRow(t text.Text) []string {
	at := t.SettledAt
	if at == 0 {
		at = t.DueAt
	}
	return []string{t.ID.String(), string(t.Kind), t.To, string(t.State), fmt.Sprint(t.Segments), at.String(), t.Answer}
}
