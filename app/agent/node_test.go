package agent_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"daybook/app/apptest/outside"
)

// TestNeeds has .ci/run install what the tests of this package use, before it runs them.
func TestNeeds(t *testing.T) {
	clients(t)
	outside.Install(t, "agent-clients", "testdata/apps/package.json")
}

// clients is a folder with the official MCP client and the conformance suite.
func clients(t *testing.T) string {
	t.Helper()
	return outside.Install(t, "agent-clients", "testdata/client/package.json")
}

// TestTypeScriptClient books, moves and cancels with the official client.
func TestTypeScriptClient(t *testing.T) {
	dir := clients(t)
	script, err := os.ReadFile("testdata/client/client.mjs")
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, "client.mjs"), script, 0o644)) // beside node_modules, where imports look
	for _, transport := range []string{"http", "sse"} {
		t.Run(transport, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			outside.Run(t, dir, "node", "client.mjs", transport, w.server.URL, w.key, w.readOnly)
		})
	}
}

// TestConformance runs the scenarios of the public suite that apply to a stateless server of tools. The others want
// tools, prompts and resources of the suite's own, or (server-sse-*) sessions, without which they check nothing.
func TestConformance(t *testing.T) {
	dir := clients(t)
	w := newWorld(t)
	w.anonymous.Store(true) // the suite can't send a key
	url := strings.Replace(w.server.URL, "127.0.0.1", "localhost", 1) + "/api/mcp"
	for _, scenario := range []string{"server-initialize", "ping", "tools-list", "dns-rebinding-protection"} {
		t.Run(scenario, func(t *testing.T) {
			outside.Run(t, dir, "conformance", "server", "--url", url, "--scenario", scenario)
		})
	}
}
