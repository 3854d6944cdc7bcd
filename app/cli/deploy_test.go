package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"daybook/app/apptest/outside"
	"daybook/app/cli/console"
)

// composeModule is the library of Docker's own compose as a command.
const composeModule = "github.com/compose-spec/compose-go/v2/cmd@v2.10.1"

// TestNeeds has .ci/run install what the tests of this package use, before it runs them.
func TestNeeds(t *testing.T) { buildCompose(t) }

// buildCompose builds compose's library from the module proxy.
func buildCompose(t *testing.T) string {
	t.Helper()
	bin := t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "install", composeModule)
	build.Env = append(os.Environ(), "GOBIN="+bin, "GOFLAGS=", "CGO_ENABLED=0")
	build.Dir = bin // outside this module
	if out, err := build.CombinedOutput(); err != nil {
		outside.Needs(t, "compose", fmt.Errorf("go install %s: %w: %s", composeModule, err, out))
	}
	return filepath.Join(bin, "cmd")
}

type composed struct {
	Services map[string]struct {
		Image       string
		User        string
		Environment map[string]string
		Networks    map[string]any
		Ports       []struct{ Published string }
		Secrets     []struct{ Source, Target string }
		DependsOn   map[string]struct{ Condition string } `json:"depends_on"`
	}
	Networks map[string]struct {
		Internal bool
		IPAM     struct{ Config []struct{ Subnet string } }
	}
	Secrets map[string]struct{ File string }
}

// compose reads the file as compose does, in a folder that has nothing but what is beside it.
func compose(t *testing.T, tool, text string) (c composed, err error) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "compose.yaml"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), tool, "-format", "json", "compose.yaml")
	cmd.Dir = dir
	out, err := cmd.Output()
	if failed := new(exec.ExitError); errors.As(err, &failed) {
		return c, fmt.Errorf("%w: %s", err, failed.Stderr)
	}
	if err == nil {
		err = json.Unmarshal(out, &c)
	}
	return c, err
}

// The containers that compose starts are wired as their file says: without a domain it says what to do; Daybook's
// settings are flags of serve, its keys files that are in no image and no variable; nobody but Caddy is reached from
// outside, and nobody but Daybook reaches the database.
func TestComposeFile(t *testing.T) {
	t.Parallel()
	tool := buildCompose(t)
	text, err := os.ReadFile("../../assets/deploy/compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := compose(t, tool, string(text)); err == nil || !strings.Contains(err.Error(), "write DOMAIN=book.example.com into .env") {
		t.Errorf("without a domain: %v", err)
	}
	c, err := compose(t, tool, regexp.MustCompile(`\$\{DOMAIN[^}]*\}`).ReplaceAllString(string(text), "salon.example"))
	if err != nil {
		t.Fatal(err)
	}
	daybook := c.Services["daybook"]
	serve, _, err := newRoot().Find([]string{"serve"})
	if err != nil {
		t.Fatal(err)
	}
	for name := range daybook.Environment {
		if !slices.Contains(variablesOf(serve), name) {
			t.Errorf("%s is no setting of serve", name)
		}
	}
	if got := daybook.Environment["DAYBOOK_BASE_URL"]; got != "https://salon.example" {
		t.Errorf("it is served at %q", got)
	}
	outer := c.Networks["outside"].IPAM.Config
	if len(outer) != 1 || outer[0].Subnet == "" || daybook.Environment["DAYBOOK_TRUST_PROXY"] != outer[0].Subnet {
		t.Errorf("it believes %q, and Caddy is in %v", daybook.Environment["DAYBOOK_TRUST_PROXY"], outer)
	}
	for variable, secret := range map[string]string{"DAYBOOK_SECRET_KEY_FILE": "secret.key", "DAYBOOK_DB_PASSWORD_FILE": "db.password"} {
		if daybook.Environment[variable] != "/run/secrets/"+secret || !strings.HasSuffix(c.Secrets[secret].File, "/"+secret) {
			t.Errorf("%s is %q, %s is %v", variable, daybook.Environment[variable], secret, c.Secrets[secret])
		}
	}
	if daybook.DependsOn["db"].Condition != "service_healthy" {
		t.Errorf("it waits for %v", daybook.DependsOn)
	}
	for name, s := range c.Services {
		if open := len(s.Ports) > 0; open != (name == "caddy") {
			t.Errorf("%s has the ports %v", name, s.Ports)
		}
		_, isOut := s.Networks["outside"]
		_, isIn := s.Networks["inside"]
		if !c.Networks["inside"].Internal || isOut != (name != "db") || isIn != (name != "caddy") {
			t.Errorf("%s is in the networks %v", name, s.Networks)
		}
		if name != "daybook" && !pinned.MatchString(s.Image) {
			t.Errorf("%s runs %s, which has no version", name, s.Image)
		}
	}
	if len(c.Services) != 3 {
		t.Errorf("the services are %v", c.Services)
	}
}

// pinned matches an image with all numbers of its version, as far as it has them.
var pinned = regexp.MustCompile(`^[a-z]+:\d+\.\d+(\.\d+)?(-[a-z]+)?$`)

// variablesOf are the variables that set flags of the command.
func variablesOf(cmd *cobra.Command) (names []string) {
	add := func(f *pflag.Flag) { names = append(names, console.Variable(f.Name)) }
	cmd.LocalFlags().VisitAll(add)
	cmd.InheritedFlags().VisitAll(add)
	return names
}

// Beside a builder's sources lie databases and keys; none of them is sent to it, and all that the program is built from
// is.
func TestOnlySourcesAreSentToTheBuilder(t *testing.T) {
	t.Parallel()
	ignore := readIgnore(t, "../../.dockerignore")
	for _, private := range []string{".git/config", ".env", "daybook.db", "daybook.db-wal", "daybook.db.20261201.snapshot", "secret.key",
		"salon.yaml", "app/daybook.db", "store/x/daybook.db-lock", "app/cli/secret.key", "assets/deploy/secret.key",
		"assets/deploy/db.password", "app/.env", "app/daybook.env", "dist/daybook", "daybook"} {
		if !ignore(private) {
			t.Errorf("%s is sent", private)
		}
	}
	out, err := exec.Command("git", "-C", "../..", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir, size := t.TempDir(), 0
	for name := range strings.SplitSeq(string(out), "\x00") {
		if name == "" || ignore(name) {
			continue
		}
		text, err := os.ReadFile("../../" + name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		at := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, text, 0o644)); err != nil {
			t.Fatal(err)
		}
		size += len(text)
	}
	if size > 20_000_000 {
		t.Errorf("%d bytes are sent", size)
	}
	list := exec.CommandContext(t.Context(), "go", "list", "-deps", ".") // fails for a package or an embedded file that is missing
	list.Dir = dir
	if out, err := list.CombinedOutput(); err != nil {
		t.Errorf("it can't be built from what is sent: %v\n%s", err, out)
	}
}

// readIgnore reads a .dockerignore: the last pattern that a path, or a folder above it, fits decides.
func readIgnore(t *testing.T, name string) func(path string) bool {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	type pattern struct {
		fits *regexp.Regexp
		keep bool
	}
	var all []pattern
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		line, keep := strings.CutPrefix(line, "!")
		expression := strings.NewReplacer(`\*\*/`, `(.*/)?`, `\*`, `[^/]*`).Replace(regexp.QuoteMeta(line))
		all = append(all, pattern{regexp.MustCompile("^" + expression + "(/.*)?$"), keep})
	}
	return func(path string) bool {
		i := len(all) - 1
		for i >= 0 && !all[i].fits.MatchString(path) {
			i--
		}
		return i >= 0 && !all[i].keep
	}
}

// The image is built by a named version of Go, that of the other builds, and says what it is.
func TestDockerfile(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	var labels []string
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(strings.TrimPrefix(strings.TrimSpace(line), "LABEL "))
		if len(words) > 0 && strings.HasPrefix(words[0], "org.opencontainers.image.") {
			name, value, _ := strings.Cut(words[0], "=")
			if value != `""` {
				labels = append(labels, strings.TrimPrefix(name, "org.opencontainers.image."))
			}
		}
	}
	if !slices.Equal(labels, []string{"title", "description", "version", "revision"}) {
		t.Errorf("the image's labels are %q", labels)
	}
	if !regexp.MustCompile(`(?m)^FROM .*golang:\d+\.\d+\.\d+-[a-z]+ AS build$`).Match(text) {
		t.Error("the image of the builder has no whole version")
	}
	if !strings.Contains(string(text), "DAYBOOK_SECRET_KEY_FILE=") {
		t.Error("the example has no secret key")
	}
}
