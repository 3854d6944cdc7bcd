package cli

import (
	"strconv"

	"github.com/spf13/cobra"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/catalog"
	"daybook/app/cli/console"
	"daybook/app/factor"
	"daybook/app/when"
)

func userList(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{Use: "list", Short: "List who signs in to the dashboard", Args: console.Arguments()}
	slug := cmd.Flags().String("workspace", "", "slug of one workspace (default all)")
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return withDatabase(cmd.Context(), f.Read, func(d *database) error {
			var all []app.User
			err := d.EachWorkspace(cmd.Context(), *slug, func(ws catalog.Workspace) error {
				members, err := d.Account.Members(cmd.Context(), app.Operator(ws.ID))
				all = append(all, members...)
				return err
			})
			if err != nil {
				return err
			}
			return console.PrintList(cmd, *asJSON, all, []string{"EMAIL", "ROLE", "WORKSPACE", "HOST", "SIGNS IN"},
				func(u app.User) []string {
					return []string{u.Email, string(u.Role), u.Workspace, hostOr(u.HostID), yesOr(u.PasswordHash != "", "invited")}
				})
		})
	}
	return cmd
}

func hostOr(id catalog.HostID) string {
	if id == 0 {
		return "-"
	}
	return id.String()
}

func yesOr(is bool, other string) string {
	if is {
		return "yes"
	}
	return other
}

// shownUser is what `user show` prints.
type shownUser struct {
	account.Shown
	Passkeys      int          `json:"passkeys"`
	App           when.Instant `json:"app,omitzero"` // since when there is an authenticator app
	RecoveryCodes int          `json:"recoveryCodes"`
	FactorNeeded  bool         `json:"factorRequired"`
}

func userShow(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "show EMAIL", Args: console.Arguments("e-mail address"),
		Short: "Show a user: workspace, role, how they sign in, and when they last did something",
	}
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return withDatabase(cmd.Context(), f.Read, func(d *database) error {
			shown, err := d.Account.ShowUser(cmd.Context(), app.Operator(0), args[0])
			if err != nil {
				return err
			}
			factors, err := d.Factor.Factors(cmd.Context(), factor.Who{User: shown.User})
			if err != nil {
				return err
			}
			u := shownUser{shown, len(factors.Passkeys), factors.App, factors.Codes, factors.Required}
			if *asJSON {
				return console.PrintJSON(cmd, u)
			}
			seen := "none"
			if u.Sessions > 0 {
				seen = strconv.Itoa(u.Sessions) + ", last seen " + u.LastSeenAt.String()
			}
			rows := [][2]string{{"e-mail", u.Email}, {"id", u.ID.String()}, {"workspace", u.Workspace}, {"role", string(u.Role)},
				{"host", hostOr(u.HostID)}, {"created", u.CreatedAt.String()},
				{"password", yesOr(u.SignsIn, "none yet: invited")}, {"passkeys", strconv.Itoa(u.Passkeys)},
				{"authenticator app", yesOr(u.App != 0, "no")}, {"recovery codes", strconv.Itoa(u.RecoveryCodes)},
				{"second factor", map[bool]string{true: "required of the role", false: "not required"}[u.FactorNeeded]},
				{"signed-in browsers", seen}}
			return console.PrintList(cmd, false, rows, []string{"FIELD", "VALUE"}, func(r [2]string) []string { return r[:] })
		})
	}
	return cmd
}

func userRemove(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "remove EMAIL", Args: console.Arguments("e-mail address"),
		Short: "Remove a user, who is signed out everywhere; the last owner of a workspace stays",
	}
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return withDatabase(cmd.Context(), f.Write, func(d *database) error {
			u, err := d.Account.ShowUser(cmd.Context(), app.Operator(0), args[0])
			if err != nil {
				return err
			}
			gone, err := d.Account.RemoveMember(cmd.Context(), app.Operator(u.WorkspaceID), u.ID.String())
			if err != nil {
				return err
			}
			if *asJSON {
				return console.PrintJSON(cmd, gone)
			}
			console.Say(cmd, "Removed %s, %s of %s.", gone.Email, gone.Role, gone.Workspace)
			return nil
		})
	}
	return cmd
}

func userRole(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "role EMAIL ROLE", Args: console.Arguments("e-mail address", "role: owner, manager or staff"),
		Short: "Give a user another role; staff see the calendar of one host",
	}
	host := cmd.Flags().String("host", "", "e-mail or id of the host that the user is (default as it was)")
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return withDatabase(cmd.Context(), f.Write, func(d *database) error {
			u, err := d.Account.ShowUser(cmd.Context(), app.Operator(0), args[0])
			if err != nil {
				return err
			}
			change := func(m account.Membership) (account.MemberInput, error) {
				in := account.MemberInput{Email: m.Email, Role: app.Role(args[1]), Host: m.HostID}
				if *host == "" {
					return in, nil
				}
				is, err := m.Setup.HostRef(*host)
				in.Host = is
				return in, err
			}
			changed, err := d.Account.EditMember(cmd.Context(), app.Operator(u.WorkspaceID), u.ID.String(), change)
			if err != nil {
				return console.NameFlags(err, "role", "the role", "host", "--host")
			}
			if *asJSON {
				return console.PrintJSON(cmd, changed)
			}
			console.Say(cmd, "%s is now %s of %s.", changed.Email, changed.Role, changed.Workspace)
			return nil
		})
	}
	return cmd
}
