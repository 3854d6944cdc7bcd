package cli

import (
	"bufio"

	"github.com/spf13/cobra"

	"daybook/app"
	"daybook/app/cli/console"
)

// contactsCommand is daybook contacts.
func ContactsCommand(f *databaseFlags) *cobra.Command {
	cmd := console.Group("contacts", "What is kept of a person")
	cmd.AddCommand(contactsExport(f))
	return cmd
}

func contactsExport(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "export CONTACT", Args: console.Arguments("contact's id, e-mail address or phone number"),
		Short: "Print everything about one person as JSON: contact, bookings, payments, receipts, mails, invitations",
	}
	slug := cmd.Flags().String("workspace", "", "slug of the workspace")
	f.AddSecretKeyFile(cmd.Flags())
	console.JSONFlag(cmd)
	console.Require(cmd, "workspace")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return withDatabase(cmd.Context(), f.Write, func(d *database) error {
			ws, err := d.WorkspaceBySlug(cmd.Context(), *slug)
			if err != nil {
				return err
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			if err := d.Privacy.ExportPerson(cmd.Context(), app.Operator(ws.ID), args[0], out); err != nil {
				return err
			}
			return out.Flush()
		})
	}
	return cmd
}
