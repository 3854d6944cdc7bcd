package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/cli/console"
)

func workspaceAudit(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "audit SLUG", Args: console.Arguments("workspace's slug"),
		Short: "List who changed what in a workspace, the newest first",
	}
	topic := cmd.Flags().String("topic", "", "only entries about that, such as key or sign_in")
	member := cmd.Flags().String("member", "", "only what the member of that id did, or was done to them")
	limit := cmd.Flags().Int("limit", 50, "how many entries, at most 100")
	cursor := cmd.Flags().String("cursor", "", "nextCursor of the page before")
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return withDatabase(cmd.Context(), f.Read, func(d *database) error {
			ws, err := d.WorkspaceBySlug(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			page, err := d.Audit.AuditLog(cmd.Context(), app.Operator(ws.ID), audit.ListInput{Topic: audit.Topic(*topic),
				Member: *member, Limit: limit, Cursor: *cursor})
			if err != nil {
				return console.NameFlags(err, "topic", "--topic", "member", "--member", "limit", "--limit", "cursor",
					"--cursor")
			}
			if *asJSON {
				return console.PrintJSON(cmd, page)
			}
			err = console.PrintList(cmd, false, page.Data, []string{"AT", "BY", "DOOR", "ACTION", "SUBJECT", "DETAILS"},
				auditRow)
			if err == nil && page.NextCursor != nil {
				console.Say(cmd, "There are older ones: --cursor %s", *page.NextCursor)
			}
			return err
		})
	}
	return cmd
}

func auditRow(e audit.Entry) []string {
	by := e.Actor
	if by == "" {
		by = string(e.By)
	}
	details := e.Fields
	switch {
	case e.From != "" && e.To != "":
		details = append(details, e.From+" → "+e.To)
	case e.From != "" || e.To != "":
		details = append(details, e.From+e.To)
	}
	if e.Device != "" {
		details = append(details, e.Device)
	}
	return []string{e.At.String(), by, string(e.Door), string(e.Action), e.Subject, strings.Join(details, ", ")}
}
