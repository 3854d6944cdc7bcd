package cli_test

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"daybook/app/apptest/outside"
)

// block is a block of shell of a document. Its first line may be a comment that says what it needs or does, such as
// "# needs Docker" or "# until Ctrl-C".
type block struct{ document, note, text string }

// documents have blocks of shell that run as pasted, in the order in which somebody meets them: the program is built and
// served by the README, and the last guide stops the server.
var documents = []string{"README.md", guides + "requests.md", guides + "webhooks.md", guides + "payments.md", guides + "mail.md",
	guides + "agents.md", guides + "sign-in.md", guides + "operators.md", guides + "servers.md", guides + "backup.md"}

const guides = "app/rest/docs/guides/"

// pasted are the blocks of shell of the documents, and the set-up file that the README shows.
func pasted(t *testing.T) (blocks []block, setup string) {
	t.Helper()
	for _, document := range documents {
		text, err := os.ReadFile("../../" + document)
		if err != nil {
			t.Fatal(err)
		}
		parts := strings.Split(string(text), "```")
		for i := 1; i < len(parts); i += 2 {
			kind, body, _ := strings.Cut(parts[i], "\n")
			switch {
			case kind == "yaml" && document == "README.md":
				setup += body
			case kind == "sh":
				b := block{document: document, text: body}
				if first, rest, _ := strings.Cut(body, "\n"); strings.HasPrefix(first, "# ") {
					b.note, b.text = first[2:], rest
				}
				blocks = append(blocks, b)
			}
		}
	}
	return blocks, setup
}

// The blocks of the README and of the guides do what they say, pasted one after the other into one shell, in an empty
// folder with the program, beside the server of "Run it". Blocks that need what a test has not say so in their first line; of those the
// command lines are only checked for flags that don't exist, by --help, and the variables for flags of theirs.
func TestDocumentsRunAsPasted(t *testing.T) {
	bin, err := exec.LookPath("daybook")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(bin, filepath.Join(dir, "daybook")); err != nil {
		t.Fatal(err)
	}
	addr := outside.Address(t)
	local := strings.NewReplacer("http://localhost:8080", "http://"+addr, "--addr :8080", "--addr "+addr)
	blocks, setup := pasted(t)
	if err := os.WriteFile(filepath.Join(dir, "salon.yaml"), []byte(setup), 0o600); err != nil {
		t.Fatal(err)
	}
	shell := func(script string) (string, error) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, "bash", "-e", "-o", "pipefail", "-c", script)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	var server *exec.Cmd
	stop := func() {
		if server != nil {
			server.Process.Signal(syscall.SIGTERM)
			server.Wait()
		}
		server = nil
	}
	defer stop()
	variables, ran := "", 0
	for _, b := range blocks {
		text := local.Replace(b.text)
		switch {
		case strings.HasPrefix(b.text, "go "), strings.Contains(b.note, "Docker"): // the program is built already
		case b.note == "until Ctrl-C" && server == nil:
			server = exec.Command("bash", "-c", "exec "+strings.TrimSpace(text))
			server.Dir = dir
			var errs bytes.Buffer
			server.Stderr = &errs
			out, err := server.StdoutPipe()
			if err == nil {
				err = server.Start()
			}
			if err != nil {
				t.Fatal(err)
			}
			if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
				t.Fatalf("the server is not ready: %q %v\n%s", line, err, errs.String())
			}
		case strings.HasPrefix(b.note, "needs"):
			for line := range strings.Lines(b.text) {
				line, _, _ = strings.Cut(line, " #")
				if variable, is := strings.CutPrefix(line, "export DAYBOOK_"); is {
					name, _, _ := strings.Cut(variable, "=")
					flag := "--" + strings.ToLower(strings.ReplaceAll(name, "_", "-"))
					if out, err := shell("./daybook serve --help"); err != nil || !strings.Contains(out, flag+" ") {
						t.Errorf("%s: %s\nserve has no flag %s", b.document, line, flag)
					}
					continue
				}
				if out, err := shell(strings.TrimSpace(line) + " --help"); err != nil {
					t.Errorf("%s: %s\n%s", b.document, line, out)
				}
			}
		default:
			if b.note == "the server is stopped" {
				stop()
			}
			// Variables of the blocks before live on, as in a terminal; what they print is not wanted again.
			for line := range strings.Lines(text) {
				if name, _, set := strings.Cut(strings.TrimPrefix(line, "export "), "="); set && !strings.ContainsAny(name, " -./") {
					out, err := shell(variables + line + "\nprintf %s \"$" + name + "\"")
					if err != nil || out == "" {
						t.Fatalf("%s: %s\n%v\n%s", b.document, line, err, out)
					}
					variables += "export " + name + "='" + out + "'\n"
				}
			}
			if out, err := shell(variables + text); err != nil || strings.Contains(out, `"error"`) {
				t.Errorf("%s: %s\n%v\n%s", b.document, text, err, out)
			}
			ran++
		}
	}
	if ran < 9 {
		t.Errorf("%d blocks ran", ran)
	}
}

// The README's first command is the demo and its second the tests, and each guide that has commands to paste is one of
// the documents that are run.
func TestDocumentsToPaste(t *testing.T) {
	blocks, _ := pasted(t)
	if len(blocks) < 2 || strings.TrimSpace(blocks[0].text) != "go run . demo" || strings.TrimSpace(blocks[1].text) != "go test ./..." {
		t.Errorf("the README begins with %q", blocks[:min(2, len(blocks))])
	}
	files, err := filepath.Glob("../../" + guides + "*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "```sh\n") && strings.Contains(string(text), "./daybook ") &&
			!slices.Contains(documents, guides+filepath.Base(file)) {
			t.Errorf("nobody runs the commands of %s", file)
		}
	}
}
