package cli_test

import (
	"encoding/json"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// The lines of the sheet bring a database back when they are pasted into the shell of an empty machine, from a folder
// and from a bucket whose address has what a shell would take for itself.
func TestSheetIsPasted(t *testing.T) {
	backend := s3mem.New()
	if err := backend.CreateBucket("salon"); err != nil {
		t.Fatal(err)
	}
	bucket := httptest.NewServer(gofakes3.New(backend).Server())
	t.Cleanup(bucket.Close)
	t.Setenv("AWS_ACCESS_KEY_ID", "the-id")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "the secret's")
	old := filepath.Join(t.TempDir(), "Ana's salon")
	copies := []string{"file://" + t.TempDir() + "/a copy", "s3://salon/copies?endpoint=" + url.QueryEscape(bucket.URL) + "&region=eu-central-1"}
	if err := os.Mkdir(old, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(old, "secret.key"), []byte(strings.Repeat("a1", 32)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	daybook(t, old, "", "replicas", "key", "replica.key")
	keys := []string{"--secret-key-file", "secret.key", "--replica-key-file", "replica.key"}
	daybook(t, old, "", "workspace", "create", "Salon", "--timezone", "UTC", "--secret-key-file", "secret.key", "--new-database")
	s := startServer(t, old, append(keys, "--replica", copies[0], "--replica", copies[1])...)
	for complete := 0; complete < 2; {
		var all []struct{ LastSync, Newest *string }
		text := daybook(t, old, "", "replicas", "list", "--json", "--replica-key-file", "replica.key")
		if err := json.Unmarshal(text, &all); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		complete = 0
		for _, r := range all {
			if r.LastSync != nil && r.Newest != nil {
				complete++
			}
		}
	}
	sheet := ""
	for strings.Count(sheet, "daybook restore") < 2 {
		sheet = string(daybook(t, old, "", append([]string{"keys-sheet"}, keys...)...))
	}
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Wait(); err != nil {
		t.Fatalf("serve: %v\n%s", err, s.log)
	}
	if err := os.RemoveAll(old); err != nil {
		t.Fatal(err)
	}
	blocks := [][]string{}
	for _, part := range strings.Split(sheet, "\n\n") { // lines for the shell are indented
		var lines []string
		for line := range strings.Lines(part + "\n") {
			if rest, ok := strings.CutPrefix(line, "  "); ok && !strings.HasPrefix(rest, "AWS_") {
				lines = append(lines, rest)
			}
		}
		if len(lines) > 0 {
			blocks = append(blocks, lines)
		}
	}
	if len(blocks) != 3 || !strings.Contains(sheet, "AWS_SECRET_ACCESS_KEY  ____") || !strings.Contains(sheet, "Daybook         dev") {
		t.Fatalf("%d blocks in\n%s", len(blocks), sheet)
	}
	program, err := exec.LookPath("daybook")
	if err != nil {
		t.Fatal(err)
	}
	for i, lines := range blocks[1:] {
		script := strings.Join(append(blocks[0], lines...), "")
		script = strings.Replace(script, "ACCESS_KEY_ID='____'", "ACCESS_KEY_ID='the-id'", 1)
		script = strings.Replace(script, "SECRET_ACCESS_KEY='____'", `SECRET_ACCESS_KEY='the secret'"'"'s'`, 1)
		home := t.TempDir()
		cmd := exec.Command("sh", "-e")
		cmd.Dir, cmd.Stdin = home, strings.NewReader(script)
		cmd.Env = []string{"PATH=" + filepath.Dir(program) + ":/usr/bin:/bin", "HOME=" + home}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s\n%s", copies[i], err, script, out)
		}
		list := daybook(t, home, "", "workspace", "list", "--db", filepath.Join(old, "daybook.db"))
		if !strings.Contains(string(list), "salon") {
			t.Errorf("%s brings back %s", copies[i], list)
		}
		if err := os.RemoveAll(old); err != nil {
			t.Fatal(err)
		}
	}
}
