package cli

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"

	"daybook/app/agentsetup"
)

func agentsCommand(h *house) *cobra.Command {
	cmd := &cobra.Command{Use: "agents", Short: "Print what connects an AI agent to a workspace", Args: arguments()}
	slug := cmd.Flags().String("workspace", "", "slug of the workspace")
	base := webURL{}
	cmd.Flags().Var(&base, "base-url", "the server's public address (default that of the last serve, else http://localhost:8080)")
	asJSON := jsonFlag(cmd)
	require(cmd, "workspace")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return with(cmd.Context(), h.read, func(d *desk) error {
			ws, err := d.WorkspaceBySlug(*slug)
			if err != nil {
				return err
			}
			address, err := d.Upkeep.ServedAt()
			if err != nil {
				return err
			}
			if base.URL != nil {
				address = strings.TrimSuffix(base.String(), "/")
			}
			setup := agentsetup.For(ws.Slug, cmp.Or(address, "http://localhost:8080"), "")
			if *asJSON {
				return printJSON(cmd, setup)
			}
			printAgentSetup(cmd, setup, h.db)
			return nil
		})
	}
	return cmd
}

func printAgentSetup(cmd *cobra.Command, a agentsetup.Setup, db string) {
	say(cmd, "The agent tools of %s are at %s (Streamable HTTP)\nand at %s (SSE, for clients that know no other).\n", a.Workspace, a.URL, a.SSEURL)
	say(cmd, "An agent needs a key. With scope full it may book, move and cancel; with read-only it may look:\n")
	say(cmd, "  export DAYBOOK_KEY=$(daybook keys create --db %s --workspace %s --scope full --name agent | head -1)\n", shellWord(db), a.Workspace)
	say(cmd, "Where a snippet says YOUR_API_KEY, put the key itself.")
	for _, c := range a.Clients {
		say(cmd, "\n%s, %s:\n\n%s", c.Name, c.Where, c.Text)
	}
}

// shellWord is a text as a shell takes it for one word.
func shellWord(text string) string {
	if text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-") == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
