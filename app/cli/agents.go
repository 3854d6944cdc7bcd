package cli

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"

	"daybook/app/agentsetup"
	"daybook/app/cli/console"
)

// agentsCommand is daybook agents.
func AgentsCommand(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "agents", Args: console.Arguments(),
		Short: "Print what connects an AI agent to a workspace",
	}
	cmd.AddCommand(agentsList(f), agentsRevoke(f))
	slug := cmd.Flags().String("workspace", "", "slug of the workspace")
	base := console.WebURL{}
	cmd.Flags().Var(&base, "base-url",
		"the server's public address (default that of the last serve, else http://localhost:8080)")
	asJSON := console.JSONFlag(cmd)
	console.Require(cmd, "workspace")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return withDatabase(cmd.Context(), f.Read, func(d *database) error {
			ws, err := d.WorkspaceBySlug(cmd.Context(), *slug)
			if err != nil {
				return err
			}
			address, err := d.Upkeep.ServedAt(cmd.Context())
			if err != nil {
				return err
			}
			if base.URL != nil {
				address = strings.TrimSuffix(base.String(), "/")
			}
			setup := agentsetup.For(ws.Slug, cmp.Or(address, "http://localhost:8080"), "")
			if *asJSON {
				return console.PrintJSON(cmd, setup)
			}
			printAgentSetup(cmd, setup, f.Name())
			return nil
		})
	}
	return cmd
}

func printAgentSetup(cmd *cobra.Command, a agentsetup.Setup, db string) {
	console.Say(cmd,
		"The agent tools of %s are at %s (Streamable HTTP)\nand at %s (SSE, for clients that know no other).\n", a.Workspace,
		a.URL, a.SSEURL)
	console.Say(cmd, "Claude, ChatGPT, VS Code and Cursor need that address only: a member signs in and allows them.\n")
	console.Say(cmd, "Others need a key. With scope full it may book, move and cancel; with read-only it may look:\n")
	console.Say(cmd,
		"  export DAYBOOK_KEY=$(daybook keys create --db %s --workspace %s --scope full --name agent | head -1)\n",
		shellWord(db), a.Workspace)
	console.Say(cmd, "Where a snippet says YOUR_API_KEY, put the key itself.")
	for _, c := range a.Clients {
		console.Say(cmd, "\n%s, %s:\n\n%s", c.Name, c.Where, c.Text)
	}
}

// shellWord quotes a text for a shell, where it needs quotes.
func shellWord(text string) string {
	if text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-") == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
