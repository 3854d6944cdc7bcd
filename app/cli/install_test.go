package cli_test

import (
	"bufio"
	"bytes"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"daybook/app/apptest/outside"
)

// The service that install writes into a tree starts there as its unit says, as a user without rights, and answers. Only
// what a tree can't have is another: where its / is, and the ports.
func TestInstalledServiceStarts(t *testing.T) {
	root, err := os.MkdirTemp(outside.SharedTemp(), "installed-") // not t.TempDir, which others can't enter
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(root) })
	if err := os.Chmod(root, 0o755); err != nil {
		t.Fatal(err)
	}
	daybook(t, root, "", "install", "--root", root, "--yes", "--tls-domain", "book.example.com", "--replica", "file:///mnt/backup/salon")
	unit, err := os.ReadFile(root + "/etc/systemd/system/daybook.service")
	if err != nil {
		t.Fatal(err)
	}
	_, line, _ := strings.Cut(string(unit), "\nExecStart=")
	line, _, _ = strings.Cut(line, "\n")
	args := strings.Fields(strings.NewReplacer("/usr/local/bin/", root+"/usr/local/bin/", "/etc/daybook/", root+"/etc/daybook/",
		"/var/lib/daybook/", root+"/var/lib/daybook/", "file:///mnt/", "file://"+root+"/mnt/").Replace(line))
	if err := os.MkdirAll(root+"/mnt/backup", 0o755); err != nil {
		t.Fatal(err)
	}
	plain := outside.Address(t)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = root + "/var/lib/daybook"
	cmd.Env = append(os.Environ(), "DAYBOOK_ADDR="+outside.Address(t), "DAYBOOK_HTTP_ADDR="+plain,
		"DAYBOOK_ACME_DIRECTORY=http://"+outside.Address(t), "TMPDIR=/tmp")
	if os.Getuid() == 0 {
		const nobody = 65534
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		for _, dir := range []string{"/var/lib/daybook", "/etc/daybook", "/mnt/backup"} { // as tmpfiles.d says
			err := filepath.WalkDir(root+dir, func(path string, _ fs.DirEntry, err error) error {
				if err == nil {
					err = os.Chown(path, nobody, nobody)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	var log bytes.Buffer
	cmd.Stderr = &log
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { cmd.Process.Kill() }()
	lines := bufio.NewReader(out)
	first, err := lines.ReadString('\n')
	if err != nil || !strings.Contains(first, "at https://book.example.com") {
		t.Fatalf("%q %v\n%s", first, err, log.String())
	}
	if link, err := lines.ReadString('\n'); err != nil || !strings.Contains(link, "Set it up, within an hour, at https://book.example.com") {
		t.Errorf("%q %v", link, err)
	}
	answer, err := http.Get("http://" + plain + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if text, err := io.ReadAll(answer.Body); err != nil || strings.TrimSpace(string(text)) != "ok" {
		t.Errorf("%q %v", text, err)
	}
	cmd.Process.Signal(syscall.SIGTERM)
	if err := cmd.Wait(); err != nil {
		t.Errorf("it ended with %v\n%s", err, log.String())
	}
	if _, err := os.Stat(root + "/mnt/backup/salon/daybook.json"); err != nil {
		t.Errorf("it kept no copy: %v\n%s", err, log.String())
	}
}
