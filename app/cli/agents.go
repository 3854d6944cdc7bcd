package cli

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

func init() { register(agentsCommand) }

// agentSetup is what `agents --json` prints: the addresses, and for each client its snippet.
type agentSetup struct {
	Workspace string    `json:"workspace"`
	BaseURL   string    `json:"baseUrl"`
	URL       string    `json:"url"`    // Streamable HTTP
	SSEURL    string    `json:"sseUrl"` // for clients that know no other
	Clients   []snippet `json:"clients"`
}

// snippet is what connects one client, and where it goes.
type snippet struct {
	Name  string `json:"name"`
	Where string `json:"where"`
	Text  string `json:"text"`
}

func agentsCommand(h *house) *cobra.Command {
	cmd := &cobra.Command{Use: "agents", Short: "Print what connects an AI agent to a workspace", Args: arguments()}
	slug := cmd.Flags().String("workspace", "", "slug of the workspace")
	base := webURL{}
	cmd.Flags().Var(&base, "base-url", "the server's public address (default http://localhost:8080)")
	asJSON := jsonFlag(cmd)
	require(cmd, "workspace")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return with(cmd.Context(), h.read, func(d *desk) error {
			ws, err := d.WorkspaceBySlug(*slug)
			if err != nil {
				return err
			}
			address := "http://localhost:8080"
			if base.URL != nil {
				address = strings.TrimSuffix(base.String(), "/")
			}
			setup := newAgentSetup(ws.Slug, address)
			if *asJSON {
				return printJSON(cmd, setup)
			}
			setup.print(cmd, h.db)
			return nil
		})
	}
	return cmd
}

func newAgentSetup(workspace, base string) agentSetup {
	a := agentSetup{Workspace: workspace, BaseURL: base, URL: base + "/api/mcp", SSEURL: base + "/api/sse"}
	name := "daybook-" + workspace
	remote := []string{"-y", "mcp-remote", a.URL, "--header", "Authorization:${AUTHORIZATION}"} // without a space: Claude Desktop on Windows splits there
	if strings.HasPrefix(base, "http://") {
		remote = append(remote, "--allow-http")
	}
	type object = map[string]any
	headers := func(value string) object { return object{"Authorization": "Bearer " + value} }
	a.Clients = []snippet{
		{"Claude Code", "in a shell", fmt.Sprintf(`claude mcp add --transport http %s %s --header "Authorization: Bearer $DAYBOOK_KEY"`, name, a.URL)},
		{"Claude Desktop", "in claude_desktop_config.json (Settings, Developer, Edit Config)", indented(object{"mcpServers": object{name: object{
			"command": "npx", "args": remote, "env": object{"AUTHORIZATION": "Bearer YOUR_API_KEY"}}}})},
		{"Cursor", "in ~/.cursor/mcp.json", indented(object{"mcpServers": object{name: object{"url": a.URL, "headers": headers("${env:DAYBOOK_KEY}")}}})},
		{"VS Code", "in .vscode/mcp.json", indented(object{
			"inputs":  []object{{"type": "promptString", "id": "daybook-key", "description": "API key of " + workspace, "password": true}},
			"servers": object{name: object{"type": "http", "url": a.URL, "headers": headers("${input:daybook-key}")}}})},
		{"Plain HTTP", "in a shell", fmt.Sprintf(`curl %s -H "Authorization: Bearer $DAYBOOK_KEY" -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`, a.URL)},
	}
	return a
}

func indented(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		panic(err) // maps of strings
	}
	return strings.TrimSpace(b.String())
}

func (a agentSetup) print(cmd *cobra.Command, db string) {
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
