package cli

import (
	"github.com/spf13/cobra"

	"daybook/app"
	"daybook/app/account"
)

func userCommand(h *house) *cobra.Command {
	cmd := group("user", "Manage who signs in to the dashboard")
	cmd.AddCommand(userCreate(h), userPassword(h))
	return cmd
}

func userCreate(h *house) *cobra.Command {
	cmd := &cobra.Command{
		Use: "create EMAIL", Short: "Create a user; the password comes from a prompt or from standard input", Args: arguments("e-mail address"),
	}
	slug := cmd.Flags().String("workspace", "", "slug of the workspace")
	role := newChoice("owner", "manager", "staff")
	cmd.Flags().Var(role, "role", "what the user may do")
	asJSON := jsonFlag(cmd)
	require(cmd, "workspace")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return with(cmd.Context(), h.found, func(d *desk) error {
			ws, err := d.WorkspaceBySlug(*slug)
			if err != nil {
				return err
			}
			password, err := askNewPassword(cmd)
			if err != nil {
				return err
			}
			u, err := d.Account.CreateUser(cmd.Context(), ws, account.UserInput{Email: args[0], Role: app.Role(role.value), Password: password})
			if err != nil {
				return blame(err, "email", "the e-mail address")
			}
			if *asJSON {
				return printJSON(cmd, u)
			}
			say(cmd, "Created %s, %s of %s.", u.Email, u.Role, u.Workspace)
			return nil
		})
	}
	return cmd
}

func userPassword(h *house) *cobra.Command {
	cmd := &cobra.Command{
		Use: "password EMAIL", Short: "Change a password, from a prompt or from standard input", Args: arguments("e-mail address"),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return with(cmd.Context(), h.write, func(d *desk) error {
			password, err := askNewPassword(cmd)
			if err != nil {
				return err
			}
			u, err := d.Account.SetPassword(cmd.Context(), args[0], password)
			if err == nil {
				say(cmd, "Changed the password of %s.", u.Email)
			}
			return err
		})
	}
	return cmd
}
