package agentsetup

import (
	"encoding/json"
	"strings"
	"testing"
)

// What each client reads, as its own documentation has it.
func TestClients(t *testing.T) {
	for _, key := range []string{"", "dbk_secret"} {
		s := For("salon", "https://book.example.com", key)
		texts := map[string]string{}
		for _, c := range s.Clients {
			texts[c.Name] = c.Text
			if strings.Contains(c.Text, "YOUR_API_KEY") != (key == "" && c.Name == "Claude Desktop") || strings.Contains(c.Text, "dbk_secret") != (key != "") {
				t.Errorf("key %q: %s", key, c.Text)
			}
			if !strings.Contains(c.Text, "https://book.example.com/api/mcp") || strings.Contains(c.Text, "allow-http") {
				t.Errorf("%s: %s", c.Name, c.Text)
			}
		}
		var desktop struct {
			Servers map[string]struct {
				Command string
				Args    []string
			} `json:"mcpServers"`
		}
		if err := json.Unmarshal([]byte(texts["Claude Desktop"]), &desktop); err != nil || desktop.Servers["daybook-salon"].Command != "npx" ||
			desktop.Servers["daybook-salon"].Args[1] != "mcp-remote" {
			t.Errorf("Claude Desktop starts commands: %v %s", err, texts["Claude Desktop"])
		}
		var code struct {
			Inputs  []any
			Servers map[string]struct{ Type, URL string }
		}
		if err := json.Unmarshal([]byte(texts["VS Code"]), &code); err != nil || code.Servers["daybook-salon"].Type != "http" || (len(code.Inputs) == 0) != (key != "") {
			t.Errorf("VS Code reads servers: %v %s", err, texts["VS Code"])
		}
		if len(texts) != 5 {
			t.Errorf("clients: %v", texts)
		}
	}
	if s := For("salon", "http://localhost:8080", ""); !strings.Contains(s.Clients[1].Text, "--allow-http") {
		t.Error("mcp-remote refuses plain HTTP unless told otherwise")
	}
}
