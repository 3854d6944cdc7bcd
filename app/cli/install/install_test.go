package install

import (
	"bytes"
	"errors"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"daybook/app/apptest/outside"
	"daybook/app/cli/console"
	"daybook/store/sqlite"
)

const nasty = `s3://salon/a b?endpoint=https%3A%2F%2Fs3.example.com&note="$HOME"'${X}\%n;#ü` + "\t"

// What systemd hands on is what was given: as its manual says (systemd.service, COMMAND LINES).
func TestQuoting(t *testing.T) {
	for text, want := range map[string]string{
		"/var/lib/daybook":  `/var/lib/daybook`,
		"":                  `""`,
		"a b":               `"a b"`,
		"100%":              `"100%%"`,
		"$HOME ${X}":        `"$$HOME $${X}"`,
		`say "a\b"`:         `"say \"a\\b\""`,
		"it's":              `"it's"`,
		"two\nlines":        `"two\x0alines"`,
		"s3://b/p?a=1&b=2;": `"s3://b/p?a=1&b=2;"`,
	} {
		if got := quoteArgument(text); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
	if got, want := quotePath("/mnt/$a b"), `"/mnt/$a b"`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := quoteValue("a$b`c\\\"d e"), "\"a\\$b\\`c\\\\\\\"d e\""; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	s := service{domains: []string{"book.example.com", "www.example.com"}, replicas: []string{nasty, "file:///mnt/b/c"}}
	back, err := readService(s.unit())
	if err != nil || !slices.Equal(back.domains, s.domains) || !slices.Equal(back.replicas, s.replicas) {
		t.Errorf("the unit is read as %+v %v", back, err)
	}
	if _, err := readService("[Service]\nExecStart=/usr/bin/other serve\n"); err == nil {
		t.Error("another program's unit is taken for ours")
	}
}

// systemd itself finds nothing wrong with the unit, and at most 3.0 of 10 exposed.
func TestUnitIsSoundAndHardened(t *testing.T) {
	_, err := exec.LookPath("systemd-analyze")
	outside.Needs(t, "systemd", err)
	root := t.TempDir()
	s := service{domains: []string{"book.example.com"}, replicas: []string{nasty, "file:///mnt/my backup/50%/$a"}}
	for path, text := range map[string]string{binaryPath: "#!/bin/sh\n", unitPath: s.unit()} {
		if err := os.MkdirAll(filepath.Dir(root+path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(root+path, []byte(text), 0o755&^(fs.FileMode(strings.Count(path, ".service"))*0o111)); err != nil {
			t.Fatal(err)
		}
	}
	verify := func() (about string) {
		// Its messages about other units are not about this one; --man would look for pages of ours.
		out, err := exec.Command("systemd-analyze", "verify", "--recursive-errors=no", "--root="+root, "--man=no", root+unitPath).CombinedOutput()
		for line := range strings.Lines(string(out)) {
			if strings.Contains(line, unitName) {
				about += line
			}
		}
		if err != nil && about == "" {
			t.Errorf("verify: %v %s", err, out)
		}
		return about
	}
	if about := verify(); about != "" {
		t.Errorf("verify: %s", about)
	}
	out, err := exec.Command("systemd-analyze", "security", "--offline=true", "--threshold=30", "--no-pager", root+unitPath).CombinedOutput()
	if err != nil {
		t.Errorf("security: %v\n%s", err, out)
	}
	t.Log(strings.TrimSpace(string(out[bytes.LastIndex(bytes.TrimSpace(out), []byte("\n"))+1:])))
	for whole, broken := range map[string]string{`\"$$HOME`: `"$$HOME`, "ProtectSystem=strict": "ProtectSystem=stricter"} {
		text := strings.Replace(s.unit(), whole, broken, 1)
		if err := os.WriteFile(root+unitPath, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if text == s.unit() || verify() == "" {
			t.Errorf("verify finds nothing wrong with %s", broken)
		}
	}
}

// server is a machine in a tree: its plans have owners and commands, which are noted instead of run.
type server struct {
	root string
	ran  []string
	user bool
	in   string

	fails string // the command that fails
}

func (m *server) plan(dry bool) *plan {
	p := newPlan(m.root, dry)
	p.live, p.boot = true, true
	p.key = func() (string, error) { return "replica key\n", nil }
	p.run = func(args ...string) error {
		m.ran = append(m.ran, strings.Join(args, " "))
		m.user = m.user || args[0] == "systemd-sysusers" || args[0] == "useradd"
		if m.fails == strings.Join(args, " ") {
			return errors.New("it failed")
		}
		return nil
	}
	p.owner = func() (int, int, error) {
		if !m.user {
			return 0, 0, user.UnknownUserError(userName)
		}
		return os.Getuid(), os.Getgid(), nil
	}
	return p
}

// do runs install or uninstall with these flags, and returns what it printed.
func (m *server) do(t *testing.T, uninstall bool, flags ...string) (string, error) {
	t.Helper()
	var o options
	var s service
	cmd := &cobra.Command{SilenceErrors: true, SilenceUsage: true}
	cmd.Flags().StringSliceVar(&s.domains, "tls-domain", nil, "")
	cmd.Flags().StringArrayVar(&s.replicas, "replica", nil, "")
	cmd.Flags().String("db", "daybook.db", "")
	cmd.Flags().String("db-password-file", "", "")
	cmd.Flags().Bool("db-insecure", false, "")
	s.addProxied(cmd)
	o.add(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if uninstall {
			return o.uninstall(cmd, m.plan(o.dry))
		}
		return o.install(cmd, m.plan(o.dry), s)
	}
	var out bytes.Buffer
	cmd.SetOut(&out)
	cmd.SetErr(&out)
	cmd.SetIn(strings.NewReader(m.in))
	cmd.SetArgs(flags)
	err := cmd.ExecuteContext(t.Context())
	return out.String(), err
}

// tree are the files below a directory with their modes and contents; the program's is left out.
func tree(t *testing.T, root string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		var text []byte
		if d.Type().IsRegular() && !strings.HasSuffix(path, binaryPath) {
			text, err = os.ReadFile(path)
		}
		all[strings.TrimPrefix(path, root)] = info.Mode().String() + " " + string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func equal(a, b map[string]string) bool {
	if len(a) != len(b) {
		return false
	}
	for name, text := range a {
		if b[name] != text {
			return false
		}
	}
	return true
}

// inOrder reports whether the commands were run, one after the other.
func inOrder(ran []string, commands ...string) bool {
	for _, c := range commands {
		i := slices.Index(ran, c)
		if i < 0 {
			return false
		}
		ran = ran[i+1:]
	}
	return true
}

func TestInstallTwiceAndRemove(t *testing.T) {
	t.Setenv("AWS_SECRET_ACCESS_KEY", "very secret")
	m := &server{root: t.TempDir()}
	flags := []string{"--tls-domain", "book.example.com", "--replica", "file:///mnt/backup/salon"}

	out, err := m.do(t, false, append(flags, "--dry-run")...)
	if err != nil || len(tree(t, m.root)) > 0 || slices.ContainsFunc(m.ran, func(c string) bool { return !strings.Contains(c, "is-active") }) {
		t.Fatalf("--dry-run did something: %v %v %q\n%s", err, tree(t, m.root), m.ran, out)
	}
	for _, part := range []string{binaryPath, secretPath, replicaPath, "| ExecStart=" + binaryPath + " serve ", "$ systemctl restart", "Nothing was changed"} {
		if !strings.Contains(out, part) {
			t.Errorf("--dry-run doesn't print %q:\n%s", part, out)
		}
	}
	if strings.Contains(out, "very secret") {
		t.Errorf("a secret is printed:\n%s", out)
	}
	if _, err := m.do(t, false, flags...); err == nil || !console.IsUsage(err) || !strings.Contains(err.Error(), "--yes") {
		t.Errorf("without a terminal and without --yes: %v", err)
	}

	m.ran = nil
	out, err = m.do(t, false, append(flags, "--yes")...)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, part := range []string{"https://book.example.com", "journalctl", "keys-sheet", replicaPath} {
		if !strings.Contains(out, part) {
			t.Errorf("%q is not printed:\n%s", part, out)
		}
	}
	first := tree(t, m.root)
	for name, mode := range map[string]string{binaryPath: "-rwxr-xr-x", secretPath: "-rw-------", replicaPath: "-rw-------",
		envPath: "-rw-------", unitPath: "-rw-r--r--", usersPath: "-rw-r--r--", wantedPath: "L"} {
		if !strings.HasPrefix(first[name], mode) {
			t.Errorf("%s: %q, want %s", name, first[name], mode)
		}
	}
	for dir, mode := range map[string]fs.FileMode{"/var/lib": 0o755, stateDir: 0o700, configDir: 0o750} {
		if info, err := os.Stat(m.root + dir); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v %v, want %04o", dir, info.Mode(), err, mode)
		}
	}
	if !strings.Contains(first[envPath], `AWS_SECRET_ACCESS_KEY="very secret"`) || strings.Contains(first[unitPath], "secret\"") {
		t.Errorf("the secret is not in the settings alone:\n%s", first[envPath])
	}
	restart := "systemctl restart " + unitName
	if !slices.Contains(m.ran, restart) {
		t.Errorf("ran %q", m.ran)
	}

	// Again, without flags: nothing changes.
	m.ran = nil
	if out, err := m.do(t, false, "--yes"); err != nil || !equal(first, tree(t, m.root)) || slices.Contains(m.ran, restart) {
		t.Errorf("again: %v, ran %q\n%s", err, m.ran, out)
	}
	// An upgrade: another program and another domain; keys and settings stay.
	if err := os.WriteFile(m.root+binaryPath, []byte("an older one"), 0o755); err != nil {
		t.Fatal(err)
	}
	// While another process than the service has its database, nothing is replaced and the service goes on.
	open, err := sqlite.Open(t.Context(), sqlite.Options{Path: m.root + dbPath, Create: true})
	if err != nil {
		t.Fatal(err)
	}
	m.ran = nil
	stop, start := "systemctl stop "+unitName, "systemctl start "+unitName
	out, err = m.do(t, false, "--yes", "--tls-domain", "salon.example.com")
	if err == nil || !strings.Contains(err.Error(), "is in use by another process") || slices.Contains(m.ran, restart) ||
		slices.Index(m.ran, start) < slices.Index(m.ran, stop) || !slices.Contains(m.ran, stop) {
		t.Errorf("an upgrade beside another process: %v, ran %q\n%s", err, m.ran, out)
	}
	if text, err := os.ReadFile(m.root + binaryPath); err != nil || string(text) != "an older one" {
		t.Errorf("the program was replaced: %v", err)
	}
	if err := open.Close(); err != nil {
		t.Fatal(err)
	}
	// The new program migrates the database while the service is stopped; where it can't, the old one goes on.
	migrate := "runuser -u " + userName + " -- " + m.root + binaryPath + ".new migrate up --db " + m.root + dbPath
	m.ran, m.fails = nil, migrate
	out, err = m.do(t, false, "--yes", "--tls-domain", "salon.example.com")
	if err == nil || !strings.Contains(err.Error(), "the service goes on as it was") || slices.Contains(m.ran, restart) ||
		!inOrder(m.ran, stop, migrate, start) {
		t.Errorf("a migration that fails: %v, ran %q\n%s", err, m.ran, out)
	}
	if text, err := os.ReadFile(m.root + binaryPath); err != nil || string(text) != "an older one" || exists(m.root+binaryPath+".new") {
		t.Errorf("the program was replaced: %v", err)
	}
	m.ran, m.fails = nil, ""
	if out, err := m.do(t, false, "--yes", "--tls-domain", "salon.example.com"); err != nil || !inOrder(m.ran, stop, migrate, restart) {
		t.Errorf("an upgrade: %v, ran %q\n%s", err, m.ran, out)
	}
	if err := os.Remove(m.root + dbPath); err != nil {
		t.Fatal(err)
	}
	second := tree(t, m.root)
	if info, err := os.Stat(m.root + binaryPath); err != nil || info.Size() < 1000 {
		t.Error("the program was not replaced", err)
	}
	if !strings.Contains(second[unitPath], "salon.example.com") || !strings.Contains(second[unitPath], "file:///mnt/backup/salon") {
		t.Errorf("the unit is\n%s", second[unitPath])
	}
	for _, kept := range []string{secretPath, replicaPath, envPath} {
		if first[kept] != second[kept] {
			t.Errorf("%s was changed", kept)
		}
	}
	if out, err := m.do(t, false, "--yes", "--replica", ""); err != nil || strings.Contains(tree(t, m.root)[unitPath], "--replica") {
		t.Errorf("no replica any more: %v\n%s", err, out)
	}

	m.ran = nil
	out, err = m.do(t, true, "--yes")
	left := tree(t, m.root)
	if err != nil || len(left) != 3 || left[secretPath] == "" || left[replicaPath] == "" || left[envPath] == "" {
		t.Errorf("uninstall: %v, left %v\n%s", err, left, out)
	}
	if !slices.Contains(m.ran, "systemctl stop "+unitName) {
		t.Errorf("ran %q", m.ran)
	}
	if _, err := m.do(t, true, "--yes"); err == nil || !strings.Contains(err.Error(), "not installed") {
		t.Errorf("uninstall again: %v", err)
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct {
		flags []string
		want  string
	}{
		{nil, "give --tls-domain"},
		{[]string{"--tls-domain", "https://book.example.com"}, "must be a name"},
		{[]string{"--tls-domain", "localhost"}, "must be a name"},
		{[]string{"--tls-domain", "192.0.2.1"}, "must be a name"},
		{[]string{"--tls-domain", "Book.Example.com"}, "small letters"},
		{[]string{"--tls-domain", "a.example", "--replica", "/mnt/x"}, "must be file:///"},
		{[]string{"--tls-domain", "a.example", "--replica", "file:///mnt"}, "two levels"},
		{[]string{"--tls-domain", "a.example", "--replica", "file:///mnt/../etc/x"}, "two levels"},
		{[]string{"--tls-domain", "a.example", "--replica", "file:///home/ana/copy"}, "is in /home"},
		{[]string{"--tls-domain", "a.example", "--replica", "file:///var/lib/daybook/copy"}, "is in /var/lib/daybook"},
		{[]string{"--tls-domain", "a.example", "--replica", "s3://id:pass@bucket/x"}, "has a password"},
		{[]string{"--tls-domain", "a.example", "--base-url", "https://a.example"}, "behind a proxy"},
		{[]string{"--tls-domain", "a.example", "--addr", ":8080"}, "behind a proxy"},
		{[]string{"--tls-domain", "a.example", "--trust-proxy", "10.0.0.0/8"}, "behind a proxy"},
		{[]string{"--base-url", "a.example"}, "--base-url"},
		{[]string{"--base-url", "https://a.example/book"}, "has a path"},
		{[]string{"--base-url", "https://a.example", "--trust-proxy", "0.0.0.0/0"}, "believes everybody"},
		{[]string{"--base-url", "https://a.example", "--addr", "8080"}, "--addr"},
		{[]string{"--base-url", "https://a.example", "--addr", ":8080"}, "give --trust-proxy"},
		{[]string{"--base-url", "https://a.example", "--trust-proxy", "x"}, "--trust-proxy"},
		{[]string{"--base-url", "https://a.example", "--db", "/srv/x.db"}, "at /var/lib/daybook/daybook.db"},
		{[]string{"--tls-domain", "a.example", "--db-password-file", "/x"}, "for a PostgreSQL database"},
		{[]string{"--tls-domain", "a.example", "--db-insecure"}, "for a PostgreSQL database"},
		{[]string{"--tls-domain", "a.example", "--db", "postgres://u:secret@db.example/x"}, "as --db-password-file"},
		{[]string{"--tls-domain", "a.example", "--db", "postgres://u@db.example/x", "--replica", "s3://b/x"}, "is for SQLite"},
	} {
		m := &server{root: t.TempDir(), user: true}
		out, err := m.do(t, false, append(c.flags, "--yes")...)
		if err == nil || !console.IsUsage(err) || !strings.Contains(err.Error(), c.want) || len(tree(t, m.root)) > 0 {
			t.Errorf("%q: %v, want %q\n%s", c.flags, err, c.want, out)
		}
	}
	m := &server{root: t.TempDir(), user: true}
	if err := os.MkdirAll(filepath.Dir(m.root+unitPath), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(m.root+unitPath, []byte("[Service]\nExecStart=/opt/daybook serve\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, uninstall := range []bool{true, false} {
		if _, err := m.do(t, uninstall, "--yes"); err == nil || !strings.Contains(err.Error(), "left alone") {
			t.Errorf("somebody's own unit: %v", err)
		}
	}
}

// Behind a proxy and on PostgreSQL the service gets what was given, and keeps it.
func TestBehindProxyOnPostgres(t *testing.T) {
	m := &server{root: t.TempDir(), user: true}
	secret := filepath.Join(t.TempDir(), "pass")
	if err := os.WriteFile(secret, []byte("s3cret word\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	url := "postgres://daybook@db.example.com/day%20book?sslmode=verify-full"
	out, err := m.do(t, false, "--yes", "--base-url", "https://book.example.com", "--db", url, "--db-password-file", secret)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	first := tree(t, m.root)
	if !strings.HasPrefix(first[passPath], "-rw-------") || !strings.HasSuffix(first[passPath], " s3cret word\n") {
		t.Errorf("the password's file: %q", first[passPath])
	}
	line := func() (args []string) {
		t.Helper()
		_, rest, _ := strings.Cut(tree(t, m.root)[unitPath], "\nExecStart=")
		rest, _, _ = strings.Cut(rest, "\n")
		args, err := splitArguments(rest)
		if err != nil {
			t.Error(err)
		}
		return args
	}
	want := []string{binaryPath, "serve", "--db", url, "--db-password-file", passPath, "--secret-key-file", secretPath,
		"--base-url", "https://book.example.com", "--addr", proxiedAddr, "--trust-proxy", loopback}
	if got := line(); !slices.Equal(got, want) {
		t.Errorf("the unit runs %q", got)
	}
	for _, part := range []string{"https://book.example.com", "127.0.0.1:8080", "X-Forwarded-For", "'" + url + "'", passPath} {
		if !strings.Contains(out, part) {
			t.Errorf("%q is not printed:\n%s", part, out)
		}
	}
	if out, err := m.do(t, false, "--yes"); err != nil || !equal(first, tree(t, m.root)) {
		t.Errorf("again: %v\n%s", err, out)
	}
	if out, err := m.do(t, false, "--yes", "--addr", "10.0.0.2:9000", "--trust-proxy", "10.0.0.1", "--db-insecure"); err != nil ||
		!slices.Contains(line(), "10.0.0.2:9000") || !slices.Contains(line(), "--db-insecure") || !slices.Contains(line(), url) {
		t.Errorf("another address: %v %q\n%s", err, line(), out)
	}
	if out, err := m.do(t, false, "--yes", "--tls-domain", "book.example.com", "--db", dbPath); err != nil ||
		!slices.Equal(line(), []string{binaryPath, "serve", "--db", dbPath, "--secret-key-file", secretPath, "--tls-domain", "book.example.com"}) {
		t.Errorf("back without a proxy: %v %q\n%s", err, line(), out)
	}
}

func TestPortsTaken(t *testing.T) {
	_, port, _ := strings.Cut(outside.Address(t), ":")
	if err := checkPorts(port); err != nil {
		t.Error(err)
	}
	l, err := net.Listen("tcp", ":"+port)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := checkPorts(port); err == nil || !strings.Contains(err.Error(), "port "+port+" is taken") {
		t.Error(err)
	}
}

// A disk that is full leaves every file as it was, and nothing half-written.
func TestDiskFull(t *testing.T) {
	root := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=256k", "none", root).CombinedOutput(); err != nil {
		t.Skipf("this test needs to mount a small disk: %v %s", err, out)
	}
	defer exec.Command("umount", root).Run()
	m := &server{root: root, user: true}
	out, err := m.do(t, false, "--tls-domain", "book.example.com", "--yes")
	if err == nil || !strings.Contains(err.Error(), "no space left") || !strings.Contains(err.Error(), binaryPath) {
		t.Errorf("%v\n%s", err, out)
	}
	if left := tree(t, root); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if exec.Command("mount", "-o", "remount,ro", root).Run() == nil {
		if _, err := m.do(t, false, "--tls-domain", "book.example.com", "--yes"); err == nil || !strings.Contains(err.Error(), "read-only") {
			t.Errorf("read-only: %v", err)
		}
	}
}

// A key is never replaced, not even when two install at once.
func TestKeysAreNeverReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret.key")
	if err := place(path, strings.NewReader("one"), 0o600, true, nil); err != nil {
		t.Fatal(err)
	}
	if err := place(path, strings.NewReader("two"), 0o600, true, nil); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	if text, _ := os.ReadFile(path); string(text) != "one" {
		t.Errorf("it holds %s", text)
	}
	if all, _ := os.ReadDir(filepath.Dir(path)); len(all) != 1 {
		t.Errorf("left: %v", all)
	}
}
