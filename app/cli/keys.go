package cli

import (
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/catalog"
	"daybook/app/cli/console"
	"daybook/app/right"
	"daybook/app/when"
)

// keysCommand is daybook keys.
func KeysCommand(f *databaseFlags) *cobra.Command {
	cmd := console.Group("keys", "Manage API keys")
	cmd.AddCommand(keysCreate(f), keysList(f), keysRotate(f), keysRevoke(f))
	return cmd
}

// shownKey is a key with its value, as --json shows it once.
type shownKey struct {
	ID            app.KeyID     `json:"id"`
	Key           string        `json:"key"`
	Name          string        `json:"name"`
	Scope         account.Scope `json:"scope"`
	Areas         app.Areas     `json:"areas"`
	Limits        *right.Limits `json:"limits,omitempty"`
	Workspace     string        `json:"workspace"`
	RateLimit     int           `json:"rateLimit"`
	CreatedAt     when.Instant  `json:"createdAt"`
	PreviousUntil when.Instant  `json:"previousUntil,omitzero"` // while the old value of a rotated one works
}

func showKey(cmd *cobra.Command, asJSON bool, k account.NewKey) error {
	if asJSON {
		return console.PrintJSON(cmd, shownKey{k.ID, k.Value, k.Name, k.Scope, k.Areas, k.Limits, k.Workspace, k.RateLimit,
			k.CreatedAt, k.PreviousUntil})
	}
	console.Say(cmd, "%s", k.Value)
	once := "It is shown only this once."
	if k.Public != "" {
		once = "It may stand in the pages of " + strings.Join(k.Limits.Origins, ", ") + "."
	}
	console.Say(cmd, "Key %s (%s, %s) of %s, %d requests a minute. %s", k.ID, k.Name, k.Scope, k.Workspace, k.RateLimit,
		once)
	if k.PreviousUntil != 0 {
		console.Say(cmd, "The old value works until %s.", k.PreviousUntil)
	}
	return nil
}

func keysCreate(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{Use: "create", Short: "Create a key and print it, once", Args: console.Arguments()}
	slug := cmd.Flags().String("workspace", "", "slug of the workspace")
	scope := console.NewChoice("full", "read-only")
	cmd.Flags().Var(scope, "scope", "what the key may do")
	name := cmd.Flags().String("name", "", "what the key is for")
	areas := cmd.Flags().StringSlice("areas", nil, "what else it may do: "+strings.Join(right.AreaNames, ", "))
	var limits account.Limits
	cmd.Flags().StringSliceVar(&limits.Rights, "rights", nil, "all that it may do: "+strings.Join(right.Names, ", "))
	cmd.Flags().StringSliceVar(&limits.EventTypes, "services", nil, "slugs or ids of the only services that it knows")
	cmd.Flags().StringSliceVar(&limits.Hosts, "hosts", nil, "ids or e-mails of the only hosts that it knows")
	until := cmd.Flags().String("until", "", "when it ends, such as 2027-01-31")
	cmd.Flags().StringSliceVar(&limits.Addresses, "addresses", nil, "from where it works, such as 203.0.113.0/24")
	public := cmd.Flags().Bool("public", false,
		"a key for web pages (pk_…): open times and booking only, as visitors may")
	cmd.Flags().StringSliceVar(&limits.Origins, "origins", nil,
		"of the pages that may use a public key, such as https://salon.example")
	limit := cmd.Flags().Int("rate-limit", account.DefaultRateLimit,
		"requests in any 60 seconds; of a public key, of each address")
	asJSON := console.JSONFlag(cmd)
	console.Require(cmd, "workspace", "name")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *limit == 0 {
			return console.Usagef("--rate-limit must be at least 1")
		}
		if *public && cmd.Flags().Changed("scope") {
			return console.Usagef("--public keys have no --scope")
		}
		return withDatabase(cmd.Context(), f.Write, func(d *database) error {
			ws, err := d.WorkspaceBySlug(cmd.Context(), *slug)
			if err != nil {
				return err
			}
			in := account.KeyInput{Name: *name, Scope: account.Scope(scope.Value), RateLimit: *limit, Limits: limits}
			if *public {
				in.Scope = account.PublicScope
			}
			if *until != "" {
				if in.Limits.Until, err = when.ParseOrDate(*until, time.UTC); err != nil {
					return console.Usagef("--until must be a time or a day, such as 2027-01-31")
				}
			}
			var k account.NewKey
			if in.Areas, err = right.ParseAreas(*areas); err == nil {
				k, err = d.Account.CreateKey(cmd.Context(), app.Operator(ws.ID), in)
			}
			if err != nil {
				return console.NameFlags(err, "name", "--name", "rateLimit", "--rate-limit", "areas", "--areas",
					"rights", "--rights", "until", "--until", "addresses", "--addresses",
					"origins", "--origins")
			}
			return showKey(cmd, *asJSON, k)
		})
	}
	return cmd
}

func keysList(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{Use: "list", Short: "List the keys, the newest first", Args: console.Arguments()}
	slug := cmd.Flags().String("workspace", "", "slug of the workspace (default all)")
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return withDatabase(cmd.Context(), f.Read, func(d *database) error {
			var ws catalog.Workspace
			var err error
			if *slug != "" {
				if ws, err = d.WorkspaceBySlug(cmd.Context(), *slug); err != nil {
					return err
				}
			}
			all, err := d.Account.Keys(cmd.Context(), app.Operator(ws.ID))
			if err != nil {
				return err
			}
			for i := range all {
				if all[i].PreviousUntil <= when.At(time.Now()) {
					all[i].PreviousUntil = 0 // over
				}
			}
			return console.PrintList(cmd, *asJSON, all, []string{"ID", "WORKSPACE", "NAME", "SCOPE", "AREAS", "LIMIT",
				"ENDS WITH", "LAST USED", "STATE"}, keyRow)
		})
	}
	return cmd
}

func keyRow(k account.Key) []string {
	used, state := "never", "active"
	if k.LastUsedAt != 0 {
		used = k.LastUsedAt.String()
	}
	if k.PreviousUntil > when.At(time.Now()) {
		state = "active, the old value too until " + k.PreviousUntil.String()
	}
	if k.RevokedAt != 0 {
		state = "revoked " + k.RevokedAt.String()
	}
	ends := k.Hint
	if k.Public != "" {
		ends = k.Public
	}
	return []string{k.ID.String(), k.Workspace, k.Name, string(k.Scope), k.Areas.String(), strconv.Itoa(k.RateLimit),
		ends, used, state}
}

func keysRotate(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "rotate ID", Args: console.Arguments("key's id"),
		Short: "Give a key a new value and print it, once; its id stays",
	}
	grace := cmd.Flags().Duration("grace", 0*time.Second, "how long the old value works on")
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return withDatabase(cmd.Context(), f.Write, func(d *database) error {
			k, err := d.Account.RotateKey(cmd.Context(), app.Operator(0), args[0], *grace)
			if err != nil {
				return console.NameFlags(err, "grace", "--grace")
			}
			return showKey(cmd, *asJSON, k)
		})
	}
	return cmd
}

func keysRevoke(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "revoke ID", Args: console.Arguments("key's id"),
		Short: "End a key, from the next request on",
	}
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return withDatabase(cmd.Context(), f.Write, func(d *database) error {
			k, err := d.Account.RevokeKey(cmd.Context(), app.Operator(0), args[0])
			if err != nil {
				return err
			}
			if *asJSON {
				return console.PrintJSON(cmd, k)
			}
			console.Say(cmd, "Revoked %s (%s).", k.ID, k.Name)
			return nil
		})
	}
	return cmd
}
