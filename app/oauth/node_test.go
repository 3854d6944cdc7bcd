package oauth_test

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"daybook/app/apptest"
	"daybook/app/apptest/outside"
	"daybook/app/oauth"
)

// TestNeeds has .ci/run install what the tests of this package use, before it runs them.
func TestNeeds(t *testing.T) { clients(t) }

// clients is a folder with the official MCP clients and the conformance suite.
func clients(t *testing.T) string {
	t.Helper()
	return outside.Install(t, "agent-clients", "../agent/testdata/client/package.json")
}

// interactive runs a program that prints an address for the browser, and hands the lines that follow it to see.
func (w *site) interactive(dir string, env []string, command ...string) (in io.Writer, lines *bufio.Scanner, wait func() error) {
	w.T.Helper()
	commands := filepath.Join(dir, "node_modules", ".bin")
	cmd := exec.CommandContext(w.T.Context(), filepath.Join(commands, command[0]), command[1:]...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "PATH="+commands+string(filepath.ListSeparator)+os.Getenv("PATH")), env...)
	in, err := cmd.StdinPipe()
	w.Must(err)
	out, err := cmd.StdoutPipe()
	w.Must(err)
	var failed bytes.Buffer
	cmd.Stderr = &failed
	w.Must(cmd.Start())
	return in, bufio.NewScanner(out), func() error {
		err := cmd.Wait()
		if err != nil {
			w.T.Errorf("%s: %s", command[0], failed.String())
		}
		return err
	}
}

// The official clients, 1.x and 2.x, sign in at the address of each set, by registration and by their document; they call a
// tool, ask for more where they were allowed too little, and renew their tokens by themselves.
func TestTypeScriptClient(t *testing.T) {
	dir := clients(t)
	script, err := os.ReadFile("testdata/clients/connect.mjs")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "connect.mjs"), script, 0o644); err != nil { // beside node_modules
		t.Fatal(err)
	}
	for _, c := range []struct {
		line, document, path string
		allows               []string // one for each time that it asks
		tools                string
	}{
		{"1", "-", oauth.ToolsPath, []string{"write"}, "10"},
		{"1", "/typescript.json", oauth.ToolsPath, []string{"write"}, "10"},
		{"1", "-", oauth.DeskPath, []string{"write", "desk"}, "22"},
		{"2", "-", oauth.ToolsPath, []string{"write"}, "10"},
		{"2", "/typescript.json", oauth.DeskPath, []string{"write", "desk"}, "22"},
		{"2", "-", oauth.OwnerPath, []string{"read", "settings"}, "25"},
	} {
		t.Run(c.line+c.document+c.path, func(t *testing.T) {
			w := newSite(t)
			if c.document != "-" {
				at := w.hosts.URL + c.document
				w.pages[c.document] = `{"client_id":"` + at + `","client_name":"TypeScript client","redirect_uris":["http://localhost:8090/callback"],"token_endpoint_auth_method":"none"}`
				c.document = at
			}
			in, lines, wait := w.interactive(dir, nil, "node", "connect.mjs", c.line, w.BaseURL()+c.path, c.document)
			b, asked, done := w.signedIn(w.owner), 0, false
			for lines.Scan() {
				address, found := strings.CutPrefix(lines.Text(), "OPEN ")
				done = done || lines.Text() == "DONE "+c.tools
				if !found {
					continue
				}
				at, err := url.Parse(address)
				w.Must(err)
				if q := at.Query(); q.Get("resource") != w.BaseURL()+c.path || q.Get("code_challenge_method") != "S256" {
					t.Errorf("it asks %s", address)
				}
				if asked == len(c.allows) {
					t.Fatalf("it asks again: %s", address)
				}
				q := w.allow(b, at.RequestURI(), "http://localhost:8090/callback", c.allows[asked])
				asked++
				_, err = io.WriteString(in, q.Encode()+"\n")
				w.Must(err)
			}
			if wait() == nil && (!done || asked != len(c.allows)) {
				t.Errorf("it did not come to its end: %v, asked %d times", done, asked)
			}
		})
	}
}

// The public suite's tests of authorization servers: metadata, and the grant by a code.
func TestConformance(t *testing.T) {
	dir := clients(t)
	w := newSite(t)
	port, err := outside.Port()
	w.Must(err)
	redirect := "http://127.0.0.1:" + strconv.Itoa(port) + "/callback"
	client := w.register(`{"client_name":"conformance","redirect_uris":["` + redirect + `"]}`)
	_, lines, wait := w.interactive(dir, nil, "conformance", "authorization", "--url", w.BaseURL(), "--client-id", client, "--port", strconv.Itoa(port),
		"--resource", w.BaseURL()+"/api/mcp", "--spec-version", "2025-11-25")
	b, said := w.signedIn(w.owner), ""
	address := regexp.MustCompile(regexp.QuoteMeta(w.BaseURL()+oauth.AuthorizePath) + `\?\S+`)
	for lines.Scan() {
		said += lines.Text() + "\n"
		if ask := address.FindString(lines.Text()); ask != "" {
			at, err := url.Parse(ask)
			w.Must(err)
			r := w.answer(b, at.RequestURI(), "do", "allow", "scope", "read")
			if r.status != http.StatusSeeOther {
				t.Fatalf("%d %s", r.status, r.body)
			}
			apptest.Eventually(t, "the suite listens", func() bool { // it prints the address before
				res, err := program.Get(r.header.Get("Location"))
				if err == nil {
					res.Body.Close()
				}
				return err == nil
			})
		}
	}
	if wait() != nil || !strings.Contains(said, "0 failed") || regexp.MustCompile(`[1-9]\d* passed`).FindString(said) == "" {
		t.Error(said)
	}
	t.Log(said)
}
