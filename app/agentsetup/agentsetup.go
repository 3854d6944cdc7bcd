// Package agentsetup writes the settings with which AI programs connect to the tools of a workspace. The command prints
// them and the dashboard shows them.
package agentsetup

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Setup is the addresses of a workspace's tools, and the settings for each program.
type Setup struct {
	Workspace string    `json:"workspace"`
	BaseURL   string    `json:"baseUrl"`
	URL       string    `json:"url"`    // Streamable HTTP
	SSEURL    string    `json:"sseUrl"` // for programs that support only SSE
	Clients   []Snippet `json:"clients"`
}

// Snippet is the settings of one program, and where they belong.
type Snippet struct {
	Name  string `json:"name"`
	Where string `json:"where"`
	Text  string `json:"text"`
}

// For writes the snippets for a workspace of the server at base, which does not end in a slash. They contain the key;
// if it is "" they read it from where the program keeps secrets, or have YOUR_API_KEY if it has no such place.
func For(workspace, base, key string) Setup {
	s := Setup{Workspace: workspace, BaseURL: base, URL: base + "/api/mcp", SSEURL: base + "/api/sse"}
	name := "daybook-" + workspace
	or := func(placeholder string) string {
		if key == "" {
			return "Bearer " + placeholder
		}
		return "Bearer " + key
	}
	// without a space: Claude Desktop on Windows splits there
	remote := []string{"-y", "mcp-remote", s.URL, "--header", "Authorization:${AUTHORIZATION}"}
	if strings.HasPrefix(base, "http://") {
		remote = append(remote, "--allow-http")
	}
	type object = map[string]any
	headers := func(placeholder string) object { return object{"Authorization": or(placeholder)} }
	code := object{"servers": object{name: object{"type": "http", "url": s.URL,
		"headers": headers("${input:daybook-key}")}}}
	if key == "" {
		code["inputs"] = []object{{"type": "promptString", "id": "daybook-key", "description": "API key of " + workspace,
			"password": true}}
	}
	s.Clients = []Snippet{
		{"Claude Code", "in a shell",
			fmt.Sprintf(`claude mcp add --transport http %s %s --header "Authorization: %s"`, name, s.URL, or("$DAYBOOK_KEY"))},
		{"Claude Desktop", "in claude_desktop_config.json (Settings, Developer, Edit Config)",
			indented(object{"mcpServers": object{name: object{
				"command": "npx", "args": remote, "env": object{"AUTHORIZATION": or("YOUR_API_KEY")}}}})},
		{"Cursor", "in ~/.cursor/mcp.json",
			indented(object{"mcpServers": object{name: object{"url": s.URL, "headers": headers("${env:DAYBOOK_KEY}")}}})},
		{"VS Code", "in the file that the command “MCP: Open User Configuration” opens, or in .vscode/mcp.json",
			indented(code)},
		{"Plain HTTP", "in a shell",
			fmt.Sprintf(`curl %s -H "Authorization: %s" -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`, s.URL, or("$DAYBOOK_KEY"))},
	}
	return s
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
