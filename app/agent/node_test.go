package agent_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"daybook/app/apptest/outside"
)

// TestNeeds has .ci/run install what the tests of this package use, before it runs them.
func TestNeeds(t *testing.T) { clients(t) }

// clients is the folder with the npm packages of testdata/client installed, kept in the user's cache.
func clients(t *testing.T) string {
	t.Helper()
	dir, err := installClients()
	outside.Needs(t, "agent-clients", err)
	return dir
}

var installClients = sync.OnceValues(func() (string, error) {
	manifest, err := os.ReadFile("testdata/client/package.json")
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	dir := filepath.Join(cache, "daybook-test", fmt.Sprintf("agent-%x", sha256.Sum256(manifest))[:22])
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", err
	}
	fresh, err := os.MkdirTemp(filepath.Dir(dir), "installing-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(fresh)
	if err := os.WriteFile(filepath.Join(fresh, "package.json"), manifest, 0o644); err != nil {
		return "", err
	}
	npm := exec.Command("npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error")
	npm.Dir = fresh
	if out, err := npm.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm install: %w\n%s", err, out)
	}
	if err := os.Rename(fresh, dir); err != nil {
		if _, other := os.Stat(dir); other != nil { // not even by another test at the same time
			return "", err
		}
	}
	return dir, nil
})

func run(t *testing.T, dir string, command ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "node_modules", ".bin")+":"+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(command, " "), err, out)
	}
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
			run(t, dir, "node", filepath.Join(dir, "client.mjs"), transport, w.server.URL, w.key, w.readOnly)
		})
	}
}

// TestConformance runs the scenarios of the public suite that apply to a stateless server of tools. The others want
// tools, prompts and resources of the suite's own, or (server-sse-*) sessions, without which they check nothing.
func TestConformance(t *testing.T) {
	dir := clients(t)
	w := newWorld(t)
	w.anonymous.Store(true) // the suite can't send a key
	for _, scenario := range []string{"server-initialize", "ping", "tools-list", "dns-rebinding-protection"} {
		t.Run(scenario, func(t *testing.T) {
			run(t, dir, filepath.Join(dir, "node_modules", ".bin", "conformance"), "server", "--url", strings.Replace(w.server.URL, "127.0.0.1", "localhost", 1)+"/api/mcp", "--scenario", scenario)
		})
	}
}
