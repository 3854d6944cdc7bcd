package cli

import (
	"github.com/spf13/cobra"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/cli/console"
)

// userCommand is daybook user.
func UserCommand(f *databaseFlags) *cobra.Command {
	cmd := console.Group("user", "Manage who signs in to the dashboard")
	cmd.AddCommand(userCreate(f), userList(f), userShow(f), userRole(f), userRemove(f), userPassword(f), userResetFactors(f))
	return cmd
}

func userCreate(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "create EMAIL", Args: console.Arguments("e-mail address"),
		Short: "Create a user; the password comes from a prompt or from standard input",
	}
	slug := cmd.Flags().String("workspace", "", "slug of the workspace")
	role := console.NewChoice("owner", "manager", "staff")
	cmd.Flags().Var(role, "role", "what the user may do")
	asJSON := console.JSONFlag(cmd)
	console.Require(cmd, "workspace")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return withDatabase(cmd.Context(), f.Write, func(d *database) error {
			ws, err := d.WorkspaceBySlug(cmd.Context(), *slug)
			if err != nil {
				return err
			}
			password, err := console.AskNewPassword(cmd)
			if err != nil {
				return err
			}
			u, err := d.Account.CreateUser(cmd.Context(), app.Operator(ws.ID),
				account.UserInput{Email: args[0], Role: app.Role(role.Value), Password: password})
			if err != nil {
				return console.NameFlags(err, "email", "the e-mail address")
			}
			if *asJSON {
				return console.PrintJSON(cmd, u)
			}
			console.Say(cmd, "Created %s, %s of %s.", u.Email, u.Role, u.Workspace)
			return nil
		})
	}
	return cmd
}

func userResetFactors(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "reset-factors EMAIL", Args: console.Arguments("e-mail address"),
		Short: "Remove all passkeys, the authenticator app and recovery codes of a user who lost them",
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return withDatabase(cmd.Context(), f.Write, func(d *database) error {
			u, err := d.Factor.ResetFactors(cmd.Context(), app.Operator(0), args[0])
			if err == nil {
				console.Say(cmd, "Removed all second factors of %s, who is signed out everywhere.", u.Email)
			}
			return err
		})
	}
	return cmd
}

func userPassword(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "password EMAIL", Args: console.Arguments("e-mail address"),
		Short: "Change a password, from a prompt or from standard input",
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return withDatabase(cmd.Context(), f.Write, func(d *database) error {
			password, err := console.AskNewPassword(cmd)
			if err != nil {
				return err
			}
			u, err := d.Account.SetPassword(cmd.Context(), app.Operator(0), args[0], password)
			if err == nil {
				console.Say(cmd, "Changed the password of %s.", u.Email)
			}
			return err
		})
	}
	return cmd
}
